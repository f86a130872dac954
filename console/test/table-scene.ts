import type { Page } from 'playwright-core'
import { missingBrowser } from '../../server/test/browser.ts'
import { newScene, type SignedIn } from './scene.ts'

/** The company and the service that all tests of a file share. A service that is started outside of a test runs until the end of the file. */
const shared = missingBrowser() ? undefined : await newScene()

export type TableScene = Awaited<ReturnType<typeof newTableScene>>

/** A campaign of its own with a player's character, and ways to open its Table and to write in it. */
export async function newTableScene() {
  const scene = shared as NonNullable<typeof shared>
  const { writeAs, teller, player, pathOf, goto } = scene
  /** Sends a request as a user, past the browser. */
  const call = (id: string, method: string, path: string, body?: unknown) => writeAs(id)(method, path, body)
  const campaign_id: string = (await call(teller.id, 'POST', '/campaigns', { name: 'Fall of Kingsport' })).id
  const C = `/campaigns/${campaign_id}`
  const traits = { wits: 4, stealth: 2, strength: 3 }
  const hero: string = (await call(player.id, 'POST', `${C}/characters`, { name: 'Jonathan Crane', traits })).id
  await call(player.id, 'PUT', `${C}/characters/${hero}/trackers/health`, { label: 'Health', value: 1, maximum: 3, style: 'BOXES' })

  /** Opens the Table as a user, and waits until everything on it has arrived. */
  const openTable = async (id: string, onSignIn?: (page: Page) => Promise<void>): Promise<SignedIn> => {
    const opened = await scene.signIn(id)
    await onSignIn?.(opened.page)
    await goto(opened.page, pathOf(id) + C)
    await opened.page.locator('.top-bar .live.live').waitFor()
    await opened.page.locator('.feed:not([aria-busy])').waitFor()
    await opened.page.locator('.party-card').first().waitFor()
    return opened
  }
  return { ...scene, call, campaign_id, C, hero, openTable }
}

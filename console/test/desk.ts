import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { waitFor } from '../../server/test/browser.ts'
import type { Person } from '../../server/test/game-table.ts'
import { newScene } from './scene.ts'

/** A page of the console that a user is signed in to. */
interface Visit {
  page: Page
  /** Goes to a path below the campaign, such as `/ledger`, and waits until it is live. */
  open: (path: string) => Promise<void>
  /** Everything that went wrong in it. */
  errors: string[]
}

/** A scene with two players in its campaign. */
export async function newDesk() {
  const scene = await newScene()
  const { teller, player, other, C, signIn, goto } = scene
  for (const { id } of [player, other]) assert.equal((await teller.put(`${C}/members/${id}`, { role: 'PLAYER' })).status, 201)
  const visit = async ({ id }: Person): Promise<Visit> => {
    const { page, errors, path } = await signIn(id)
    const open = async (to: string) => {
      await goto(page, path + C + to)
      await page.locator('.live.live').waitFor()
      await waitFor(() => page.locator('.loading').count(), 0)
    }
    return { page, open, errors }
  }
  return { ...scene, visit }
}

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Body } from '../../server/test/harness.ts'
import { checkLooks } from './checks.ts'
import { newScene, type SignedIn } from './scene.ts'

/** A scene whose player has a character, with pages of the campaign that users have signed in to. */
export async function newDiceScene() {
  const scene = await newScene()
  const { writeAs, signIn, goto, player, C, campaign_id } = scene
  const call = (userId: string, method: string, path: string, body?: unknown): Promise<Body> => writeAs(userId)(method, path, body)
  const roll = (userId: string, body: object): Promise<Body> => call(userId, 'POST', '/dice-rolls', { campaign_id, ...body })
  const traits = { wits: 4, occult: 2, strength: 3 }
  const hero: string = (await call(player.id, 'POST', `${C}/characters`, { name: 'Jonathan Crane', traits })).id
  /** Signs a user in, and opens a page of the campaign. */
  const open = async (userId: string, path: string): Promise<SignedIn> => {
    const signedIn = await signIn(userId)
    await goto(signedIn.page, `${signedIn.path}${C}${path}`)
    await signedIn.page.locator('.top-bar .live.live').waitFor()
    return signedIn
  }
  return { ...scene, hero, call, roll, open }
}

/** The smallest text of the page, in pixels. */
const SMALLEST_TEXT = `Math.min(...[...document.querySelectorAll('.page *')]
  .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((element) => parseFloat(getComputedStyle(element).fontSize)))`

/** Checks the looks of a page with charts, whose labels must be legible on a phone. */
export async function checkCharts(page: Page, name: string): Promise<void> {
  await checkLooks(page, name, async () => {
    await page.locator('.page').waitFor()
    const smallest = Number(await page.evaluate(SMALLEST_TEXT))
    assert.ok(smallest >= 12, `${name}: text of ${smallest} px`)
  })
}

import type { Locator, Page } from 'playwright-core'
import { newRuledScene } from './ruled-scene.ts'

/** A campaign that is played by a copy of a pack, and the list of its characters in the browser of a player or of the storyteller. */
export async function openCharacters(pack = 'd10-pool', who: 'player' | 'teller' = 'player') {
  const scene = await newRuledScene(pack)
  const { teller, player, C, writeAs, signIn, goto, versionId } = scene
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  await tell('PUT', `${C}/ruleset`, { version_id: versionId })
  const { page, errors, path } = await signIn(scene[who].id)
  const openList = async () => {
    await goto(page, `${path}${C}/characters`)
    await page.getByRole('heading', { name: 'Sheets', level: 1 }).waitFor()
  }
  await openList()
  return { ...scene, page, errors, path, tell, play, openList }
}

/** Starts to create a character, from the list of characters. */
export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New character' }).click()
  const dialog = page.getByRole('dialog', { name: 'New character' })
  await dialog.getByLabel('Step by step').waitFor()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { name: /^New /, level: 1 }).waitFor()
}

export const stepTitle = (page: Page, name: string): Locator => page.getByRole('heading', { level: 2, name, exact: true })
export const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
export const next = (page: Page): Promise<void> => press(page, 'Next')
export const sheetSoFar = (page: Page): Locator => page.getByRole('region', { name: 'The sheet so far' })
/** The value of a trait on the sheet so far, as a screen reader reads it. */
export const valueOnSheet = (page: Page, label: string) => async () =>
  (await sheetSoFar(page).locator('.sheet-value').filter({ hasText: label }).first().textContent())?.replace(label, '').trim()
/** Sets a slider to a value, as the keyboard does. */
export const setDots = (page: Page, label: string, value: number): Promise<void> =>
  page.getByLabel(label, { exact: true }).fill(String(value))

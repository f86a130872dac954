import type { Page } from 'playwright-core'
import { newScene } from './scene.ts'

/** A character with a bit of everything, and its sheet in the browser of its player. */
export async function openSheet(traits: Record<string, number> = { strength: 2, brawl: 3, occult: 1 }) {
  const scene = await newScene()
  const { teller, player, C, writeAs, signIn, goto } = scene
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  const hero = (await play('POST', `${C}/characters`, { name: 'Jonathan Crane', concept: 'Librarian', traits })).id as string
  const H = `${C}/characters/${hero}`
  const { page, errors, path } = await signIn(player.id)
  const open = async (query = '') => {
    await goto(page, path + H + query)
    await page.getByRole('heading', { name: 'Jonathan Crane', level: 1 }).waitFor()
  }
  await open()
  return { ...scene, hero, H, page, errors, path, tell, play, open }
}

export const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
export const trait = (page: Page, name: string) => async () => (await page.locator('.trait', { hasText: name }).textContent())?.trim()

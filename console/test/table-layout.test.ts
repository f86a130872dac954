import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { shoot } from './checks.ts'
import { newTableScene, type TableScene } from './table-scene.ts'

// Where the parts of the Table are: on a laptop all of them fit the window, and on a phone nothing covers another.

const skip = missingBrowser()

/** Adds players to the campaign of a scene, who could also be its storytellers. */
async function addMembers({ person, teller, C }: TableScene, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const { id } = await person('STORYTELLER', `Guest ${number}`)
    assert.equal((await teller.put(`${C}/members/${id}`, { role: 'PLAYER' })).status, 201)
  }
}

const heightOf = (page: Page) => page.evaluate('document.documentElement.scrollHeight')

test('on a laptop the Table is as high as the window, and its parts scroll', { skip }, async () => {
  const scene = await newTableScene()
  await addMembers(scene, 12)
  const { page } = await scene.openTable(scene.teller.id)
  for (const width of [1200, 1000]) {
    await page.setViewportSize({ width, height: 700 })
    await page.getByRole('combobox', { name: 'Role of Guest 9' }).waitFor()
    assert.equal(await heightOf(page), 700, `at ${width} px`)
  }
})

const PHONE = { width: 360, height: 780 }

/** Opens the Table of a player on a phone, with more in its feed than the screen has room for. */
async function openOnPhone(scene: TableScene): Promise<Page> {
  const quick = `Sneak ${scene.campaign_id}`
  await scene.call(scene.player.id, 'POST', '/quick-rolls', { name: quick, notation: '2d6' })
  for (let number = 1; number <= 12; number++) {
    await scene.call(scene.player.id, 'POST', '/dice-rolls', {
      notation: '1d6',
      campaign_id: scene.campaign_id,
      comment: `roll ${number}.`,
    })
  }
  const { page } = await scene.openTable(scene.player.id)
  await page.setViewportSize(PHONE)
  await page.reload()
  await page.locator('.feed:not([aria-busy])').waitFor()
  await page.getByRole('button', { name: `Roll ${quick}` }).waitFor()
  return page
}

const bottomOf = (page: Page, selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom)
const topOf = (page: Page, selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)
const isFeedAboveTray = async (page: Page) => (await bottomOf(page, '.entry >> nth=-1')) <= (await topOf(page, '.tray')) + 1

test('on a phone the newest entry is above the tray, also when the tray grows', { skip }, async () => {
  const page = await openOnPhone(await newTableScene())
  await waitFor(() => isFeedAboveTray(page), true)
  const dice = page.getByRole('textbox', { name: 'Dice', exact: true })
  await dice.fill('2d6')
  await page.getByText('On average 7').waitFor()
  await waitFor(() => isFeedAboveTray(page), true)
  await dice.fill('banana')
  await dice.press('Enter')
  await page.getByText('write a name in braces').waitFor()
  await waitFor(() => isFeedAboveTray(page), true)
  await page.getByRole('button', { name: /^As / }).click()
  await waitFor(() => isFeedAboveTray(page), true)
})

test('on a phone each part begins at its top, and the feed at its end', { skip }, async () => {
  const scene = await newTableScene()
  await addMembers(scene, 12)
  const page = await openOnPhone(scene)
  await waitFor(() => isFeedAboveTray(page), true)
  for (const [part, selector] of [
    ['Clocks', '.table-side'],
    ['Party', '.table-party'],
  ] as const) {
    await page.getByRole('tab', { name: part }).click()
    await waitFor(async () => (await topOf(page, selector)) >= (await bottomOf(page, '.table > .tabs')), true)
    assert.ok((await topOf(page, selector)) < PHONE.height / 2, part)
    // Entries that come in the meantime do not move the part that is read.
    const before = await topOf(page, selector)
    await scene.call(scene.player.id, 'POST', '/dice-rolls', { notation: '1d6', campaign_id: scene.campaign_id, comment: `During ${part}` })
    await page
      .locator('.entry')
      .filter({ hasText: `During ${part}` })
      .waitFor({ state: 'attached' })
    assert.equal(await topOf(page, selector), before)
    await page.getByRole('tab', { name: 'Feed' }).click()
    await waitFor(() => isFeedAboveTray(page), true)
  }
})

test('a message on the Table covers neither the tray nor the feed', { skip }, async () => {
  const scene = await newTableScene()
  const page = await openOnPhone(scene)
  for (const viewport of [PHONE, { width: 1200, height: 900 }]) {
    await page.setViewportSize(viewport)
    await page.getByRole('textbox', { name: 'Dice', exact: true }).fill('3d6')
    await page.getByRole('button', { name: 'Save as quick roll' }).click()
    await page.getByLabel('Name').fill(`Climb ${viewport.width} ${scene.campaign_id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const toast = page.locator('.toast').last()
    await toast.waitFor()
    const isBetween = async () =>
      (await bottomOf(page, '.toast >> nth=-1')) <= (await topOf(page, '.tray')) &&
      (await bottomOf(page, '.entry >> nth=-1')) <= (await topOf(page, '.toast >> nth=0')) + 1
    await waitFor(isBetween, true)
    await shoot(page, `message on the Table ${viewport.width}`)
    await toast.getByRole('button', { name: 'Close' }).click()
  }
  // A part without the tray has the messages at the edge of the window.
  await page.setViewportSize(PHONE)
  await page.getByRole('tab', { name: 'Party' }).click()
  await page.locator('.toasts.floating').waitFor({ state: 'attached' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf } from '../../server/test/accessibility.ts'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks, shoot } from './checks.ts'
import { newScene } from './scene.ts'
import { openSheet, openTab } from './sheet-scene.ts'

const skip = missingBrowser()

const ABILITIES = ['strength', 'dexterity', 'constitution', 'intelligence', 'wisdom', 'charisma']
const SKILLS =
  'acrobatics animal_handling arcana athletics deception history insight intimidation investigation medicine nature perception performance persuasion religion sleight_of_hand stealth survival'
/** The traits of a sheet of a large game. */
const TRAITS: Record<string, number> = Object.fromEntries([
  ...ABILITIES.flatMap((name, i) => [[name, 8 + i * 2] as const, [`save_${name}`, i - 1] as const]),
  ...SKILLS.split(' ').map((name, i) => [name, i % 7] as const),
])
const STYLES = ['NUMBER', 'BOXES', 'CLOCK']

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))

/** Looks at tabs of a sheet that have something to show. */
async function checkTabs(page: Page, tabs: readonly string[]): Promise<void> {
  for (const tab of tabs) {
    await openTab(page, tab)
    await page.getByRole('region', { name: tab }).locator('.rows, .tracker-rows, .notes, .chart, .history').first().waitFor()
    await checkLooks(page, `sheet ${tab}`, () => page.getByRole('tabpanel').waitFor())
  }
}

test('a sheet with thirty traits, ten trackers and twenty items is accessible and fits on a phone', { skip }, async () => {
  const { page, errors, H, play, open } = await openSheet(TRAITS)
  await times(10, (i) => play('PUT', `${H}/trackers/t${i}`, { label: `Tracker ${i}`, value: i, maximum: 12, style: STYLES[i % 3] }))
  await times(20, (i) => play('POST', `${H}/inventory`, { name: `Item ${i} of the long march`, quantity: i, kind: 'WEAPON' }))
  await open()
  await page.getByRole('button', { name: /^Stealth/ }).click()
  await waitFor(() => page.locator('.trait-group h3').allTextContents(), ['Attributes', 'Save', 'Other traits'])
  await checkLooks(page, 'sheet traits', () => page.getByRole('tabpanel').waitFor())
  await checkTabs(page, ['Trackers', 'Inventory'])
  // A wide screen has the traits beside the tabs.
  await page.setViewportSize({ width: 1600, height: 1000 })
  await waitFor(() => page.getByRole('tab', { name: 'Traits' }).count(), 0)
  await page.getByRole('button', { name: /Stealth/, pressed: true }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 1600)
  await shoot(page, 'sheet wide')
  // What is typed in either part stays when the width changes, and a small screen shows the part that it is typed in.
  const typedStays = async (button: string, field: string, width: number) => {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByLabel(field).first().fill('17')
    await page.setViewportSize({ width, height: 1000 })
    await waitFor(() => page.getByRole('tab', { name: 'Traits' }).count(), width === 1200 ? 1 : 0)
    assert.equal(await page.getByRole('dialog').getByLabel(field).first().inputValue(), '17')
    await page.keyboard.press('Escape')
    await waitFor(() => page.evaluate('document.activeElement.textContent'), button)
  }
  await typedStays('Edit traits', 'Strength', 1200)
  await typedStays('Edit traits', 'Strength', 1600)
  await typedStays('Add an item', 'Name', 1200)
  await page.getByRole('tab', { name: 'Inventory', selected: true }).waitFor()
  await typedStays('Add an item', 'Name', 1600)
  assert.deepEqual(errors, [])
})

test('notes, experience, statistics and history are accessible and fit on a phone', { skip }, async () => {
  const { page, errors, H, C, play, tell, player, campaign_id, hero } = await openSheet()
  for (const visibility of ['EVERYONE', 'AUTHOR']) await play('POST', `${H}/notes`, { title: 'A note', body: '- one\n- two', visibility })
  await play('POST', '/dice-rolls', { pool: { traits: ['brawl'], difficulty: 3 }, campaign_id, character_id: hero })
  await tell('POST', `${C}/experience/awards`, { amount: 5, reason: 'Courage', user_ids: [player.id] })
  await openTab(page, 'Notes')
  // The words are those of the chronicle.
  await waitFor(() => page.locator('.note .badge').allTextContents(), ['Mine', 'Open'])
  await checkTabs(page, ['Notes', 'Experience', 'Statistics', 'History'])
  assert.deepEqual(errors, [])
})

test('the badges of a secret character stand in one line, apart from each other', { skip }, async () => {
  const { teller, C, writeAs, signIn, goto } = await newScene()
  const npc = { name: 'Tobias Quill', type: 'NPC', visibility: 'STORYTELLER', traits: { lore: 4, wits: 2 } }
  const { id } = await writeAs(teller.id)('POST', `${C}/characters`, npc)
  const { page, errors, path } = await signIn(teller.id)
  await goto(page, `${path}${C}/characters/${id}`)
  await page.locator('.marks .badge.secret').waitFor()
  const boxes = await Promise.all((await page.locator('.marks .badge').all()).map((badge) => badge.boundingBox()))
  for (const [index, box] of boxes.entries()) {
    const before = boxes[index - 1]
    if (!box || !before) continue
    assert.equal(box.y + box.height / 2, before.y + before.height / 2)
    assert.ok(box.x - before.x - before.width >= 4)
  }
  await waitFor(() => page.locator('.trait-group h3').count(), 0)
  await page.getByText('No details yet').waitFor()
  await checkLooks(page, 'sheet npc', () => page.getByRole('tabpanel').waitFor())
  assert.deepEqual(errors, [])
})

test('an empty sheet is accessible and says what to do next', { skip }, async () => {
  const { page, errors } = await openSheet({})
  await page.getByRole('button', { name: 'Add traits' }).waitFor()
  await checkLooks(page, 'empty sheet', () => page.getByRole('tabpanel').waitFor())
  for (const [tab, action] of [
    ['Trackers', 'Add a tracker'],
    ['Inventory', 'Add an item'],
    ['Notes', 'Write a note'],
  ] as const) {
    await openTab(page, tab)
    await page.locator('.empty').getByRole('button', { name: action }).waitFor()
  }
  assert.deepEqual(errors, [])
})

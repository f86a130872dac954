import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { shoot } from './checks.ts'
import { checkCharts, newDiceScene } from './dice-scene.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

const factOf = (page: Page, name: string) => () =>
  page.locator('.statistics .facts div', { hasText: name }).first().locator('dd').textContent()

test('statistics count the rolls of a user, a character, the campaign and the company, and stay current', { skip }, async () => {
  const { player, other, teller, hero, roll, call, open } = await newDiceScene()
  for (let i = 0; i < 12; i++) await roll(player.id, { pool: { traits: ['wits', 'occult'], difficulty: 6 }, character_id: hero })
  for (let i = 0; i < 3; i++) await roll(other.id, { notation: '1d20', target: 1 })
  await roll(teller.id, { notation: '2d6', manual: [3, 4] })
  await call(other.id, 'POST', '/dice-rolls', { notation: '1d4' })
  await roll(teller.id, { notation: '3d8', visibility: 'STORYTELLER' })

  const opened = await open(player.id, '/statistics')
  const { page } = opened
  await waitFor(factOf(page, 'Rolls'), '15')
  await waitFor(factOf(page, 'Rolled at the table'), '1')
  await waitFor(factOf(page, 'Difficulty, on average'), '6')
  await page.getByText('d10: 72 dice', { exact: true }).waitFor()
  await page.getByText(/^Fair dice are this far off (about .+|almost always|always|never)\. /).waitFor()
  assert.equal(await page.getByText('d8:').count(), 0, 'the secret roll is not counted')
  await page.getByRole('img', { name: /^15 rolls on (one day|2 days) of the last 90\./ }).waitFor()
  await page.getByRole('img', { name: /^The favorite trait is (wits|occult), in 12 rolls\.$/ }).waitFor()

  // Every chart is a table, too.
  await page.getByRole('button', { name: 'Show as a table: Rolls by trait' }).click()
  await waitFor(() => page.getByRole('row', { name: /^wits/ }).locator('td').textContent(), '12')
  await page.getByRole('button', { name: 'Show as a table: Rolls a day' }).click()
  await page.getByRole('button', { name: 'Show as a table: d10: 72 dice' }).click()
  await page.getByRole('columnheader', { name: 'Expected' }).waitFor()
  await waitFor(() => page.getByRole('row', { name: /^10 / }).locator('td').last().textContent(), '7.2')
  await checkCharts(page, 'statistics 1')
  await waitFor(() => page.locator('.facts dt', { hasText: 'Natural 20s' }).count(), 1)
  // The words below the outcomes all fit on a phone.
  assert.equal(await page.getByRole('figure', { name: 'Rolls by outcome' }).locator('.wide-only').count(), 0)

  // Another user rolls.
  await roll(other.id, { notation: '1d20', target: 1 })
  await waitFor(factOf(page, 'Rolls'), '16')

  // The switch, with the keyboard.
  await tabTo(page.getByRole('tab', { name: 'This campaign’s', exact: true }))
  await page.keyboard.press('ArrowRight')
  await waitFor(factOf(page, 'Rolls'), '17')
  assert.match(page.url(), /of=company/)
  await page.keyboard.press('ArrowRight')
  await waitFor(factOf(page, 'Rolls'), '12')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('combobox', { name: 'Character' }).waitFor()
  await waitFor(factOf(page, 'Rolls'), '12')
  assert.deepEqual(opened.errors, [])
})

test('a campaign without rolls says what to do next', { skip }, async () => {
  const { player, roll, open } = await newDiceScene()
  const opened = await open(player.id, '/statistics')
  const { page } = opened
  await page.getByText('There is no roll to count yet').waitFor()
  await checkCharts(page, 'statistics 2')
  assert.match((await page.getByRole('link', { name: 'Go to the table' }).getAttribute('href')) ?? '', /\/campaigns\/[^/]+$/)
  await roll(player.id, { notation: '2d6' })
  await waitFor(factOf(page, 'Rolls'), '1')
  await page.getByText('Too few dice to say anything').waitFor()
  assert.equal(await page.getByText('Natural 20s').count(), 0, 'nobody rolled a d20')
  await page.evaluate('scrollTo(0, 0)')
  await shoot(page, 'statistics at a glance')
  const facts = await page.locator('.statistics .facts > div').all()
  const tops = await Promise.all(facts.map(async (fact) => (await fact.boundingBox())?.y))
  assert.equal(new Set(tops).size, 1, 'the figures stand side by side')
  assert.deepEqual(opened.errors, [])
})

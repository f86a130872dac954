import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkCharts, newDiceScene } from './dice-scene.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

const factOf = (page: Page, name: string) => () => page.locator('.odds .facts div', { hasText: name }).locator('dd').textContent()
const rollersOf = (page: Page) => () => page.locator('.rolls .roll header strong').allTextContents()
/** The comments of the shown rolls, without the notation behind them. */
const commentsOf = (page: Page) => async () =>
  (await page.locator('.rolls .roll header .quiet:not(.end)').allTextContents()).map((text) => text.replace(/ · [^·]+$/, ''))

test('the odds follow what is typed, and bad input shows the sentence of the service', { skip }, async () => {
  const { player, hero, open } = await newDiceScene()
  const opened = await open(player.id, '/dice?notation=2d6')
  const { page } = opened
  await waitFor(factOf(page, 'Mean'), '7')
  await waitFor(factOf(page, 'Range'), '2 to 12')
  const notation = page.getByRole('textbox', { name: 'Notation' })
  await notation.fill('3d6')
  await waitFor(factOf(page, 'Mean'), '10.5')
  assert.match(page.url(), /\?notation=3d6$/)
  await page.getByRole('textbox', { name: 'At least' }).fill('17')
  await page.getByText('17 or more comes up about once in 54 (1.9%).').waitFor()

  // The chart is a picture with a sentence, and a table.
  await page.getByRole('img', { name: 'The total is between 3 and 18, 10.5 on average, and most likely 10.' }).waitFor()
  await page.getByRole('button', { name: 'Show as a table: Chance of each total' }).click()
  await waitFor(() => page.getByRole('row', { name: /^18 / }).locator('td').textContent(), '0.5%')
  await page.getByRole('button', { name: 'Show as a chart' }).click()

  // A target gives outcomes in words.
  await page.getByRole('textbox', { name: 'Target' }).fill('11')
  await page.getByText('The roll succeeds about half the time (50%).').waitFor()

  await notation.fill('4d6kh')
  await page.getByText('the number of dice to keep is missing here', { exact: false }).waitFor()
  await waitFor(() => notation.getAttribute('aria-invalid'), 'true')
  await waitFor(() => page.locator('.odds .facts').count(), 0)

  // The traits of a character make a pool.
  await page.getByRole('tab', { name: 'Dice pool' }).click()
  await page.getByRole('textbox', { name: 'Dice', exact: true }).fill('wits + occult')
  await page.getByRole('combobox', { name: 'Traits of' }).selectOption(hero)
  await waitFor(factOf(page, 'Range'), '-6 to 12')
  await page.getByText('Chance of each outcome').waitFor()
  await checkCharts(page, 'dice 1')
  assert.deepEqual(opened.errors, [])
})

test('rolls are filtered, arrive by themselves, and earlier ones are shown page by page', { skip }, async () => {
  const { teller, player, other, hero, roll, call, open } = await newDiceScene()
  for (let i = 1; i <= 22; i++) await roll(other.id, { notation: '1d6', comment: `roll ${i}` })
  await roll(player.id, { notation: '1d20', target: 1, character_id: hero, comment: 'a success' })
  await roll(teller.id, { notation: '1d8', visibility: 'STORYTELLER', comment: 'a secret of the storyteller' })
  const opened = await open(player.id, '/dice')
  const { page } = opened
  await waitFor(async () => (await commentsOf(page)()).length, 20)
  assert.equal((await commentsOf(page)())[0], 'a success')
  await page.getByRole('button', { name: 'Show earlier rolls' }).click()
  await waitFor(async () => (await commentsOf(page)()).length, 23)
  await waitFor(() => page.getByRole('button', { name: 'Show earlier rolls' }).count(), 0)

  // Another user rolls.
  const { id } = await roll(other.id, { notation: '1d6', comment: 'a new roll' })
  await waitFor(async () => (await commentsOf(page)()).slice(0, 2), ['a new roll', 'a success'])
  await call(teller.id, 'POST', `/dice-rolls/${id}/void`, { reason: 'Wrong dice' })
  await waitFor(() => page.locator('.rolls .roll.voided').count(), 1)

  await page.getByRole('combobox', { name: 'Void rolls' }).selectOption('only')
  await waitFor(commentsOf(page), ['a new roll'])
  await page.getByRole('combobox', { name: 'Void rolls' }).selectOption('hidden')
  await waitFor(async () => (await commentsOf(page)())[0], 'a success')
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('SUCCESS')
  await waitFor(rollersOf(page), ['Jonathan Crane'])
  // A roll that does not match stays away.
  await roll(other.id, { notation: '1d6', comment: 'without an outcome' })
  await roll(player.id, { notation: '1d20', target: 1, comment: 'another success' })
  await waitFor(commentsOf(page), ['another success', 'a success'])
  await page.getByRole('combobox', { name: 'Character' }).selectOption(hero)
  await waitFor(commentsOf(page), ['a success'])
  await page.getByLabel('Until').fill('2020-01-01')
  await page.getByText('No roll matches the filters').waitFor()
  await page.getByRole('search').getByRole('button', { name: 'Clear the filters' }).click()
  await waitFor(async () => (await commentsOf(page)())[0], 'another success')
  await page.getByRole('combobox', { name: 'Rolled by' }).selectOption(other.id)
  await waitFor(async () => new Set(await rollersOf(page)()), new Set(['Other player']))
  assert.ok(!(await page.content()).includes('a secret of the storyteller'))
  assert.deepEqual(opened.errors, [])
})

test('a storyteller reveals a seed with the keyboard, and players see the new one', { skip }, async () => {
  const { teller, player, roll, call, C, open } = await newDiceScene()
  await roll(player.id, { notation: '2d6' })
  const before = String((await call(teller.id, 'GET', `${C}/dice-seed`)).commitment)
  const [told, played] = [await open(teller.id, '/dice'), await open(player.id, '/dice')]
  const cardsOf = (page: Page) => page.locator('.seed')
  await waitFor(() => cardsOf(told.page).count(), 3)
  await waitFor(() => cardsOf(played.page).count(), 2)
  await played.page.getByText('Storytellers can reveal it.').waitFor()
  await cardsOf(played.page).first().getByText(before).waitFor()
  await cardsOf(played.page).first().getByText('The next roll is number 2').waitFor()

  await tabTo(told.page.getByRole('button', { name: 'Reveal and replace: Open rolls of this campaign', exact: true }))
  await told.page.keyboard.press('Enter')
  await told.page.getByRole('dialog', { name: 'Reveal this seed?' }).waitFor()
  await tabTo(told.page.getByRole('button', { name: /^Reveal and replace$/ }))
  await told.page.keyboard.press('Enter')
  await cardsOf(told.page).first().getByText('The revealed seed. 1 roll was made with it:').waitFor()
  await cardsOf(told.page).first().getByText('No roll has used it yet').waitFor()
  const after = String((await call(teller.id, 'GET', `${C}/dice-seed`)).commitment)
  assert.notEqual(after, before)
  await cardsOf(played.page).first().getByText(after).waitFor()
  await roll(player.id, { notation: '2d6' })
  await cardsOf(played.page).first().getByText('The next roll is number 2').waitFor()
  const secret = String((await call(teller.id, 'GET', `${C}/secret-dice-seed`)).commitment)
  assert.ok((await told.page.content()).includes(secret))
  assert.ok(!(await played.page.content()).includes(secret))
  assert.deepEqual([told.errors, played.errors], [[], []])
})

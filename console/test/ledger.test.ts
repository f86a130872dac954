import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { newDesk } from './desk.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

/** The balances as rows of name, earned, spent and available. */
const balancesOf = (page: Page) => () =>
  page
    .locator('.balances tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.replace(/ you$/, '').trim()).join(' ')))
const entriesOf = (page: Page) => () =>
  page
    .locator('.entry')
    .evaluateAll((rows) =>
      rows.map((row) => `${row.querySelector('.entry-delta')?.textContent} ${row.querySelector('.entry-reason span')?.textContent}`),
    )

test('a storyteller awards, a player spends on a trait and undoes it, and both see it at once', { skip }, async () => {
  const { teller, player, C, visit } = await newDesk()
  const hero = await player.make(`${C}/characters`, { name: 'Jonathan Crane', traits: { wits: 3 } })
  const [told, played] = [await visit(teller), await visit(player)]
  await told.open('/ledger')
  await played.open('/ledger')
  await played.page.getByText('No experience has been awarded yet').waitFor()
  assert.equal(await played.page.getByRole('button', { name: 'Award' }).count(), 0)

  await told.page.getByRole('button', { name: 'Award' }).first().click()
  const dialog = told.page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Saved the lighthouse')
  await dialog.getByLabel('Amount for each').fill('4')
  for (const name of ['Player', 'Other player']) await dialog.getByRole('checkbox', { name, exact: true }).uncheck()
  await dialog.getByText('Nobody is chosen. Tick the people who get it.').waitFor()
  await waitFor(() => dialog.getByRole('button', { name: 'Award', exact: true }).isDisabled(), true)
  for (const name of ['Player', 'Other player']) await dialog.getByRole('checkbox', { name, exact: true }).check()
  await dialog.getByLabel('Amount for Player').fill('6')
  await dialog.getByRole('button', { name: 'Award 2 people' }).click()
  await waitFor(balancesOf(told.page), ['Other player 4 0 4', 'Player 6 0 6'])
  await waitFor(balancesOf(played.page), ['Other player 4 0 4', 'Player 6 0 6'])

  await played.page.getByRole('button', { name: 'Spend' }).click()
  const spend = played.page.getByRole('dialog')
  // More than there is: the service says so, and the form stays.
  await spend.getByLabel('Amount').fill('7')
  await spend.getByLabel('Reason').fill('Trained with the watch')
  await spend.getByLabel('Character').selectOption(hero)
  await spend.getByLabel('Raise a trait').check()
  await spend.getByLabel('Trait', { exact: true }).fill('wits')
  await spend.getByLabel('New value').fill('4')
  await spend.getByRole('button', { name: 'Spend' }).click()
  const problem = spend.getByRole('alert')
  await problem.waitFor()
  assert.match((await problem.textContent()) ?? '', /experience/i)
  await spend.getByLabel('Amount').fill('3')
  await spend.getByRole('button', { name: 'Spend' }).click()
  await waitFor(balancesOf(told.page), ['Other player 4 0 4', 'Player 6 3 3'])
  await told.page.getByText('wits 3 → 4').waitFor()
  assert.equal(((await player.get(`${C}/characters/${hero}`)).body.traits as unknown as { wits: number }).wits, 4)

  await played.page.getByRole('button', { name: 'Undo “Trained with the watch”' }).click()
  await played.page.getByRole('dialog').getByLabel('Reason').fill('Second thoughts')
  await played.page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await waitFor(async () => (await entriesOf(told.page)()).slice(0, 2), ['+3 Second thoughts', '−3 Trained with the watch'])
  await waitFor(balancesOf(told.page), ['Other player 4 0 4', 'Player 6 0 6'])
  // A player may undo only what they spent themselves.
  await waitFor(() => played.page.getByRole('button', { name: /^Undo/ }).count(), 0)
  await waitFor(() => told.page.getByRole('button', { name: /^Undo/ }).count(), 2)

  await told.page.getByLabel('Kind').selectOption('SPEND')
  await waitFor(entriesOf(told.page), ['−3 Trained with the watch'])
  await told.page.getByLabel('Player').selectOption({ label: 'Other player' })
  await told.page.getByText('No entry matches these filters').waitFor()
  await told.page.getByRole('button', { name: 'Show all entries' }).click()
  await waitFor(async () => (await entriesOf(told.page)()).length, 4)
  assert.deepEqual([...told.errors, ...played.errors], [])
})

test('experience of characters is awarded and read page by page, by keyboard alone', { skip }, async () => {
  const { teller, player, C, visit } = await newDesk()
  assert.equal((await teller.patch(C, { experience_per: 'CHARACTER' })).status, 200)
  const hero = await player.make(`${C}/characters`, { name: 'Jonathan Crane' })
  for (let number = 1; number <= 34; number++)
    assert.equal(
      (await teller.post(`${C}/experience/awards`, { reason: `Evening ${number}`, awards: [{ character_id: hero, amount: 1 }] })).status,
      201,
    )
  const { page, open, errors } = await visit(teller)
  await open('/ledger')
  await waitFor(balancesOf(page), ['Jonathan Crane 34 0 34'])
  await waitFor(async () => (await entriesOf(page)()).length, 30)
  await checkLooks(page, 'the ledger')
  await tabTo(page.getByRole('button', { name: 'Award', exact: true }).first())
  await page.keyboard.press('Enter')
  await page.locator('.award-people').waitFor()
  await checkLooks(page, 'the award')
  await page.keyboard.type('Evening 35')
  await page.keyboard.press('Enter')
  await waitFor(balancesOf(page), ['Jonathan Crane 35 0 35'])
  await waitFor(async () => (await entriesOf(page)())[0], '+1 Evening 35')
  await tabTo(page.getByRole('button', { name: 'Show more', exact: true }))
  await page.keyboard.press('Enter')
  await waitFor(async () => (await entriesOf(page)()).length, 35)
  assert.equal((await entriesOf(page)()).at(-1), '+1 Evening 1')
  assert.deepEqual(errors, [])
})

const undosOf = (page: Page) => () =>
  page.getByRole('button', { name: /^Undo/ }).evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))

test('a player gets no Undo of a raise where only storytellers change traits', { skip }, async () => {
  const { teller, player, C, visit } = await newDesk()
  const hero = await player.make(`${C}/characters`, { name: 'Jonathan Crane', traits: { wits: 3 } })
  assert.equal((await teller.post(`${C}/experience/awards`, { reason: 'A night', amount: 9, user_ids: [player.id] })).status, 201)
  const trait = { name: 'wits', to: 4 }
  for (const body of [
    { amount: 1, reason: 'A favor' },
    { amount: 3, reason: 'Trained', character_id: hero, trait },
  ])
    assert.equal((await player.post(`${C}/experience/spends`, body)).status, 201)
  const { page, open, errors } = await visit(player)
  await open('/ledger')
  await waitFor(undosOf(page), ['Undo “Trained”', 'Undo “A favor”'])
  assert.equal((await teller.patch(C, { trait_changes: 'STORYTELLER' })).status, 200)
  await waitFor(undosOf(page), ['Undo “A favor”'])
  assert.deepEqual(errors, [])
})

test('experience of a character is undone by whoever plays it now', { skip }, async () => {
  const { teller, player, other, C, visit } = await newDesk()
  assert.equal((await teller.patch(C, { experience_per: 'CHARACTER' })).status, 200)
  const hero = await player.make(`${C}/characters`, { name: 'Jonathan Crane' })
  const award = { reason: 'A night', awards: [{ character_id: hero, amount: 5 }] }
  assert.equal((await teller.post(`${C}/experience/awards`, award)).status, 201)
  const spend = { amount: 2, reason: 'A disguise', character_id: hero }
  assert.equal((await player.post(`${C}/experience/spends`, spend)).status, 201)
  const [before, after] = [await visit(player), await visit(other)]
  await before.open('/ledger')
  await waitFor(undosOf(before.page), ['Undo “A disguise”'])
  assert.equal((await teller.patch(`${C}/characters/${hero}`, { user_id: other.id })).status, 200)
  await waitFor(undosOf(before.page), [])
  await after.open('/ledger')
  await after.page.getByRole('button', { name: 'Undo “A disguise”' }).click()
  await after.page.getByRole('dialog').getByLabel('Reason').fill('It was found out')
  await after.page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await waitFor(async () => (await entriesOf(after.page)())[0], '+2 It was found out')
  assert.deepEqual([...before.errors, ...after.errors], [])
})

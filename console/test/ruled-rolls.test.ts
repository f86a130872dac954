import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { openRuledSheet, part } from './ruled-scene.ts'

const skip = missingBrowser()
const HERO = { traits: { might: 3, fighting: 2, focus: 2, poise: 2 }, choices: { concept: 'soldier' } }

test('a roll of the ruleset is a button, with its inputs, its spends and the odds of its outcomes', { skip }, async () => {
  const { page, errors, H, C, path, play, goto } = await openRuledSheet({ hero: HERO })
  await part(page, 'Rolls').getByRole('button', { name: 'Test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test' })
  await dialog.getByRole('button', { name: 'Roll', exact: true }).click()
  await dialog.getByText('Is required: a trait of attributes.').waitFor()
  await dialog.getByLabel('Attribute').selectOption({ label: 'Might (3)' })
  await dialog.getByLabel('Skill').selectOption({ label: 'Fighting (2)' })
  const odds = dialog.getByRole('region', { name: 'Odds' })
  await odds.getByText('5d10').waitFor()
  await dialog.getByLabel('Spend nerve for a die').selectOption('2')
  await odds.getByText('7d10').waitFor()
  // The odds are those of the service, in the words of the ruleset.
  const { outcomes } = await play('POST', `${H}/rolls/test/odds`, {
    inputs: { attribute: 'might', skill: 'fighting' },
    spends: { effort: 2 },
  })
  const labels = await odds.locator('.chart-row-label').allTextContents()
  assert.equal(labels.length, (outcomes as unknown as object[]).length)
  assert.deepEqual(labels, ['Botch', 'Failure', 'Triumph', 'Success'])
  const shares = (await odds.locator('.number').allTextContents()).map((share) => Number.parseFloat(share.replace(/[<>]/, '')))
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 1, String(shares))
  await checkLooks(page, 'ruled roll', () => odds.waitFor())

  await dialog.getByLabel('What for').fill('Through the window')
  await dialog.getByRole('button', { name: 'Roll', exact: true }).click()
  const made = dialog.getByRole('status')
  await made.locator('.roll').waitFor()
  await checkLooks(page, 'ruled roll made', () => waitFor(() => dialog.locator('.outdated').count(), 0))
  const { items } = await play('GET', '/dice-rolls')
  const [roll] = items as unknown as { dice: object[]; ruleset: { score: number; code: string } }[]
  assert.equal(roll?.dice.length, 7)
  await waitFor(() => made.locator('.die').count(), 7)
  const result = `Score ${roll?.ruleset.score}`
  await waitFor(() => made.locator('.roll-sum').textContent(), result)
  const badge = (await made.locator('.outcome').textContent()) as string
  assert.equal(badge.toLowerCase(), roll?.ruleset.code)
  // It is paid, and not paid again unless somebody asks for it.
  await waitFor(() => dialog.getByLabel('Spend nerve for a die').inputValue(), '0')
  await dialog.getByText('Each costs 1 of Nerve, which is 2.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await waitFor(() => page.getByRole('slider', { name: 'Nerve' }).getAttribute('aria-valuetext'), '2 of 4')

  // The answers of the last time are still there.
  await page.getByRole('button', { name: 'Test' }).click()
  await waitFor(() => dialog.getByLabel('Attribute').inputValue(), 'might')
  await page.keyboard.press('Escape')

  // The table shows the roll in the words of the ruleset.
  await goto(page, path + C)
  const entry = page.locator('.feed-roll', { hasText: 'Through the window' })
  await entry.getByText('Test').waitFor()
  await waitFor(() => entry.locator('.outcome').textContent(), badge)
  await waitFor(() => entry.locator('.roll-sum').textContent(), result)
  assert.deepEqual(errors, [])
})

test('a blind roll shows nothing of its result to its player, and everything to storytellers', { skip }, async () => {
  const { page, errors, C, signIn, teller, goto } = await openRuledSheet({ pack: 'fate-core', hero: { traits: { athletics: 3 } } })
  const told = await signIn(teller.id)
  await goto(told.page, told.path + C)
  await page.getByRole('button', { name: 'Overcome, create an advantage' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Skill').selectOption('athletics')
  await dialog.getByLabel('Who sees it').selectOption('BLIND')
  await dialog.getByRole('button', { name: 'Roll', exact: true }).click()
  await dialog.getByText('Rolled blind: only storytellers see the result.').waitFor()
  assert.equal(await dialog.locator('.roll .die').count(), 0)
  assert.equal((await dialog.locator('.roll-sum').textContent())?.trim(), '')
  await waitFor(() => dialog.locator('.roll .badge').allTextContents(), ['Blind'])
  const entry = told.page.locator('.feed-roll')
  await entry.locator('.die').first().waitFor()
  assert.match((await entry.textContent()) ?? '', /Score -?\d+Margin [+−]?\d+(Failure|Tie|Success|Success with style)Blind/)
  assert.deepEqual([...errors, ...told.errors], [])
})

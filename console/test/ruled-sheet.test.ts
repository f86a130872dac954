import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsOf } from '../../server/test/accessibility.ts'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks, shoot } from './checks.ts'
import { openRuledSheet, part, shown } from './ruled-scene.ts'

const skip = missingBrowser()

test('a sheet is drawn by the ruleset of the campaign, and follows it', { skip }, async () => {
  const traits = { might: 3, agility: 2, endurance: 3, fighting: 2, kite_flying: 4 }
  const { page, errors, H, C, tell } = await openRuledSheet({ hero: { traits, concept: 'Librarian' } })
  await part(page, 'Attributes').waitFor()
  // In the order of the document, with its labels.
  assert.deepEqual(await page.locator('.ruleset-sheet h3').allTextContents(), [
    'Rolls',
    'Choices',
    'Attributes',
    'Skills',
    'Edges',
    'Burdens',
    'Derived values',
    'Trackers',
    'Conditions',
    'Other traits',
  ])
  await waitFor(() => part(page, 'Attributes').locator('h4').allTextContents(), ['Body', 'Mind', 'Bearing'])
  assert.equal(await shown(page, 'Might')(), 'Might 3 of 5')
  assert.equal(await shown(page, 'Quickness')(), 'Quickness 3')
  assert.equal(await shown(page, 'Concept')(), 'Concept Not chosen')
  assert.equal(await shown(page, 'Kite flying')(), 'Kite flying 4')
  await page.getByRole('list', { name: 'The rules say' }).getByText('Concept: must be chosen').waitFor()
  // Derived values follow the trackers, which others may move.
  await tell('POST', `${H}/trackers/health/adjust`, { to: 1 })
  await waitFor(shown(page, 'Dice lost to wounds'), 'Dice lost to wounds 1')
  await page.getByLabel('Health').fill('5')
  await waitFor(shown(page, 'Dice lost to wounds'), 'Dice lost to wounds 0')

  await page.getByLabel('Poisoned').fill('2')
  await waitFor(async () => (await tell('GET', H)).conditions as object, { poisoned: 2 })
  await page.getByLabel('Poisoned').fill('0')
  await waitFor(async () => (await tell('GET', H)).conditions as object, {})

  // Without the ruleset, the sheet is as it was.
  await tell('DELETE', `${C}/ruleset`)
  await page.getByRole('button', { name: /^Kite flying/ }).waitFor()
  await waitFor(() => page.locator('.ruleset-sheet').count(), 0)
  assert.deepEqual(errors, [])
})

test('a player edits traits and choices, and reads which rules a strict campaign defends', { skip }, async () => {
  const { page, errors, H, C, tell, play } = await openRuledSheet({ hero: { traits: { might: 3, kite_flying: 4 } } })
  await page.getByRole('button', { name: 'Edit sheet' }).click()
  await page.getByLabel('Hunted').fill('3')
  await page.getByLabel('Indebted').fill('3')
  await page.getByLabel('Guile').fill('2')
  await page.getByLabel('Guile').fill('1')
  await page.getByLabel('Concept').selectOption('keeper')
  await page.getByRole('button', { name: 'Save' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('At most five dots of burdens.').waitFor()
  await shoot(page, 'ruled refused')
  assert.deepEqual((await play('GET', H)).choices, {})
  await page.getByLabel('Indebted').fill('2')
  await page.getByRole('button', { name: 'Remove Kite flying' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await waitFor(shown(page, 'Hunted'), 'Hunted 3 of 3')
  await waitFor(shown(page, 'Concept'), 'Concept Keeper')
  // Only what was changed is stored: the rest stays what the ruleset gives.
  const { traits, choices } = await play('GET', H)
  assert.deepEqual([traits, choices], [{ might: 3, hunted: 3, indebted: 2 }, { concept: 'keeper' }])
  await waitFor(() => page.getByText('Other traits').count(), 0)

  // A change that is dropped changes nothing.
  await page.getByRole('button', { name: 'Edit sheet' }).click()
  await page.getByLabel('Might').fill('5')
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await shown(page, 'Might')(), 'Might 3 of 5')

  await tell('PATCH', C, { trait_changes: 'EXPERIENCE' })
  await page.getByText('Traits of this campaign are raised with experience.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit sheet' }).count(), 0)
  assert.deepEqual(errors, [])
})

test('others see a sheet by a ruleset, and cannot change or roll it', { skip }, async () => {
  const { H, signIn, goto, other, errors: own } = await openRuledSheet({ hero: { traits: { might: 4 } } })
  const { page, errors, path } = await signIn(other.id)
  await goto(page, path + H)
  await waitFor(shown(page, 'Might'), 'Might 4 of 5')
  for (const name of ['Edit sheet', 'Test']) assert.equal(await page.getByRole('button', { name }).count(), 0)
  assert.equal(await page.locator('.ruleset-sheet input, .ruleset-sheet select').count(), 0)
  assert.deepEqual([...own, ...errors], [])
})

test('sheets of small and large games are accessible and fit on a phone', { skip }, async () => {
  const traits = { might: 3, agility: 2, endurance: 3, fighting: 2, kite_flying: 4, lore: 5 }
  const { page, errors } = await openRuledSheet({ hero: { traits, choices: { concept: 'keeper' } } })
  await part(page, 'Attributes').waitFor()
  await checkLooks(page, 'ruled sheet', () => part(page, 'Attributes').waitFor())
  await page.getByRole('button', { name: 'Edit sheet' }).click()
  await checkLooks(page, 'ruled sheet edited', () => page.getByRole('button', { name: 'Save' }).waitFor())
  await page.setViewportSize({ width: 1600, height: 1000 })
  assert.deepEqual(await violationsOf(page), [])
  await shoot(page, 'ruled sheet wide')
  const large = await openRuledSheet({ pack: 'srd-5.2', mode: 'ADVISORY', hero: { traits: { strength: 40, level: 3 } } })
  await waitFor(shown(large.page, 'Strength'), 'Strength 40')
  await checkLooks(large.page, 'ruled sheet large', () => part(large.page, 'Abilities').waitFor())
  assert.deepEqual([...errors, ...large.errors], [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { openRuledSheet, shown } from './ruled-scene.ts'
import { openTab } from './sheet-scene.ts'

const skip = missingBrowser()

test('a player sees what a raise costs, and buys it at the price that is shown', { skip }, async () => {
  const hero = { traits: { might: 5, focus: 1, lore: 1 }, choices: { concept: 'keeper' } }
  const { page, errors, C, H, tell, play, player, open, publish } = await openRuledSheet({ hero })
  await tell('POST', `${C}/experience/awards`, { amount: 10, reason: 'The lighthouse stands', user_ids: [player.id] })
  await tell('PATCH', C, { trait_changes: 'EXPERIENCE' })
  await open('?tab=experience')
  const costs = page.getByRole('region', { name: 'Raise a trait' })
  const rowOf = (label: string) => costs.getByRole('listitem').filter({ hasText: label })
  const words = async (label: string) => (await rowOf(label).textContent())?.replace(/\s+/g, ' ').trim()
  await costs.waitFor()
  assert.equal(await words('Lore'), 'Lore 1 → 2costs 6Raise')
  assert.equal(await words('Hunted'), 'Hunted 0 → 1gives 2Raise')
  // What cannot be bought says why.
  await costs.getByText(/^Not for experience now/).click()
  assert.match((await words('Might')) ?? '', /^Might .*1 to 5/)
  await checkLooks(page, 'ruled costs', () => costs.waitFor())

  await rowOf('Lore').getByRole('button', { name: 'Raise Lore' }).click()
  const dialog = page.getByRole('dialog', { name: 'Raise Lore' })
  await waitFor(() => dialog.locator('.figures dd').allTextContents(), ['1 → 2', '6', '10'])
  await checkLooks(page, 'ruled buy', () => dialog.waitFor())
  // Another version of the rules makes it dearer while the player thinks.
  const version_id = await publish((document) => {
    Object.assign(document.experience?.raise[1] ?? {}, { cost: 'new * 4' })
  })
  await tell('PUT', `${C}/ruleset`, { version_id })
  // The page behind the dialog has the new price already. The dialog asks for the one that it shows.
  await waitFor(() => words('Lore'), 'Lore 1 → 2costs 8Raise')
  await dialog.getByRole('button', { name: 'Raise', exact: true }).click()
  await dialog.getByText('The price has changed, and nothing was spent. It costs 8 now.').waitFor()
  await waitFor(() => dialog.locator('.figures dd').allTextContents(), ['1 → 2', '8', '10'])
  assert.deepEqual((await play('GET', H)).traits, hero.traits)
  await dialog.getByRole('button', { name: 'Raise', exact: true }).click()
  await page.getByText('Lore raised to 2').waitFor()
  await waitFor(() => page.locator('.figures dd').allTextContents(), ['2', '10', '8'])
  // The rest is too expensive now, and the page says by how much.
  await costs.getByText(/^Too expensive for now/).click()
  await waitFor(() => words('Lore'), 'Lore 2 → 3costs 1210 more needed')

  // A burden gives experience.
  await rowOf('Hunted').getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Raise', exact: true }).click()
  await waitFor(async () => (await page.locator('.figures dd').allTextContents())[0], '4')
  await openTab(page, 'Sheet')
  await waitFor(shown(page, 'Hunted'), 'Hunted 1 of 3')
  assert.deepEqual(errors, [])
})

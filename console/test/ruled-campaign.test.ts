import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { navigate } from './navigate.ts'
import { newRuledScene, shown } from './ruled-scene.ts'

const skip = missingBrowser()

test('a storyteller chooses a ruleset after a look at the characters, changes its version and mode, and removes it', { skip }, async () => {
  const { teller, player, C, writeAs, signIn, goto, publish } = await newRuledScene()
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  const { id } = await play('POST', `${C}/characters`, { name: 'Jonathan Crane', traits: { might: 9 }, choices: { concept: 'keeper' } })
  await play('POST', `${C}/characters`, { name: 'Mina Harker', choices: { concept: 'keeper' } })
  const { page, errors, path } = await signIn(teller.id)
  await goto(page, path + C)
  await navigate(page, 'Rules')
  await page.getByText('This campaign is played without a ruleset').waitFor()
  await checkLooks(page, 'rules none')
  await page.getByRole('button', { name: 'Choose a ruleset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ruleset of the campaign' })
  const submit = dialog.getByRole('button', { name: 'Play by it' })
  assert.ok(await submit.isDisabled())
  await dialog.getByLabel('Ruleset', { exact: true }).selectOption({ label: 'Neutral d10 pool' })
  const report = dialog.getByRole('region', { name: 'What it does to the characters' })
  await report.getByText('2 characters were checked. 1 breaks a rule:').waitFor()
  await report.getByRole('link', { name: 'Jonathan Crane' }).waitFor()
  await report.getByText('Might: must be 1 to 5').waitFor()
  await checkLooks(page, 'rules choose', () => report.waitFor())
  // The dry run changed nothing, and characters that do not fit are accepted only if somebody says so.
  assert.equal((await tell('GET', C)).ruleset_version_id, null)
  assert.ok(await submit.isDisabled())
  await dialog.getByLabel(/^Choose it all the same/).check()
  await submit.click()
  const played = page.getByRole('region', { name: 'Neutral d10 pool' })
  await played.getByText('Version 1').waitFor()
  await played.getByText('Strict', { exact: true }).waitFor()
  await checkLooks(page, 'rules', () => played.waitFor())

  // Another version has a wider range, so that everybody fits.
  await publish((document) => {
    for (const name of ['body', 'attributes']) Object.assign(document.groups[name] ?? {}, { max: 10 })
  })
  await page.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Version').selectOption({ label: 'Version 2' })
  await report.getByText('All of them fit the rules.').waitFor()
  await dialog.getByLabel('Advisory').check()
  await submit.click()
  await played.getByText('Version 2').waitFor()
  await played.getByText('Advisory', { exact: true }).waitFor()

  // Players read by which rules they play, and cannot change them.
  const other = await signIn(player.id)
  await goto(other.page, `${other.path}${C}/characters/${id}`)
  await waitFor(shown(other.page, 'Might'), 'Might 9 of 10')
  await navigate(other.page, 'Rules')
  await other.page.getByRole('region', { name: 'Neutral d10 pool' }).waitFor()
  for (const name of ['Change', 'Remove']) assert.equal(await other.page.getByRole('button', { name }).count(), 0)

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('This campaign is played without a ruleset').waitFor()
  await other.page.getByText('This campaign is played without a ruleset').waitFor()
  assert.equal((await tell('GET', C)).ruleset_version_id, null)
  assert.deepEqual((await tell('GET', `${C}/characters/${id}`)).traits, { might: 9 })
  assert.deepEqual([...errors, ...other.errors], [])
})

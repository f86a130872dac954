import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkCharts, newDiceScene } from './dice-scene.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

/** The states of the three steps. */
const stepsOf = (page: Page) => () => page.locator('.step > header .badge').allTextContents()
const verdictOf = (page: Page) => () => page.locator('.verdict h2').textContent()

test('a player verifies a roll, whose last steps wait until a storyteller reveals the seed', { skip }, async () => {
  const { teller, player, hero, roll, call, C, open } = await newDiceScene()
  const { id } = await roll(player.id, { pool: { traits: ['wits', 'occult'], difficulty: 6 }, character_id: hero })
  const opened = await open(player.id, '/dice')
  const { page } = opened
  await page.getByRole('link', { name: 'Verify this roll' }).click()
  assert.match(page.url(), new RegExp(`/dice/verify/${id}$`))
  await waitFor(stepsOf(page), ['Must wait', 'Must wait', 'Holds'])
  assert.equal(await verdictOf(page)(), 'The roll cannot be verified completely yet')
  await page.getByText('Ask a storyteller of the campaign to reveal the seed.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Reveal the seed now' }).count(), 0)

  const { revealed } = (await call(teller.id, 'POST', `${C}/dice-seed/rotate`)) as unknown as { revealed: { server_seed: string } }
  await waitFor(stepsOf(page), ['Holds', 'Holds', 'Holds'])
  assert.equal(await verdictOf(page)(), 'The roll holds')
  await page.getByText(revealed.server_seed).waitFor()
  await waitFor(() => page.locator('.step').nth(2).locator('tbody tr').count(), 6)
  await checkCharts(page, 'verify 1')
  assert.deepEqual(opened.errors, [])
})

test('a storyteller chooses a secret roll and reveals its seed with the keyboard', { skip }, async () => {
  const { teller, roll, open } = await newDiceScene()
  await roll(teller.id, { notation: '4dF', visibility: 'STORYTELLER', comment: 'The ghoul listens' })
  const opened = await open(teller.id, '/dice/verify')
  const { page } = opened
  await tabTo(page.getByRole('link', { name: /The ghoul listens|4dF/ }).first())
  await page.keyboard.press('Enter')
  await waitFor(stepsOf(page), ['Must wait', 'Must wait', 'Holds'])
  await tabTo(page.getByRole('button', { name: 'Reveal the seed now', exact: true }))
  await page.keyboard.press('Enter')
  await waitFor(stepsOf(page), ['Holds', 'Holds', 'Holds'])
  await page.getByText('mod 3 − 1').first().waitFor()
  assert.deepEqual(opened.errors, [])
})

test('the list of rolls to verify shows each as other lists do', { skip }, async () => {
  const { player, hero, roll, open } = await newDiceScene()
  await roll(player.id, { pool: { traits: ['wits', 'occult'], difficulty: 6 }, character_id: hero, comment: 'Where did the chapel stand?' })
  const opened = await open(player.id, '/dice/verify')
  const { page } = opened
  const row = page.locator('.rolls > li')
  await waitFor(() => row.locator('strong').allTextContents(), ['Jonathan Crane'])
  await waitFor(() => row.locator('.die').count(), 6)
  await waitFor(() => row.locator('.roll-text').textContent(), 'Where did the chapel stand? · wits + occult, difficulty 6')
  const words = (await row.textContent()) ?? ''
  assert.ok(!/net|SUCCESS|FAILURE|CRITICAL|BOTCH/.test(words) && words.split('Jonathan').length === 2, words)
  await checkCharts(page, 'verify 3')
  assert.deepEqual(opened.errors, [])
})

test('a changed roll or proof fails with the step and the difference', { skip }, async () => {
  const { player, roll, call, C, teller, open } = await newDiceScene()
  // So many dice that those of the next number of the seed never happen to be the same.
  const { id } = await roll(player.id, { notation: '20d6+2' })
  await call(teller.id, 'POST', `${C}/dice-seed/rotate`)
  const stored = (await call(player.id, 'GET', `/dice-rolls/${id}`)) as unknown as { total: number; dice: { value: number }[] }
  const proof = (await call(player.id, 'GET', `/dice-rolls/${id}/proof`)) as unknown as { words: number[]; nonce: number }
  const opened = await open(player.id, '/dice/verify')
  const { page } = opened
  await page.getByRole('tab', { name: 'Pasted JSON' }).click()
  const paste = async (proofText: string, rollText: string) => {
    await page.getByRole('textbox', { name: 'Proof' }).fill(proofText)
    await page.getByRole('textbox', { name: 'Roll (optional)' }).fill(rollText)
  }
  const json = JSON.stringify
  await paste(json(proof), '')
  await waitFor(stepsOf(page), ['Holds', 'Holds', 'Not checked'])
  await paste(json(proof), json(stored))
  await waitFor(stepsOf(page), ['Holds', 'Holds', 'Holds'])

  const [first, second, ...others] = stored.dice as [{ value: number }, { value: number }]
  await paste(json(proof), json({ ...stored, dice: [first, { ...second, value: (second.value % 6) + 1 }, ...others] }))
  await waitFor(stepsOf(page), ['Holds', 'Holds', 'Fails'])
  const alert = page.getByRole('alert')
  assert.match((await alert.textContent()) ?? '', /The roll does not hold.*“The dice follow from the random numbers”/)
  await page.getByText('Die 2 differs.').waitFor()
  await waitFor(() => page.locator('.step-table tr.wrong').count(), 1)
  await checkCharts(page, 'verify 2')

  await paste(json(proof), json({ ...stored, total: stored.total + 1 }))
  await page.getByText(`In the roll: ${stored.total + 1}`).waitFor()
  await paste(json({ ...proof, words: [((proof.words[0] as number) + 1) % 2 ** 32, ...proof.words.slice(1)] }), json(stored))
  await waitFor(stepsOf(page), ['Holds', 'Fails', 'Holds'])
  await page.getByText('Number 1 differs.').waitFor()
  await paste(json({ ...proof, commitment: '0'.repeat(64) }), json(stored))
  await waitFor(stepsOf(page), ['Fails', 'Holds', 'Holds'])
  await page.getByText('The hash of the seed is not the commitment.').waitFor()
  await paste(json({ ...proof, nonce: proof.nonce + 1 }), json(stored))
  await waitFor(stepsOf(page), ['Holds', 'Fails', 'Fails'])

  await paste('{', '')
  await page.getByText('This is not JSON.').waitFor()
  await paste('{}', '')
  await page.getByText('This is not a proof: roll_id is missing.').waitFor()
  assert.deepEqual(opened.errors, [])
})

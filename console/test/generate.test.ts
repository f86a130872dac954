import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { openCharacters, press, start, stepTitle } from './creation-scene.ts'

const skip = missingBrowser()

test('a storyteller previews and generates NPCs', { skip }, async () => {
  const { page, errors, tell, publish, C } = await openCharacters('d10-pool', 'teller')
  const version_id = await publish((document) => {
    Object.assign(document.creation ?? {}, { tiers: { veteran: 30 } })
  })
  await tell('PUT', `${C}/ruleset`, { version_id })
  await page.getByRole('link', { name: 'Generate NPCs' }).click()
  await page.getByRole('heading', { name: 'Generate NPCs', level: 1 }).waitFor()
  // The form of the new version: the page has learned of it.
  await page.getByLabel('Experience').waitFor()
  await page.getByLabel('How many').fill('11')
  await press(page, 'Preview')
  await waitFor(() => page.getByLabel('How many').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('How many').fill('2')
  await page.getByLabel('Name', { exact: true }).fill('Guard')
  await page.getByLabel('Experience').selectOption('veteran')
  await page.getByLabel('Concept').first().selectOption('soldier')
  await press(page, 'Preview')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('so they will differ from these').waitFor()
  await preview.getByText('Guard 2').waitFor()
  await waitFor(() => preview.locator('summary').allTextContents(), ['Guard 1 Soldier', 'Guard 2 Soldier'])
  const sent = page.waitForResponse((reply) => reply.url().endsWith('/characters/generate'))
  await press(page, 'Roll again')
  assert.equal((await sent).status(), 200)
  const list = async () => (await tell('GET', `${C}/characters`)) as unknown as { items: Record<string, unknown>[] }
  assert.equal((await list()).items.length, 0)
  await preview.getByText('Guard 1').click()
  await checkLooks(page, 'generate preview', () => preview.waitFor())

  await press(page, 'Create NPCs')
  await page.getByText('2 NPCs are ready.').waitFor()
  const created = page.getByRole('region', { name: 'Created' })
  await created.getByRole('link', { name: 'Open Guard 2' }).waitFor()
  await checkLooks(page, 'generate created', () => created.waitFor())
  assert.deepEqual(
    (await list()).items.map(({ name, type, visibility, choices }) => [name, type, visibility, choices]).sort(),
    ['Guard 1', 'Guard 2'].map((name) => [name, 'NPC', 'STORYTELLER', { concept: 'soldier' }]),
  )
  await created.getByRole('link', { name: 'Open Guard 2' }).click()
  await page.getByRole('heading', { name: 'Guard 2', level: 1 }).waitFor()
  assert.deepEqual(errors, [])
})

test('a storyteller creates a secret NPC step by step, and a character for a player', { skip }, async () => {
  const { page, errors, tell, play, C, openList, player } = await openCharacters('action-dice', 'teller')
  await page.getByRole('button', { name: 'New character' }).click()
  await page.getByRole('dialog').getByLabel('Step by step').waitFor()
  await checkLooks(page, 'new character by rules', () => page.getByRole('dialog').waitFor())
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await start(page)
  await page.getByRole('heading', { name: 'New NPC', level: 1 }).waitFor()
  await stepTitle(page, 'Seven action dots, none above two').waitFor()
  await press(page, 'Surprise me')
  await page.getByText('0 of 7 points left').waitFor()
  await press(page, 'Next')
  await page.getByLabel('Name').fill('The Reeve')
  await page.getByLabel('Who sees this character').selectOption('STORYTELLER')
  await press(page, 'Create the character')
  await page.getByRole('heading', { name: 'The Reeve', level: 1 }).waitFor()
  const { items } = (await tell('GET', `${C}/characters`)) as unknown as { items: Record<string, unknown>[] }
  assert.deepEqual(
    items.map(({ name, type, visibility }) => [name, type, visibility]),
    [['The Reeve', 'NPC', 'STORYTELLER']],
  )

  await openList()
  await page.getByRole('button', { name: 'New character' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').selectOption('PLAYER')
  await dialog.getByLabel('Player').selectOption(player.id)
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByText(/^For /).waitFor()
  const own = (await play('GET', `${C}/creations`)) as unknown as { items: Record<string, unknown>[] }
  assert.deepEqual(
    own.items.map(({ user_id, status }) => [user_id, status]),
    [[player.id, 'OPEN']],
  )
  assert.deepEqual(errors, [])
})

test('a player cannot start where only storytellers change traits, and sees no generator', { skip }, async () => {
  const { page, tell, C } = await openCharacters()
  assert.equal(await page.getByRole('link', { name: 'Generate NPCs' }).count(), 0)
  await tell('PATCH', C, { trait_changes: 'STORYTELLER' })
  await page.reload()
  await page.getByText('Nobody is here yet').waitFor()
  await page.getByRole('button', { name: 'New character' }).click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  assert.equal(await page.getByRole('dialog').getByLabel('Step by step').count(), 0)
})

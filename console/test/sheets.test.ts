import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { tabTo } from './keyboard.ts'
import { newScene } from './scene.ts'

const skip = missingBrowser()

/** The names of the characters in a part of the page. */
const namesIn = (page: Page, part: string) => () =>
  page.getByRole('region', { name: part, exact: true }).locator('strong').allTextContents()

test('a storyteller sees the party, NPCs, secrets, the dead and the archived, filters them and restores one', { skip }, async () => {
  const { teller, player, C, writeAs, signIn, goto } = await newScene()
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  await play('POST', `${C}/characters`, { name: 'Jonathan Crane', concept: 'Librarian' })
  await play('POST', `${C}/characters`, { name: 'Old Tom', status: 'DEAD' })
  await tell('POST', `${C}/characters`, { name: 'Mayor Whateley', type: 'NPC' })
  await tell('POST', `${C}/characters`, { name: 'The ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  const lost = (await play('POST', `${C}/characters`, { name: 'Forgotten one' })).id
  await play('DELETE', `${C}/characters/${lost}`)

  const { page, errors, path } = await signIn(teller.id)
  await goto(page, path + C)
  await page.getByRole('link', { name: 'Sheets' }).first().click()
  await page.getByRole('heading', { name: 'Sheets', level: 1 }).waitFor()
  await waitFor(namesIn(page, 'The party'), ['Jonathan Crane'])
  await waitFor(namesIn(page, 'NPCs'), ['Mayor Whateley', 'The ghoul'])
  await waitFor(namesIn(page, 'Retired and dead'), ['Old Tom'])
  await waitFor(namesIn(page, 'Archived'), ['Forgotten one'])
  assert.match((await page.getByRole('link', { name: /The ghoul/ }).textContent()) ?? '', /Storytellers only/)

  await page.getByLabel('Name').fill('CRÂNE')
  await waitFor(namesIn(page, 'NPCs'), [])
  await waitFor(namesIn(page, 'The party'), ['Jonathan Crane'])
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Type').selectOption('NPC')
  await waitFor(namesIn(page, 'The party'), [])
  await page.getByLabel('Status').selectOption('DEAD')
  await page.getByText('No character matches').waitFor()
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await waitFor(namesIn(page, 'NPCs'), ['Mayor Whateley', 'The ghoul'])

  await page.getByRole('button', { name: 'Restore Forgotten one' }).click()
  await waitFor(namesIn(page, 'The party'), ['Forgotten one', 'Jonathan Crane'])
  await waitFor(namesIn(page, 'Archived'), [])
  await checkLooks(page, 'sheets', async () => page.getByRole('link', { name: /The ghoul/ }).waitFor())

  // Another user creates a character, and it appears.
  await play('POST', `${C}/characters`, { name: 'Abigail' })
  await waitFor(namesIn(page, 'The party'), ['Abigail', 'Forgotten one', 'Jonathan Crane'])
  assert.deepEqual(errors, [])
})

test('a player creates a character with the keyboard, and learns nothing of secret NPCs', { skip }, async () => {
  const { teller, player, C, writeAs, signIn, goto } = await newScene()
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  const ghoul = (await tell('POST', `${C}/characters`, { name: 'The ghoul', type: 'NPC', visibility: 'STORYTELLER' })).id
  const { page, errors, path } = await signIn(player.id)
  const replies: Promise<string>[] = []
  page.on('response', (reply) => {
    if (reply.url().includes('/characters')) replies.push(reply.text().catch(() => ''))
  })
  await goto(page, `${path}${C}/characters`)
  await page.getByText('Nobody is here yet').waitFor()
  await checkLooks(page, 'sheets without characters', async () => page.getByText('Nobody is here yet').waitFor())

  await tabTo(page.getByRole('button', { name: 'New character' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New character' }).waitFor()
  // The service refuses an empty name, and its sentence stands at the field.
  await page.getByLabel('Name').press('Enter')
  await page.locator('.dialog .error').first().waitFor()
  await waitFor(() => page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await page.keyboard.type('Jonathan Crane')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Librarian')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Jonathan Crane', level: 1 }).waitFor()

  await goto(page, `${path}${C}/characters`)
  await waitFor(namesIn(page, 'The party'), ['Jonathan Crane'])
  const show = (visibility: 'OPEN' | 'STORYTELLER') => tell('PATCH', `${C}/characters/${ghoul}`, { visibility })
  const before = await Promise.all(replies)
  await show('OPEN')
  await waitFor(namesIn(page, 'NPCs'), ['The ghoul'])
  await show('STORYTELLER')
  await waitFor(namesIn(page, 'NPCs'), [])
  for (const reply of before) assert.ok(!reply.includes('The ghoul'), 'a reply has the secret')
  // Templates bring everything that a first evening needs, and can be changed without any JSON.
  for (const [template, name, rolls] of [
    ['Fifth edition', 'Tora Flint', ['Attack', 'Damage', 'Initiative']],
    ['A pool of d10', 'Mina Harker', ['Fight', 'Move unseen', 'Notice something']],
  ] as const) {
    await page.getByRole('button', { name: 'New character' }).click()
    await page.getByRole('radio', { name: template }).check()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Attributes' }).waitFor()
    const sheet = page.url().slice(page.url().indexOf('/campaigns'))
    const listed = (await play('GET', `${sheet}/quick-rolls?sort=name`)).items as unknown as { id: string; name: string }[]
    assert.deepEqual(
      listed.map((quick) => quick.name),
      rolls,
    )
    for (const { id } of listed) await play('POST', `${sheet}/quick-rolls/${id}/roll`, {})
    assert.equal((await play('GET', `${sheet}/trackers`)).total, 2)
    await page.getByRole('button', { name: 'Edit traits' }).click()
    await page.getByRole('dialog').getByLabel('Strength', { exact: true }).fill('4')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Strength 4' }).waitFor()
    await goto(page, `${path}${C}/characters`)
  }
  // The address of the hidden sheet leads nowhere.
  await goto(page, `${path}${C}/characters/${ghoul}`)
  await page.getByRole('heading', { name: 'There is no such character' }).waitFor()
  assert.ok(!(await page.locator('body').innerText()).includes('ghoul'))
  assert.deepEqual(errors, [])
})

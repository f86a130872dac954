import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newDeveloper } from '../../server/test/harness.ts'
import { ask } from '../../server/test/service.ts'
import { newScene, openWithKey, openWithLink } from './administration.ts'
import { checkLooks } from './checks.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

test('a developer renames themselves, rotates a key that is shown once, chooses colors and signs out', { skip }, async () => {
  const { service } = await newScene()
  const { key } = await newDeveloper()
  const { page, errors, open } = await openWithKey(key)
  await open('/account')
  await page.getByText(/^It ends in 12 hours/).waitFor()
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.error').waitFor()
  await page.getByLabel('Name').fill('Night Club Bot')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Night Club Bot' }).waitFor()
  await checkLooks(page, 'account', () => page.getByText('This session began with it').waitFor())

  await page.getByRole('button', { name: /^Rotate the key/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This session began with the old key').waitFor()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  const next = await dialog.getByRole('textbox', { name: 'API key' }).inputValue()
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', next)).body.name, 'Night Club Bot')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Rotated', { exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(next), 'the key is gone with its dialog')
  await waitFor(() => page.locator('.rows .row').count(), 2)

  await page.getByLabel('Dark').check()
  assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark')
  await page.locator('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  assert.deepEqual(errors, [])
})

test('a key that is revoked takes the session with it, which the page says, by keyboard', { skip }, async () => {
  await newScene()
  const { key } = await newDeveloper()
  const { page, open } = await openWithKey(key)
  await open('/account')
  await page.getByText('This session began with it').waitFor()
  await tabTo(page.getByRole('button', { name: /^Revoke the key/ }).first())
  await page.keyboard.press('Enter')
  await page.getByText('This session began with it: you are signed out, too.').waitFor()
  await tabTo(page.getByRole('button', { name: 'Revoke', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByText('Your session has ended.').waitFor()
})

test('a player sees for how long they are signed in, renames themselves, and ends a session elsewhere', { skip }, async () => {
  const { player, linkFor, send, company } = await newScene()
  const elsewhere = await openWithLink(await linkFor(player.id))
  const { page, errors } = await openWithLink(await linkFor(player.id))
  await page.getByRole('link', { name: 'Account' }).first().click()
  await page.getByText(/^It ends in 12 hours/).waitFor()
  await page.getByLabel('Name').fill('Mina Harker')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mina Harker' }).waitFor()
  assert.equal((await send('GET', `${company}/users/${player.id}`)).name, 'Mina Harker')
  await waitFor(() => page.getByText('Signed in to the console').count(), 2)
  await checkLooks(page, 'account of a player', () => page.getByText('Signed in to the console').first().waitFor())
  await page.locator('.row', { hasNotText: 'This session' }).getByRole('button').click()
  await waitFor(() => page.getByText('Signed in to the console').count(), 1)
  await elsewhere.page.getByText('Your session has ended.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Operators' }).count(), 0)

  // Everything ends at once: this session, and the token of an application.
  await send('POST', `${company}/users/${player.id}/tokens`, {})
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByText('Ask whoever runs your game for a new sign-in link.').waitFor()
  assert.equal((await send('GET', `${company}/users/${player.id}/tokens`)).total, 0)
  assert.deepEqual(errors, [])
})

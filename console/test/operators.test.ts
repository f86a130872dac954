import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newDeveloper } from '../../server/test/harness.ts'
import { ask } from '../../server/test/service.ts'
import { newScene, openWithKey } from './administration.ts'
import { checkLooks } from './checks.ts'
import { escapeTo, tabTo } from './keyboard.ts'

const skip = missingBrowser()

test('an operator adds a developer, issues a key that is shown once, revokes it and deletes the developer', { skip }, async () => {
  const { service } = await newScene()
  const operator = await newDeveloper(true)
  const { page, errors, open } = await openWithKey(operator.key)
  await open('/operators')
  await page.getByRole('button', { name: 'Add a developer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add a developer' }).click()
  await dialog.locator('.error').waitFor()
  await dialog.getByLabel('Name').fill('Night Club Bot')
  await dialog.getByRole('button', { name: 'Add a developer' }).click()
  await page.getByRole('heading', { level: 1, name: 'Night Club Bot' }).waitFor()
  await page.getByRole('button', { name: 'Issue a key' }).click()
  const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue()
  const me = () => ask(service, 'GET', '/api/v1/developers/me', key)
  assert.equal((await me()).body.name, 'Night Club Bot')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(key), 'the key is gone with its dialog')

  await page.getByLabel('Name').fill('Night Club')
  await page.getByLabel('Global admin of the service').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Night Club', exact: true }).waitFor()
  assert.equal((await me()).body.is_global_admin, true)
  await page.getByRole('button', { name: /^Revoke the key/ }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('This developer has no key').waitFor()
  assert.equal((await me()).status, 401)

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByLabel('Name of the developer').fill('Night Club')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
  await page.getByLabel('Search developers').fill('Night Club')
  await page.getByText('No developer matches').waitFor()
  assert.deepEqual(errors, [])
})

test('an operator sees all companies, restores one, and sees how the service is', { skip }, async () => {
  const { company, send, name } = { name: `Guild ${crypto.randomUUID()}`, ...(await newScene()) }
  await send('PATCH', company, { name })
  await send('DELETE', company)
  const operator = await newDeveloper(true)
  const { page, errors, open } = await openWithKey(operator.key)
  await open('/operators/companies')
  await page.getByLabel('Search companies').fill(name)
  await page.getByText('No company matches').waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption('archived')
  await page.getByRole('button', { name: `Restore ${name}` }).click()
  await page.getByText('No company matches').waitFor()
  await page.getByLabel('Show', { exact: true }).selectOption('live')
  await page.getByRole('link', { name }).waitFor()
  await page.getByRole('tab', { name: 'Service' }).click()
  await waitFor(() => page.locator('.badge.good').count(), 2)
  await page.getByText(/^\d+\.\d+\.\d+$/).waitFor()
  assert.deepEqual(errors, [])
})

test('the keyboard is enough to issue a key, and others do not get in', { skip }, async () => {
  await newScene()
  const operator = await newDeveloper(true)
  const { page, open } = await openWithKey(operator.key)
  await open(`/operators/developers/${operator.id}`)
  await page.getByText('This session began with it').waitFor()
  await tabTo(page.getByRole('button', { name: 'Issue a key', exact: true }).first())
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'API key' }).waitFor()
  await escapeTo(page, page.getByRole('button', { name: 'Issue a key', exact: true }).first())

  const other = await openWithKey((await newDeveloper()).key)
  await other.open('/operators')
  await other.page.getByText('Only operators see this page').waitFor()
  assert.equal(await other.page.getByRole('link', { name: 'Operators' }).count(), 0)
})

test('every part of the page is accessible, in both color schemes, on wide and small screens', { skip }, async () => {
  const { owner } = await newScene()
  const operator = await newDeveloper(true)
  const { page, errors, open } = await openWithKey(operator.key)
  const parts: [path: string, shown: string][] = [
    ['', 'Add a developer'],
    [`/developers/${owner.id}`, 'Issue a key'],
    ['/companies', 'created'],
    ['/service', 'requests'],
  ]
  for (const [path, shown] of parts) {
    await open(`/operators${path}`)
    await checkLooks(page, `operators${path.replace(owner.id, '')}`, () => page.getByText(shown).first().waitFor())
  }
  assert.deepEqual(errors, [])
})

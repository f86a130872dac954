import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser } from '../../server/test/browser.ts'
import { ask } from '../../server/test/service.ts'
import { checkLooks } from './checks.ts'
import { newScene } from './scene.ts'

// Addresses of things that are gone, or that never were: each page says so, and leads elsewhere.

const skip = missingBrowser()
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('a campaign that is unknown or archived leads to the campaigns', { skip }, async () => {
  const { signIn, goto, teller, player, C } = await newScene()
  const { page, path } = await signIn(player.id)
  for (const id of [UNKNOWN, 'nonsense']) {
    await goto(page, `${path}/campaigns/${id}`)
    await title(page, 'This campaign cannot be opened').waitFor()
  }
  await checkLooks(page, 'unknown campaign')
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  // It is archived while the player looks at it.
  await goto(page, path + C)
  await title(page, 'Fall of Kingsport').waitFor()
  await page.locator('.live.live').waitFor()
  assert.equal((await teller.delete(C)).status, 204)
  await title(page, 'This campaign cannot be opened').waitFor()
  await page.getByRole('link', { name: 'Go to Campaigns' }).click()
  await title(page, 'Campaigns').waitFor()
})

test('a company or a user that is unknown leads to the start', { skip }, async () => {
  const { signInAsDeveloper, goto, company_id } = await newScene()
  const { page } = await signInAsDeveloper()
  for (const path of [`/c/${UNKNOWN}`, `/c/${UNKNOWN}/as/${UNKNOWN}`, `/c/${company_id}/as/${UNKNOWN}`]) {
    await goto(page, `/console${path}`)
    await title(page, 'This company cannot be opened').waitFor()
  }
  await checkLooks(page, 'unknown company')
  await page.getByRole('link', { name: 'Go to the start' }).click()
  await title(page, 'Companies').waitFor()
})

test('a player whose user is archived meets the page that signs in', { skip }, async () => {
  const { signIn, goto, service, base, key, player } = await newScene()
  const { page, path } = await signIn(player.id)
  await goto(page, path)
  await page.locator('.live.live').waitFor()
  assert.equal((await ask(service, 'DELETE', `${base}/users/${player.id}`, key)).status, 204)
  await page.getByText('Your session has ended.').waitFor()
})

test('the address of a note that is gone says so', { skip }, async () => {
  const { signIn, goto, player } = await newScene()
  const { page, path } = await signIn(player.id)
  for (const id of [UNKNOWN, 'nonsense']) {
    await goto(page, `${path}/notebook?note=${id}`)
    const dialog = page.getByRole('dialog', { name: 'This note is not there' })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    assert.ok(!page.url().includes('note='))
  }
})

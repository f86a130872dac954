import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openapi } from '../src/http/reference/openapi.ts'
import { readIndex } from '../src/pages/library.ts'
import { operations } from '../src/resources/index.ts'
import { looksOf, violationsOf } from './accessibility.ts'
import { missingBrowser, openPage, waitFor } from './browser.ts'
import { newCompany, pooler, url } from './harness.ts'
import { ask, startService } from './service.ts'

// The documentation in a real browser. DOCS_SHOTS=<folder> keeps a picture of every page.

const skip = missingBrowser()
const service = skip ? { base: '' } : await startService({ DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none' })
const { DOCS_SHOTS: shots } = process.env

const PATHS = [...readIndex().map(({ path }) => path), '/docs/errors/duplicate', '/docs/errors/desperation_too_low', '/docs/nothing']
const PHONE_PATHS = ['/docs', '/docs/guides/experience', '/docs/errors', '/docs/errors/duplicate']
const [DESKTOP, PHONE] = [1280, 390]

const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '_')}.png`) })
}

test('every page is accessible and fits a desktop and a phone, in light and dark colors', { skip, timeout: 600_000 }, async () => {
  const { page, errors } = await openPage()
  const outside: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(service.base)) outside.push(request.url())
  })
  page.on('console', (message) => {
    // A page that is not there is an answer with status 404, which the browser reports.
    if (message.type() === 'error' && !/404/.test(message.text())) complaints.push(message.text())
  })
  for (const path of PATHS) {
    await page.goto(service.base + path)
    for (const { size: width, colorScheme } of looksOf(DESKTOP, PHONE, Boolean(shots))) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      // All pages have the same parts, so a phone needs a few of them.
      if (width === DESKTOP || PHONE_PATHS.includes(path))
        assert.deepEqual(await violationsOf(page), [], `${path} at ${width} px in ${colorScheme} colors`)
      await shoot(page, `${path} ${width} ${colorScheme}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${path} does not scroll sideways at ${width} px`)
    }
  }
  assert.deepEqual([errors, outside, complaints], [[], [], []])
})

test('a phone has a menu, which works without a script, and samples show the address of the service', { skip }, async () => {
  const { page } = await openPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  await page.goto(`${service.base}/docs`)
  const link = page.locator('nav.pages').getByRole('link', { name: 'Rolling dice' })
  assert.equal(await link.isVisible(), false)
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  assert.equal(await link.isVisible(), true)
  await menu.click()
  assert.equal(await link.isVisible(), false, 'the button also closes it')
  await menu.click()
  await shoot(page, 'menu')
  await link.click()
  await waitFor(async () => page.url(), `${service.base}/docs/guides/dice`)
  assert.equal(await page.locator('nav.pages [aria-current=page]').textContent(), 'Rolling dice')
  await page.getByRole('link', { name: /^Next/ }).click()
  await waitFor(async () => page.url(), `${service.base}/docs/guides/experience`)

  // The search is part of the menu, and finds sections, error codes and operations by their words.
  const { page: phone, errors } = await openPage({ viewport: { width: 390, height: 844 } })
  await phone.goto(`${service.base}/docs`)
  await phone.getByRole('button', { name: 'Menu' }).click()
  const field = phone.getByRole('searchbox')
  const firstFor = async (words: string) => {
    await field.fill(words)
    await phone.getByRole('search').getByRole('status').filter({ hasText: 'result' }).waitFor()
    return phone.getByRole('search').getByRole('link').first()
  }
  await waitFor(async () => (await (await firstFor('retry-after backoff zzz')).count()) === 0, true)
  assert.equal(await (await firstFor('not_enough_exp')).getAttribute('href'), '/docs/errors/not_enough_experience')
  assert.match((await (await firstFor('settle a roll')).getAttribute('href')) ?? '', /^\/docs\/reference#tag\/dice-rolls\//)
  const section = await firstFor('retries: idempotency-key')
  await shoot(phone, 'search')
  assert.deepEqual(await violationsOf(phone), [])
  assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 390)
  const target = (await section.getAttribute('href')) ?? ''
  await section.click()
  await waitFor(async () => phone.url(), service.base + target)
  assert.ok(await phone.locator(target.slice(target.indexOf('#'))).isVisible())
  assert.deepEqual(errors, [])

  const { page: desktop } = await openPage({ viewport: { width: 1280, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })
  await desktop.goto(`${service.base}/docs`)
  assert.equal(await desktop.getByRole('button', { name: 'Menu' }).isVisible(), false)
  assert.ok(await desktop.locator('nav.pages').getByRole('link', { name: 'Glossary' }).isVisible())
  const first = desktop.locator('.code').first()
  assert.match((await first.textContent()) ?? '', new RegExp(`BASE=${service.base}/api/v1`))
  await first.hover()
  await first.getByRole('button', { name: 'Copy' }).click()
  await waitFor(async () => (await first.getByRole('button').textContent()) ?? '', 'Copied')
  assert.match((await desktop.evaluate('navigator.clipboard.readText()')) as string, /^export BASE=http/)
})

const { paths } = openapi(operations) as unknown as { paths: Record<string, Record<string, { operationId: string }>> }
const operationId = (method: string, path: string) => paths[`/api/v1${path}`]?.[method]?.operationId as string
const LIST_COMPANIES = `companies/${operationId('get', '/companies')}`
const ROLL_DICE = operationId('post', '/companies/{company_id}/users/{user_id}/dice-rolls')

/** Opens the reference at an operation, on a page that shows something else. */
async function openOperation(page: Page, anchor: string) {
  await page.goto(`${service.base}/docs/reference#tag/${anchor}`)
  await page.getByPlaceholder('Paste your key or token').first().waitFor()
}

const storedSecrets = (page: Page) => page.evaluate('JSON.stringify({ ...sessionStorage })') as Promise<string>

test('the first click in the reference returns the company, and the key stays until the tab is closed', {
  skip,
  timeout: 300_000,
}, async () => {
  const { key, company_id } = await newCompany()
  const { page, errors } = await openPage({ viewport: { width: 1280, height: 900 } })
  const sent: string[] = []
  const outside: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(service.base) && !request.url().startsWith('data:')) outside.push(request.url())
    if (request.url().includes('/api/v1')) sent.push(`${request.method()} ${request.url().replace(service.base, '')}`)
  })
  await openOperation(page, LIST_COMPANIES)
  await page.getByPlaceholder('Paste your key or token').first().fill(key)
  await waitFor(async () => (await storedSecrets(page)).includes(key), true)
  await page.getByRole('button', { name: /^Test Request.*get \/api\/v1\/companies\)/i }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).last().click()
  await waitFor(async () => (await page.getByRole('dialog').innerText()).includes(company_id), true)
  assert.deepEqual(sent, ['GET /api/v1/companies'], 'no optional parameter was sent')
  await shoot(page, 'reference sent')

  // The key is in sessionStorage, not in localStorage, which all tabs share and which stays.
  const { origins } = await page.context().storageState()
  assert.ok(!JSON.stringify(origins).includes('glh_'), 'the key is not in localStorage')
  await page.reload()
  await page.getByRole('button', { name: /^Test Request.*get \/api\/v1\/companies\)/i }).waitFor()
  assert.ok((await storedSecrets(page)).includes(key))
  await page.getByRole('button', { name: /^Test Request.*get \/api\/v1\/companies\)/i }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).last().click()
  await waitFor(async () => (await page.getByRole('dialog').innerText()).includes(company_id), true)
  const other = await page.context().newPage()
  await openOperation(other, LIST_COMPANIES)
  assert.ok(!(await storedSecrets(other)).includes('glh_'), 'another tab does not have the key')
  assert.deepEqual([errors, outside], [[], []])
})

test('an id is typed once for all operations, and links of error pages lead to operations', { skip, timeout: 300_000 }, async () => {
  const { key, base, company_id } = await newCompany()
  const { body: mina } = await ask(service, 'POST', `${base}/users`, key, { name: 'Mina Harker', role: 'PLAYER' })
  const { page, errors } = await openPage({ viewport: { width: 390, height: 844 } })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url().replace(service.base, ''))
  })
  // Until the script has made the reference, the page says so. On a phone it leads back to the documentation, too.
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/scalar.*', (route) => held.promise.then(() => route.continue()))
  await page.goto(`${service.base}/docs/reference#tag/users/users_get`, { waitUntil: 'commit' })
  await page.getByText('Loading the reference').waitFor()
  held.resolve()
  await page.getByText('/users/USER_ID').first().waitFor()
  assert.equal(await page.getByText('Loading the reference').count(), 0)
  for (const name of ['Docs', 'Errors']) assert.ok(await page.getByRole('link', { name, exact: true }).isVisible(), name)
  await shoot(page, 'reference on a phone')
  await page.unroute('**/assets/scalar.*')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${service.base}/docs/errors/desperation_too_low`)
  await page.getByRole('link', { name: 'Roll dice' }).click()
  const test = page.getByRole('button', { name: /^Test Request.*post .*\/dice-rolls\)/i })
  await test.waitFor()
  await page.getByPlaceholder('Paste your key or token').first().fill(key)
  const ids = page.getByRole('form', { name: 'Ids for all operations' })
  await ids.getByLabel('company_id').fill(company_id)
  await ids.getByLabel('user_id').fill(mina.id)
  await ids.getByLabel('user_id').press('Tab')
  await waitFor(async () => (await storedSecrets(page)).includes(key) && (await storedSecrets(page)).includes(mina.id), true)
  await waitFor(async () => (await page.locator(`[id$="/${ROLL_DICE}"]`).last().innerText()).includes(mina.id), true)
  await test.click()
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).last().click()
  await waitFor(async () => /201/.test(await page.getByRole('dialog').innerText()), true)
  assert.deepEqual(sent, [`${base}/users/${mina.id}/dice-rolls`])
  await page.reload()
  assert.equal(await ids.getByLabel('user_id').inputValue(), mina.id)
  await page.getByRole('button', { name: /^Test Request.*post .*\/dice-rolls\)/i }).waitFor()
  // All chapters are in the navigation, and the overview of a group tells its operations apart.
  assert.match(await page.locator('.endpoints-card').first().innerText(), /List dice rolls[\s\S]*Roll dice/)
  const navigation = await page.locator('#reference').innerText()
  for (const chapter of ['People', 'Campaign', 'Experience', 'Live', 'Operate']) assert.ok(navigation.includes(chapter), chapter)
  assert.ok(!navigation.includes('Client Libraries'))
  assert.deepEqual(errors, [])
})

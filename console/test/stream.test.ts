import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newDesk } from './desk.ts'
import { navigate } from './navigate.ts'

const skip = missingBrowser()

/** The event streams that a page opens from now on, by whether they have ended. */
function watchStreams(page: Page): { opened: string[]; ended: string[] } {
  const [opened, ended] = [[] as string[], [] as string[]]
  const isStream = (url: string) => /\/stream(\?|$)/.test(url)
  page.on('request', (request) => isStream(request.url()) && opened.push(request.url()))
  for (const end of ['requestfailed', 'requestfinished'] as const)
    page.on(end as 'requestfailed', (request) => isStream(request.url()) && ended.push(request.url()))
  return { opened, ended }
}

test('one event stream serves all pages of a user, and another user gets another one', { skip }, async () => {
  const { teller, player, C, visit, writeAs, signInAsDeveloper, pathOf, goto } = await newDesk()
  const { page, open, errors } = await visit(player)
  const streams = watchStreams(page)
  await open('')
  for (const name of ['Sheets', 'Chronicle', 'Campaigns', 'Notebook']) {
    await navigate(page, name)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await waitFor(() => page.locator('.loading').count(), 0)
    await page.locator('.live.live').waitFor()
    assert.equal(await page.evaluate('document.activeElement?.tagName'), 'H1', `${name} is announced`)
  }
  // The stream still brings changes.
  await writeAs(player.id)('POST', '/notes', { title: 'Written elsewhere' })
  await page.getByRole('link', { name: 'Written elsewhere' }).waitFor()
  assert.deepEqual([streams.opened.length, streams.ended.length], [1, 0])
  assert.deepEqual(errors, [])

  const developer = await signInAsDeveloper()
  const ofDeveloper = watchStreams(developer.page)
  await goto(developer.page, pathOf(player.id) + C)
  await developer.page.locator('.live.live').waitFor()
  await developer.page.getByRole('link', { name: /^You act as/ }).click()
  await developer.page.locator(`a.row[href$="${teller.id}"]`).click()
  // The page of the first user is live, too, until that of the second replaces it.
  await waitFor(async () => [ofDeveloper.opened.length, ofDeveloper.ended.length], [2, 1])
  await developer.page.locator('.live.live').waitFor()
  assert.ok(ofDeveloper.opened[1]?.includes(teller.id), 'the second stream is that of the second user')
})

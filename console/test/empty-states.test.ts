import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { ask } from '../../server/test/service.ts'
import { newScene } from './scene.ts'

const skip = missingBrowser()

/** The parts of a curl command. */
const COMMAND = /^curl -X (\w+) https?:\/\/[^/]+(\S+) -H "X-API-KEY: \$KEY"(?: -H 'Content-Type: application\/json' -d '(.+)')?$/

/** The requests that the empty states of a page show. */
const callsOf = (page: Page) =>
  page.locator('.empty:not([hidden] *) pre').evaluateAll((elements) => elements.map(({ textContent }) => textContent ?? ''))

test('empty lists show developers a request that works, and show none to players', { skip }, async () => {
  const scene = await newScene()
  const { teller, player, C, key, service, writeAs, pathOf, signIn, signInAsDeveloper, goto } = scene
  const hero = (await writeAs(player.id)('POST', `${C}/characters`, { name: 'Jonathan Crane', traits: {} })).id as string
  const book = (await writeAs(teller.id)('POST', `${C}/books`, { name: 'The drowned bell' })).id as string
  const bare = (await writeAs(teller.id)('POST', '/campaigns', { name: 'Nothing yet' })).id as string
  const sheet = `${C}/characters/${hero}`
  // Every page with the number of its empty states.
  const pages: [path: string, count: number][] = [
    ['/notebook', 1],
    [`/campaigns/${bare}`, 3],
    [`/campaigns/${bare}/characters`, 1],
    [`/campaigns/${bare}/statistics?of=character`, 1],
    [`${C}/chronicle`, 1],
    [`${C}/chronicle/books/${book}`, 2],
    [`${C}/statistics`, 1],
    [`${C}/statistics?of=character`, 1],
    [`${C}/dice/verify`, 1],
    [`${C}/ledger`, 1],
    [sheet, 2],
    ...['trackers', 'inventory', 'notes', 'experience', 'statistics', 'history'].map((tab): [string, number] => [`${sheet}?tab=${tab}`, 1]),
  ]
  const developer = await signInAsDeveloper()
  // Every character has a history, from the moment that it is created.
  await developer.page.route('**/history?*', (route) =>
    route.fulfill({ json: { items: [], total: 0, limit: 51, offset: 0, next_cursor: null } }),
  )
  const commands = new Set<string>()
  for (const [path, count] of pages) {
    await goto(developer.page, pathOf(teller.id) + path)
    await waitFor(async () => (await callsOf(developer.page)).length, count)
    for (const command of await callsOf(developer.page)) commands.add(command)
  }
  await goto(developer.page, `${pathOf(teller.id)}/campaigns/${bare}`)
  await developer.page.getByText('No rolls yet').waitFor()
  await goto(developer.page, `${pathOf(teller.id)}/campaigns/${bare}/ledger`)
  await developer.page.getByText('This campaign has no players yet.').waitFor()
  for (const command of commands) {
    const [, method = '', path = '', body = 'null'] = COMMAND.exec(command) ?? []
    assert.ok(method, command)
    const { status, text } = await ask(service, method, path, key, JSON.parse(body) ?? undefined)
    assert.ok(status < 300, `${command}: ${status} ${text}`)
  }
  assert.deepEqual(developer.errors, [])

  const played = await signIn(player.id)
  await goto(played.page, `${played.path}/notebook`)
  await played.page.getByText('Your notebook is empty').waitFor()
  assert.equal(await played.page.getByText('The same as a request').count(), 0, 'players have no API key')
  assert.deepEqual(played.errors, [])
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { ChangesReply, FeedItem } from '../src/resources/changes/schema.ts'
import { missingBrowser, openPage, serveFolder, waitFor } from './browser.ts'
import { newGameTable } from './game-table.ts'
import { pooler, url } from './harness.ts'
import { root } from './markdown.ts'
import { ask, newFolder, type Service, startService } from './service.ts'

const folder = newFolder()
const skip = missingBrowser()

/** A copy of the page with the SDK next to it, as its README says. */
before(() => {
  if (skip) return
  cpSync(join(root, 'examples/live-page'), folder, { recursive: true })
  execFileSync(process.execPath, [join(root, 'client/build.mjs'), join(folder, 'guildhall-client')])
})

const env = { DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none', STREAMS_CHECK: '1', CORS_ORIGINS: '*', RATE_LIMIT: 'on' }

/** A game table, a service of its own that can be restarted on its port, and writes through it. */
async function newScene() {
  const table = await newGameTable()
  const { base, key, campaign_id, C } = table
  let service = await startService(env)
  const { port, origin: server } = new URL(service.base)
  const writeAs = (id: string) => async (method: string, path: string, body?: unknown) => {
    const { status, text, body: reply } = await ask(service, method, `${base}/users/${id}${path}`, key, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return reply
  }
  const token = async (id: string, scope: 'READ' | 'PLAY') =>
    (await writeAs(id)('POST', '/tokens', { scope })) as unknown as { id: string; token: string }
  /** Stops the service, does something that the page cannot see yet, and starts it again on the same port. */
  const restart = async (signal: NodeJS.Signals, whileAway: (elsewhere: Service) => Promise<void>) => {
    await service.kill(signal)
    const elsewhere = await startService(env)
    await whileAway(elsewhere)
    await elsewhere.kill('SIGTERM')
    service = await startService({ ...env, PORT: port })
  }
  const hash = (settings: Record<string, string>) => `#${new URLSearchParams({ server, campaign: campaign_id, ...settings })}`
  return { ...table, C, server, writeAs, token, restart, hash, stop: (signal: NodeJS.Signals) => service.kill(signal) }
}

const stateOf = (page: Page) => () => page.locator('#state').getAttribute('data-state')
const commentsOf = (page: Page) => async () =>
  (await page.locator('#rolls .roll-text').allTextContents()).map((text) => /roll \d+/.exec(text)?.[0]).reverse()
const namesOf = (page: Page, list: string) => () => page.locator(`#${list} h3`).allTextContents()
const figureOf = (page: Page, key: string) => () => page.locator(`[data-key=${key}] .figure`).textContent()

test('a page with a token shows a campaign live, and loses and repeats nothing when the service restarts', { skip }, async () => {
  const { teller, player, C, campaign_id, base, key, writeAs, token, restart, hash } = await newScene()
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  const hero = (await play('POST', `${C}/characters`, { name: 'Jonathan Crane', traits: { wits: 4 } })).id
  await play('PUT', `${C}/characters/${hero}/trackers/health`, { label: 'Health', value: 7, maximum: 10 })
  const npc = (await tell('POST', `${C}/characters`, { name: 'The ghoul', type: 'NPC', visibility: 'STORYTELLER' })).id
  await tell('POST', `${C}/notes`, { title: 'Plan of the storyteller', body: 'Betrayal', visibility: 'STORYTELLER' })
  let rolls = 0
  const roll = () => play('POST', '/dice-rolls', { notation: '2d6', campaign_id, comment: `roll ${++rolls}` })
  await roll()

  const { token: secret } = await token(player.id, 'READ')
  const { origin, requested } = await serveFolder(folder)
  const { page, errors } = await openPage()
  const seen: string[] = []
  page.on('request', (request) => void seen.push(request.url()))
  await page.goto(`${origin}/${hash({ token: secret })}`)
  await waitFor(stateOf(page), 'live')
  assert.equal(await page.locator('#state').textContent(), 'Live')
  assert.equal(await page.locator('h1:visible').textContent(), 'Fall of Kingsport')
  assert.equal(new URL(page.url()).hash, '', 'the token is not in the address bar')
  await waitFor(namesOf(page, 'characters'), ['Jonathan Crane'])
  await waitFor(figureOf(page, 'health'), '7 / 10')
  await waitFor(commentsOf(page), ['roll 1'])
  await waitFor(namesOf(page, 'notes'), [])

  // Every change is shown within seconds.
  for (let i = 0; i < 3; i++) await roll()
  await waitFor(commentsOf(page), ['roll 1', 'roll 2', 'roll 3', 'roll 4'])
  await tell('PATCH', C, { danger: 3, desperation: 1, name: 'Rise of Kingsport' })
  await waitFor(figureOf(page, 'danger'), '3 / 5')
  await waitFor(figureOf(page, 'desperation'), '1 / 5')
  assert.equal(await page.locator('h1:visible').textContent(), 'Rise of Kingsport')
  await play('POST', `${C}/characters/${hero}/trackers/health/adjust`, { by: -5 })
  await waitFor(figureOf(page, 'health'), '2 / 10')
  await tell('PUT', `${C}/trackers/doom`, { label: 'Doom', value: 1, maximum: 6, style: 'CLOCK' })
  await waitFor(figureOf(page, 'doom'), '1 / 6')
  // A large resource is left out of its event, and read by its path.
  const note = (await tell('POST', `${C}/notes`, { title: 'The tide tables', body: 'Low water at 03:12. '.repeat(1000) })).id
  await waitFor(namesOf(page, 'notes'), ['The tide tables'])

  // A character appears with what belongs to it, and vanishes with it.
  await tell('PUT', `${C}/characters/${npc}/trackers/hunger`, { label: 'Hunger', value: 2, maximum: 5 })
  const show = (visibility: 'OPEN' | 'STORYTELLER') => tell('PATCH', `${C}/characters/${npc}`, { visibility })
  const before = ['roll 1', 'roll 2', 'roll 3', 'roll 4']
  await show('OPEN')
  await waitFor(namesOf(page, 'characters'), ['Jonathan Crane', 'The ghoul'])
  await waitFor(figureOf(page, 'hunger'), '2 / 5')
  await tell('POST', '/dice-rolls', { notation: '1d20', campaign_id, character_id: npc, comment: 'roll 99' })
  await waitFor(commentsOf(page), [...before, 'roll 99'])
  for (let i = 0; i < 2; i++) {
    await show('STORYTELLER')
    await waitFor(namesOf(page, 'characters'), ['Jonathan Crane'])
    await waitFor(commentsOf(page), before)
    if (i > 0) break
    await show('OPEN')
    await waitFor(namesOf(page, 'characters'), ['Jonathan Crane', 'The ghoul'])
    await waitFor(commentsOf(page), [...before, 'roll 99'])
  }
  await tell('PATCH', `${C}/notes/${note}`, { visibility: 'STORYTELLER' })
  await waitFor(namesOf(page, 'notes'), [])

  // The service ends, in order and by force, and returns on the same port. Rolls of the time in between are shown once, in order.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await restart(signal, async (elsewhere) => {
      await waitFor(stateOf(page), 'reconnecting')
      for (let i = 0; i < 5; i++) {
        const body = { notation: '2d6', campaign_id, comment: `roll ${++rolls}` }
        const { status, text } = await ask(elsewhere, 'POST', `${base}/users/${player.id}/dice-rolls`, key, body)
        assert.equal(status, 201, text)
      }
    })
    await roll()
    await waitFor(stateOf(page), 'live', 40_000)
    await roll()
    const all = Array.from({ length: rolls }, (_, i) => `roll ${i + 1}`)
    await waitFor(commentsOf(page), all)
  }
  assert.deepEqual(await namesOf(page, 'characters')(), ['Jonathan Crane'])

  const text = await page.locator('body').innerText()
  for (const secretText of ['ghoul', 'Hunger', 'Plan of', 'Betrayal', 'tide tables', secret])
    assert.ok(!text.includes(secretText), `the page shows ${secretText}`)
  for (const address of [...seen, ...requested]) assert.ok(!address.includes('glu_'), `a token is in ${address}`)
  assert.deepEqual(errors, [])
})

test('a page keeps showing what its user may see: a new role, a private campaign, a token that ends', { skip }, async () => {
  const { teller, player, other, C, base, key, writeAs, token, hash, server } = await newScene()
  const tell = writeAs(teller.id)
  await tell('POST', `${C}/notes`, { title: 'Plan of the storyteller', visibility: 'STORYTELLER' })
  const [played, shown] = [await token(player.id, 'PLAY'), await token(other.id, 'READ')]
  const { origin } = await serveFolder(folder)
  const [{ page }, guest] = [await openPage(), await openPage()]
  await page.goto(`${origin}/${hash({ token: played.token })}`)
  await guest.page.goto(`${origin}/index.html${hash({ token: shown.token })}`)
  for (const one of [page, guest.page]) await waitFor(stateOf(one), 'live')

  const setRole = (id: string, role: string) =>
    ask({ base: server } as Service, 'PATCH', `${base}/users/${id}`, key, { role }).then(({ status }) => assert.equal(status, 200))
  await setRole(player.id, 'STORYTELLER')
  await tell('PUT', `${C}/members/${player.id}`, { role: 'STORYTELLER' })
  await waitFor(namesOf(page, 'notes'), ['Plan of the storyteller'])
  await setRole(player.id, 'PLAYER')
  await waitFor(namesOf(page, 'notes'), [])

  await tell('PATCH', C, { access: 'MEMBERS' })
  const heading = (of: Page) => () => of.locator('h1:visible').textContent()
  await waitFor(heading(guest.page), 'No campaign')
  assert.equal(await heading(page)(), 'Fall of Kingsport')
  await tell('PATCH', C, { access: 'COMPANY' })
  await waitFor(heading(guest.page), 'Fall of Kingsport')

  await writeAs(player.id)('DELETE', `/tokens/${played.id}`)
  await waitFor(stateOf(page), 'ended')
  assert.match((await page.locator('#notice').textContent()) ?? '', /token is not valid any more/)
  assert.equal(await stateOf(guest.page)(), 'live')
  // A page that is loaded again with the same token says it, too, and asks for another one.
  await page.reload()
  await page.locator('#problem:visible').waitFor()
  assert.match((await page.locator('#problem').textContent()) ?? '', /token is not valid any more/)
})

test('a page takes its settings from the form', { skip }, async () => {
  const { teller, player, C, writeAs, token, key, server } = await newScene()
  await writeAs(teller.id)('POST', '/campaigns', { name: 'Another campaign' })
  const { token: secret } = await token(player.id, 'READ')
  const { origin } = await serveFolder(folder)
  const { page, errors } = await openPage({ viewport: { width: 390, height: 844 } })
  await page.goto(origin)
  const connect = async (server: string, token: string) => {
    await page.getByLabel('Server').fill(server)
    await page.getByLabel('User token').fill(token)
    await page.getByLabel('User token').press('Enter')
  }
  const problem = () => page.locator('#problem').textContent()
  await connect(server, key)
  await waitFor(problem, 'This is an API key. Use a user token: a key must never be in a browser.')
  await connect(server, 'glu_nonsense')
  await waitFor(async () => /not valid any more/.test((await problem()) ?? ''), true)
  await connect('http://127.0.0.1:1', secret)
  await waitFor(async () => /does not answer/.test((await problem()) ?? ''), true)
  await connect(server, secret)
  await page.getByRole('button', { name: /Fall of Kingsport/ }).press('Enter')
  await waitFor(stateOf(page), 'live')
  await writeAs(teller.id)('PATCH', C, { danger: 2 })
  await waitFor(figureOf(page, 'danger'), '2 / 5')
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.equal(width, 390, 'a phone does not scroll sideways')
  assert.deepEqual(errors, [])
})

test('a page ignores what it has applied and what is older, and stops if it was replaced', { skip }, async () => {
  const { player, C, campaign_id, writeAs, token, hash } = await newScene()
  const play = writeAs(player.id)
  const hero = (await play('POST', `${C}/characters`, { name: 'First name' })).id
  const { token: secret } = await token(player.id, 'READ')
  const { origin } = await serveFolder(folder)
  const { page, errors } = await openPage()
  const { cursor } = (await play('GET', '/changes')) as unknown as ChangesReply
  await play('PATCH', `${C}/characters/${hero}`, { name: 'Second name' })
  // The feed has the resource of the moment of reading, so each change is read before the next one.
  const next = async (after: string): Promise<ChangesReply> => {
    const page = (await play('GET', `/changes?after=${after}&wait=20&types=character.updated`)) as unknown as ChangesReply
    // A page may be empty, and lead past changes of other types.
    return page.items.length ? page : next(page.cursor)
  }
  const second = await next(cursor)
  await play('PATCH', `${C}/characters/${hero}`, { name: 'Third name' })
  const third = await next(second.cursor)
  await play('POST', '/dice-rolls', { notation: '2d6', campaign_id, comment: 'roll 1' })

  const frame = (item: unknown, id: string, lineEnd = '\n') => [`id: ${id}`, `data: ${JSON.stringify(item)}`, '', ''].join(lineEnd)
  const [older, newer] = [second.items[0], third.items[0]] as [FeedItem, FeedItem]
  const renamed = { ...newer, data: { ...newer.data, resource: { ...newer.data.resource, name: 'Repeated name' } } }
  const frames = [
    'retry: 1000\n\n',
    `event: ready\nid: ${cursor}\ndata: {}\n\n`,
    frame(newer, third.cursor, '\r\n'),
    frame(renamed, third.cursor, '\r'),
    frame(older, second.cursor),
    'event: bye\ndata: {"reason":"replaced"}\n\n',
  ]
  await page.route('**/stream?*', (route) =>
    route.fulfill({ body: frames.join(''), headers: { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' } }),
  )
  await page.goto(`${origin}/${hash({ token: secret })}`)
  await waitFor(stateOf(page), 'ended')
  assert.match((await page.locator('#notice').textContent()) ?? '', /newer streams/)
  assert.deepEqual(await namesOf(page, 'characters')(), ['Third name'])
  assert.deepEqual(await commentsOf(page)(), ['roll 1'])
  assert.deepEqual(errors, [])
})

test('a page whose script cannot load says why', { skip }, async () => {
  const { page } = await openPage()
  // Browsers load no modules from files.
  await page.goto(pathToFileURL(`${folder}/index.html`).href)
  await page.getByText('The script of this page does not run.').waitFor()
})

test('a page that waits for its next attempt reconnects at once if it is told to', { skip }, async () => {
  const { player, campaign_id, writeAs, token, hash } = await newScene()
  const { token: secret } = await token(player.id, 'READ')
  const { origin } = await serveFolder(folder)
  const { page, errors } = await openPage()
  let attempts = 0
  await page.route('**/stream?*', (route) => {
    attempts++
    return route.abort()
  })
  await page.goto(`${origin}/${hash({ token: secret })}`)
  // The third pause lasts at least four seconds.
  await waitFor(async () => attempts, 3)
  await page.unroute('**/stream?*')
  await writeAs(player.id)('POST', '/dice-rolls', { notation: '2d6', campaign_id, comment: 'roll 1' })
  await page.getByRole('button', { name: 'Reconnect now' }).click()
  await waitFor(stateOf(page), 'live', 3000)
  await waitFor(commentsOf(page), ['roll 1'])
  assert.deepEqual(errors, [])
})

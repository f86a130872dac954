import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, call, engine, newCompany, write } from './harness.ts'
import { plans } from './plans.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { scene } from './scene.ts'

async function countStatements(send: () => Promise<Answer>, status: number): Promise<number> {
  const { answer, sent } = await statementsOf(send)
  assert.equal(answer.status, status, answer.text)
  return sent.length
}

/** Counts the statements of a read by a recalled caller. The first read takes one more to identify the caller. */
async function countRecalled(read: () => Promise<Answer>): Promise<number> {
  await read()
  return countStatements(read, 200)
}

/** On Citus, a write sends the row of the outbox in a statement of its own. */
const OUTBOX = engine === 'citus' ? 1 : 0

test('hot paths take a fixed number of statements', async (t) => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const post = (headers = {}) => call('POST', `${base}/users`, { key, on: recordedApp, headers, body: { name: 'A', role: 'PLAYER' } })
  const headers = { 'idempotency-key': randomUUID() }
  const counts = {
    'list users': await countRecalled(() => call('GET', `${base}/users`, { key, on: recordedApp })),
    'get user': await countRecalled(() => call('GET', `${base}/users/${id}`, { key, on: recordedApp })),
    'create user': await countStatements(() => post(), 201),
    'create user with a key': await countStatements(() => post(headers), 201),
    'replay of a key': await countStatements(() => post(headers), 201),
    'update user': await countStatements(() => call('PATCH', `${base}/users/${id}`, { key, on: recordedApp, body: { name: 'B' } }), 200),
    'a made-up key': await countStatements(() => call('GET', `${base}/users`, { key: 'glh_nonsense', on: recordedApp }), 401),
    'a foreign company': await countStatements(() => call('GET', `/api/v1/companies/${randomUUID()}/users`, { key, on: recordedApp }), 403),
  }
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(counts, {
    'list users': 1,
    'get user': 1,
    // On Citus, the counter and the seed of the user are statements of their own, too.
    'create user': engine === 'citus' ? 6 : 3,
    'create user with a key': engine === 'citus' ? 8 : 5,
    'replay of a key': 1,
    'update user': 4 + OUTBOX,
    'a made-up key': 0,
    'a foreign company': 1,
  })
})

test('a create by a recalled caller waits only for its COMMIT', async () => {
  const { teller, C } = await newGameTable()
  const { base, key } = await newCompany()
  const createUser = (headers = {}) => call('POST', `${base}/users`, { key, on: recordedApp, headers, body: { name: 'A', role: 'PLAYER' } })
  const creates: (() => Promise<Answer>)[] = [
    () => createUser(),
    () => createUser({ 'idempotency-key': randomUUID() }),
    () => teller.post(`${C}/notes`, { title: 'A' }, {}, recordedApp),
    () => teller.post(`/notes`, { title: 'A' }, {}, recordedApp),
  ]
  for (const create of creates) {
    await create()
    const { answer, awaited } = await statementsOf(create)
    assert.deepEqual([answer.status, awaited], [201, []], answer.text)
  }
})

test('reads and writes of a campaign take a fixed number of statements', async (t) => {
  const { teller, player, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const { cursor } = await Follower.start(player)
  for (let i = 0; i < 30; i++) await player.make(`${C}/characters`, { name: `Extra ${i}` })
  await sequenceAll()
  await player.make(`${C}/characters/${hero}/inventory`, { name: 'Lantern' })
  await player.make(`${C}/characters/${hero}/notes`, { title: 'Note' })
  await player.put(`${C}/characters/${hero}/trackers/hp`, { value: 1 })
  await player.patch(`${C}/characters/${hero}`, { traits: { wits: 1, luck: 1 } })
  const get = (path: string) => countRecalled(() => player.get(path, undefined, {}, recordedApp))
  const counts = {
    'list campaigns': await get('/campaigns'),
    'get campaign': await get(C),
    'list characters': await get(`${C}/characters`),
    'list 30 characters with includes': await get(`${C}/characters?limit=100&include=inventory,notes`),
    'list 20 characters with trackers and experience': await get(`${C}/characters?limit=20&include=trackers,experience`),
    'get character': await get(`${C}/characters/${hero}`),
    'get character with includes': await get(`${C}/characters/${hero}?include=inventory,notes`),
    'list inventory': await get(`${C}/characters/${hero}/inventory`),
    'list notes': await get(`${C}/characters/${hero}/notes`),
    'list trackers': await get(`${C}/characters/${hero}/trackers`),
    'get tracker': await get(`${C}/characters/${hero}/trackers/hp`),
    search: await get('/search?q=hero'),
    'search by two letters': await get('/search?q=he'),
    'list own campaigns': await get('/campaigns?mine=true'),
    'list own characters': await get('/characters'),
    'list all notes': await get(`${C}/notes?scope=all`),
    'list books with chapters': await get(`${C}/books?include=chapters`),
    'page of changes': await get(`/changes?after=${cursor}`),
    'full page of changes': await get(`/changes?after=${cursor}&limit=10`),
    'list characters that changed': await get(`${C}/characters?modified_since=2026-01-01T00:00:00Z&sort=-date_modified`),
    'create character': await countStatements(() => player.post(`${C}/characters`, { name: 'New' }, {}, recordedApp), 201),
    'create character with trackers': await countStatements(
      () => player.post(`${C}/characters`, { name: 'New', trackers: { hp: { value: 1 }, luck: { value: 1 } } }, {}, recordedApp),
      201,
    ),
    'update character': await countStatements(() => player.patch(`${C}/characters/${hero}`, { traits: { wits: 2 } }, {}, recordedApp), 200),
    'create tracker': await countStatements(() => player.put(`${C}/characters/${hero}/trackers/new`, { value: 1 }, {}, recordedApp), 201),
    'set three trackers': await countStatements(
      () =>
        player.post(
          `${C}/characters/${hero}/trackers`,
          { trackers: { hp: { value: 2 }, new: { value: 2 }, luck: { value: 1 } } },
          {},
          recordedApp,
        ),
      200,
    ),
    'adjust tracker': await countStatements(
      () => player.post(`${C}/characters/${hero}/trackers/hp/adjust`, { by: 1 }, {}, recordedApp),
      200,
    ),
    'adjust two traits and two trackers': await countStatements(
      () => player.post(`${C}/characters/${hero}/adjust`, { traits: { wits: 1, luck: 1 }, trackers: { hp: 1, new: 1 } }, {}, recordedApp),
      200,
    ),
    'create campaign': await countStatements(() => teller.post('/campaigns', { name: 'New' }, {}, recordedApp), 201),
    'adjust campaign': await countStatements(() => teller.post(`${C}/adjust`, { danger: 1 }, {}, recordedApp), 200),
    'create book': await countStatements(() => teller.post(`${C}/books`, { name: 'New' }, {}, recordedApp), 201),
  }
  t.diagnostic(JSON.stringify(counts))
  assert.deepEqual(counts, {
    'list campaigns': 1,
    'get campaign': 1,
    'list characters': 1,
    'list 30 characters with includes': 1,
    'list 20 characters with trackers and experience': 2,
    'get character': 1,
    'get character with includes': 1,
    'list inventory': 1,
    'list notes': 1,
    'list trackers': 1,
    'get tracker': 1,
    search: 1,
    'search by two letters': 1,
    'list own campaigns': 1,
    'list own characters': 1,
    'list all notes': 1,
    'list books with chapters': 1,
    // The state of the feed, its events, the campaigns, the characters, and the changes.
    'page of changes': 5,
    'full page of changes': 5,
    'list characters that changed': 1,
    'create character': 5 + OUTBOX,
    'create character with trackers': 6 + OUTBOX,
    'update character': 5 + OUTBOX,
    // It locks the character, looks for the key, and counts the trackers.
    'create tracker': 7 + OUTBOX,
    // One more replaces those that are there.
    'set three trackers': 8 + OUTBOX,
    'adjust tracker': 5 + OUTBOX,
    'adjust two traits and two trackers': 7 + OUTBOX,
    // The caller is not recalled: it is identified first, and confirmed again in the transaction of the write.
    'create campaign': engine === 'citus' ? 9 : 6,
    'adjust campaign': 7 + OUTBOX,
    // On Citus, its position is read by a statement of its own, too.
    'create book': engine === 'citus' ? 8 : 6,
  })
})

test('a page by cursor takes one statement, whose text depends on the order only', async () => {
  const { player, C } = await newGameTable()
  for (let i = 0; i < 9; i++) await player.make(`${C}/characters`, { name: `Extra ${i}` })
  const texts = new Set<string>()
  for (const sort of ['date_created', '-name'])
    for (const limit of [1, 2, 3]) {
      const get = (cursor = '') => player.get(`${C}/characters?limit=${limit}&sort=${sort}${cursor}`, undefined, {}, recordedApp)
      for (let cursor = (await get()).body.next_cursor; cursor !== null; ) {
        const { answer, sent, awaited } = await statementsOf(() => get(`&after=${cursor}`))
        assert.deepEqual([answer.status, sent.length], [200, 1], answer.text)
        // The first page of the process has read the key of cursors.
        assert.deepEqual(
          awaited.filter((text) => text.includes('cursor_key')),
          [],
        )
        texts.add(sent[0] as string)
        cursor = answer.body.next_cursor
      }
    }
  assert.equal(texts.size, 2)
})

test('no GET writes or locks rows, even if a seed is missing', async () => {
  const { company_id, teller, C } = await newGameTable()
  const WRITES = /\b(INSERT INTO|UPDATE \w+|DELETE FROM|FOR (NO KEY )?(UPDATE|SHARE)|FOR KEY SHARE|nextval|pg_advisory)\b/i
  const assertReadOnly = async (send: () => Promise<Answer>, status: number) => {
    const { answer, sent } = await statementsOf(send)
    assert.equal(answer.status, status, answer.text)
    for (const text of sent) assert.doesNotMatch(text, WRITES)
  }
  for (const op of plans.filter(({ act }) => act === 'read')) {
    const { pathWithQuery, caller } = await scene(op)
    for (let i = 0; i < 2; i++) await assertReadOnly(() => call('GET', pathWithQuery(), { key: caller.key, on: recordedApp }), 200)
  }
  await write(sql`DELETE FROM dice_seeds WHERE company_id = ${company_id}`)
  for (const path of ['/dice-seed', `${C}/dice-seed`, `${C}/secret-dice-seed`])
    for (let i = 0; i < 2; i++) await assertReadOnly(() => teller.get(path, undefined, {}, recordedApp), 404)
})

test('the same request in another company sends the same statements, so that their plans are reused', async () => {
  for (const op of plans) {
    const texts = []
    for (let i = 0; i < 2; i++) {
      const { send } = await scene(op)
      texts.push((await statementsOf(() => send({ on: recordedApp }))).sent)
    }
    assert.deepEqual(texts[1], texts[0], op.id)
  }
})

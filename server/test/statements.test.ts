import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { operations } from '../src/resources/index.ts'
import { type Answer, call, newCompany, write } from './harness.ts'
import { recordedApp as on, statementsOf } from './recorded.ts'
import { scene } from './scene.ts'
import { newTable } from './table.ts'

async function statements(ask: () => Promise<Answer>, status: number): Promise<number> {
  const { answer, asked } = await statementsOf(ask)
  assert.equal(answer.status, status, answer.text)
  return asked.length
}

/** A read by somebody who was here before; the first time it takes one more, to know them. */
async function again(ask: () => Promise<Answer>): Promise<number> {
  await ask()
  return statements(ask, 200)
}

test('the statements of the hot paths are as few as they were measured', async (t) => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const post = (headers = {}) => call('POST', `${base}/users`, { key, on, headers, body: { name: 'A', role: 'PLAYER' } })
  const headers = { 'idempotency-key': randomUUID() }
  const figures = {
    'list users': await again(() => call('GET', `${base}/users`, { key, on })),
    'get user': await again(() => call('GET', `${base}/users/${id}`, { key, on })),
    'create user': await statements(() => post(), 201),
    'create user with a key': await statements(() => post(headers), 201),
    'replay of a key': await statements(() => post(headers), 201),
    'update user': await statements(() => call('PATCH', `${base}/users/${id}`, { key, on, body: { name: 'B' } }), 200),
    'a made-up key': await statements(() => call('GET', `${base}/users`, { key: 'glh_nonsense', on }), 401),
    'a foreign company': await statements(() => call('GET', `/api/v1/companies/${randomUUID()}/users`, { key, on }), 403),
  }
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(figures, {
    'list users': 1,
    'get user': 1,
    'create user': 3,
    'create user with a key': 5,
    'replay of a key': 1,
    'update user': 4,
    'a made-up key': 0,
    'a foreign company': 1,
  })
})

test('a create by who was here before waits for nothing but its COMMIT', async () => {
  const { teller, C } = await newTable()
  const { base, key } = await newCompany()
  const user = (headers = {}) => call('POST', `${base}/users`, { key, on, headers, body: { name: 'A', role: 'PLAYER' } })
  const creates: (() => Promise<Answer>)[] = [
    () => user(),
    () => user({ 'idempotency-key': randomUUID() }),
    () => teller.post(`${C}/notes`, { title: 'A' }, {}, on),
    () => teller.post(`/notes`, { title: 'A' }, {}, on),
  ]
  for (const create of creates) {
    await create()
    const { answer, waitedFor } = await statementsOf(create)
    assert.deepEqual([answer.status, waitedFor], [201, []], answer.text)
  }
})

test('so are those of the table', async (t) => {
  const { teller, player, C } = await newTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  for (let i = 0; i < 30; i++) await player.make(`${C}/characters`, { name: `Extra ${i}` })
  await player.make(`${C}/characters/${hero}/inventory`, { name: 'Lantern' })
  await player.make(`${C}/characters/${hero}/notes`, { title: 'Note' })
  const get = (path: string) => again(() => player.get(path, undefined, {}, on))
  const figures = {
    'list campaigns': await get('/campaigns'),
    'get campaign': await get(C),
    'list characters': await get(`${C}/characters`),
    'list 30 characters with includes': await get(`${C}/characters?limit=100&include=inventory,notes`),
    'get character': await get(`${C}/characters/${hero}`),
    'get character with includes': await get(`${C}/characters/${hero}?include=inventory,notes`),
    'list inventory': await get(`${C}/characters/${hero}/inventory`),
    'list notes': await get(`${C}/characters/${hero}/notes`),
    search: await get('/search?q=hero'),
    'create character': await statements(() => player.post(`${C}/characters`, { name: 'New' }, {}, on), 201),
    'update character': await statements(() => player.patch(`${C}/characters/${hero}`, { traits: { wits: 2 } }, {}, on), 200),
    'create campaign': await statements(() => teller.post('/campaigns', { name: 'New' }, {}, on), 201),
    'adjust campaign': await statements(() => teller.post(`${C}/adjust`, { danger: 1 }, {}, on), 200),
    'create book': await statements(() => teller.post(`${C}/books`, { name: 'New' }, {}, on), 201),
  }
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(figures, {
    'list campaigns': 1,
    'get campaign': 1,
    'list characters': 1,
    'list 30 characters with includes': 1,
    'get character': 1,
    'get character with includes': 1,
    'list inventory': 1,
    'list notes': 1,
    search: 1,
    'create character': 5,
    'update character': 5,
    // By a caller who was not here before: identified, and confirmed once more in the write's own transaction.
    'create campaign': 6,
    'adjust campaign': 7,
    'create book': 6,
  })
})

test('no GET writes or locks anything, also where the owner of a seed has none', async () => {
  const { company_id, teller, C } = await newTable()
  const WRITES = /\b(INSERT INTO|UPDATE \w+|DELETE FROM|FOR (NO KEY )?(UPDATE|SHARE)|FOR KEY SHARE|nextval|pg_advisory)\b/i
  const readOnly = async (ask: () => Promise<Answer>, status: number) => {
    const { answer, asked } = await statementsOf(ask)
    assert.equal(answer.status, status, answer.text)
    for (const text of asked) assert.doesNotMatch(text, WRITES)
  }
  for (const op of operations.filter(({ method }) => method === 'GET')) {
    const { ask, caller } = await scene(op)
    for (let i = 0; i < 2; i++) await readOnly(() => call('GET', ask(), { key: caller.key, on }), 200)
  }
  await write(sql`DELETE FROM dice_seeds WHERE company_id = ${company_id}`)
  for (const path of ['/dice-seed', `${C}/dice-seed`, `${C}/secret-dice-seed`])
    for (let i = 0; i < 2; i++) await readOnly(() => teller.get(path, undefined, {}, on), 404)
})

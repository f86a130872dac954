import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Database, Tx } from '../src/db/client.ts'
import { type Answer, call, db, newApp, newCompany } from './harness.ts'

/** The same database, counting what is asked of it. BEGIN and COMMIT are not counted. */
let count = 0
const counted = <D extends object>(target: D): D =>
  new Proxy(target, {
    get: (object, name, self) => {
      const member = Reflect.get(object, name, self)
      if (name === 'query' || name === 'send') {
        return (...args: unknown[]) => {
          count++
          return (member as (...args: unknown[]) => unknown)(...args)
        }
      }
      if (name !== 'transaction') return member
      return (work: (tx: Tx) => Promise<unknown>) => (member as Database['transaction'])((tx) => work(counted(tx)))
    },
  })
const on = await newApp({}, undefined, counted(db))

async function statements(ask: () => Promise<Answer>, status: number): Promise<number> {
  count = 0
  const reply = await ask()
  assert.equal(reply.status, status, reply.text)
  return count
}

test('the statements of the hot paths are as few as they were measured', async (t) => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const post = (headers = {}) => call('POST', `${base}/users`, { key, on, headers, body: { name: 'A', role: 'PLAYER' } })
  const headers = { 'idempotency-key': randomUUID() }
  const figures = {
    'list users': await statements(() => call('GET', `${base}/users`, { key, on }), 200),
    'get user': await statements(() => call('GET', `${base}/users/${id}`, { key, on }), 200),
    'create user': await statements(() => post(), 201),
    'create user with a key': await statements(() => post(headers), 201),
    'replay of a key': await statements(() => post(headers), 201),
    'update user': await statements(() => call('PATCH', `${base}/users/${id}`, { key, on, body: { name: 'B' } }), 200),
    'a made-up key': await statements(() => call('GET', `${base}/users`, { key: 'glh_nonsense', on }), 401),
    'a foreign company': await statements(() => call('GET', `/api/v1/companies/${randomUUID()}/users`, { key, on }), 403),
  }
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(figures, {
    'list users': 2,
    'get user': 2,
    'create user': 3,
    'create user with a key': 5,
    'replay of a key': 1,
    'update user': 4,
    'a made-up key': 0,
    'a foreign company': 1,
  })
})

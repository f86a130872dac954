import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { sql } from '../src/db/sql.ts'
import { type Operation, operation } from '../src/http/operation.ts'
import { below, USER } from '../src/http/path.ts'
import { createCompany } from '../src/resources/companies/queries.ts'
import { operations } from '../src/resources/index.ts'
import { createUser } from '../src/resources/users/queries.ts'
import { call, db, newApp, newDeveloper } from './harness.ts'
import { ask, type Wire } from './service.ts'
import { follow } from './sse.ts'
import { channelOf, streaming } from './streaming.ts'
import { until } from './until.ts'

// What one developer can take of a process, and what another one gets then.

async function listen(env: Record<string, string>, more: Operation[] = []) {
  const app = await newApp(env, [...operations, ...streaming, ...more])
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** A developer, who can make any number of companies, users and tokens for free. */
async function newTenant() {
  const { key, id } = await newDeveloper()
  const company = async () => {
    const company_id = await db.transaction(async (tx) => (await createCompany(tx, id, { name: 'A company' })).company_id)
    /** A new user of the company, with a token. */
    const user = async () => {
      const user_id = await db.transaction(async (tx) => (await createUser(tx, company_id, { name: 'A player', role: 'PLAYER' })).after.id)
      const root = `/api/v1/companies/${company_id}/users/${user_id}`
      const newToken = async () => {
        const { token } = (await call('POST', `${root}/tokens`, { key, body: {} })).body as unknown as { token: string }
        return { authorization: `Bearer ${token}` }
      }
      return { root, headers: await newToken(), newToken }
    }
    return { company_id, base: `/api/v1/companies/${company_id}`, user }
  }
  return { key, id, company }
}

type Company = Awaited<ReturnType<Awaited<ReturnType<typeof newTenant>>['company']>>
type Reader = Awaited<ReturnType<typeof follow>>

/** Opens streams of new users, ten for each: `count` is a multiple of ten. */
async function openStreams(base: string, { user }: Company, count: number): Promise<Reader[]> {
  const open: Reader[] = []
  for (let users = 0; users < count / 10; users++) {
    const { root, headers } = await user()
    for (let i = 0; i < 10; i++) open.push(await follow(`${base}${root}/test/stream`, headers))
  }
  return open
}

const refusedStream = async (base: string, { user }: Company): Promise<Wire> => {
  const { root, headers } = await user()
  return ask({ base }, 'GET', `${root}/test/stream`, '', undefined, headers)
}

test('a developer who fills all streams with users and companies gives the newest ones back to another, until both have the same', async () => {
  const { app, base } = await listen({ STREAMS_MAX: '40' })
  const [greedy, modest] = [await newTenant(), await newTenant()]
  const [first, second] = [await greedy.company(), await greedy.company()]
  const ofGreedy = await openStreams(base, first, 40)
  assert.equal(app.streams.count, 40, 'what is free may be used by anybody')
  const full = await refusedStream(base, first)
  assert.deepEqual([full.status, full.body.code, full.headers.get('retry-after')], [503, 'too_many_streams', '10'])

  // A second company divides the share of its developer.
  const ofSecond = await openStreams(base, second, 20)
  for (const reader of ofGreedy.splice(20))
    assert.equal((await reader.last()).data, '{"reason":"crowded"}', 'the newest ones are given back')
  assert.equal((await refusedStream(base, second)).status, 503)

  const company = await modest.company()
  const ofModest = await openStreams(base, company, 20)
  assert.equal(app.streams.count, 40)
  for (const reader of [...ofGreedy.splice(10), ...ofSecond.splice(10)]) {
    const bye = await reader.last()
    const [, retry] = /^retry: (\d+)\nevent: bye\ndata: {"reason":"crowded"}$/.exec(bye.raw) ?? []
    assert.ok(Number(retry) >= 10_000 && Number(retry) <= 20_000, bye.raw)
  }
  for (const tenant of [first, second, company])
    assert.equal((await refusedStream(base, tenant)).status, 503, 'nothing passes back and forth')
  assert.deepEqual([app.streams.count, app.streams.ends.get('crowded')], [40, 40])
  for (const reader of [...ofGreedy, ...ofSecond, ...ofModest]) reader.close()
})

test('a developer who fills all waits with users and companies gives the newest ones back to another, which are answered at once', async () => {
  const { base } = await listen({ WAITS_MAX: '20' })
  const [greedy, modest] = [await newTenant(), await newTenant()]
  const [first, second, other] = [await greedy.company(), await greedy.company(), await modest.company()]
  const wakes = (company: Company) => channelOf(company.company_id).wakes
  const answered: string[] = []
  let requests: Promise<Wire>[] = []
  /** Begins to wait with new users, and resolves when all of these requests wait. */
  const wait = async (company: Company, name: string, count: number) => {
    for (let i = 0; i < count; i++) {
      const { root, headers } = await company.user()
      const settled = () => answered.length + wakes(first).size + wakes(second).size + wakes(other).size
      const before = settled()
      const request = ask({ base }, 'GET', `${root}/test/changes?after=0&wait=30`, '', undefined, headers)
      requests.push(request.finally(() => answered.push(`${name}${i}`)))
      await until(() => settled() > before, 'the request waits')
    }
  }
  const refused = async (company: Company) => {
    const { root, headers } = await company.user()
    const { status, body } = await ask({ base }, 'GET', `${root}/test/changes?after=0&wait=30`, '', undefined, headers)
    return `${status} ${body.code}`
  }
  await wait(first, 'a', 20)
  assert.equal(wakes(first).size, 20)
  assert.equal(await refused(first), '503 overloaded')
  await wait(second, 'b', 10)
  await wait(other, 'c', 10)
  assert.deepEqual([wakes(first).size, wakes(second).size, wakes(other).size], [5, 5, 10])
  for (const company of [first, second, other]) assert.equal(await refused(company), '503 overloaded')
  const newest = (name: string, from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${name}${from + i}`)
  assert.deepEqual(answered.toSorted(), [...newest('a', 5, 20), ...newest('b', 5, 10)].toSorted())
  for (const company of [first, second, other]) await channelOf(company.company_id).publish('Wake up')
  assert.deepEqual([...new Set((await Promise.all(requests)).map(({ status }) => status))], [200], 'given back is answered')
  // All slots are free again.
  requests = []
  for (const company of [first, second, other]) channelOf(company.company_id).position = 0
  await wait(first, 'd', 20)
  await channelOf(first.company_id).publish('Wake up')
  await Promise.all(requests)
})

test('a developer fills three quarters of the memory for bodies with any number of users, and every other one still sends theirs', async () => {
  const { base } = await listen({})
  const { hostname, port } = new URL(base)
  const [greedy, modest, last] = [await newTenant(), await newTenant(), await newTenant()]
  /** Begins 64 bodies of 256 kB with a new user of a company, which never arrive completely. */
  const begin = async ({ user }: Company) => {
    const { root, headers } = await user()
    const head = `POST ${root}/dice-rolls HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n`
    return Array.from({ length: 64 }, () => {
      const socket = dial(Number(port), hostname)
      after(() => socket.destroy())
      socket.on('error', () => {})
      socket.write(`${head}content-type: application/json\r\ncontent-length: 262144\r\n\r\n{"no`)
      return socket
    })
  }
  const roll = ({ root, headers }: Awaited<ReturnType<Company['user']>>) =>
    ask({ base }, 'POST', `${root}/dice-rolls`, '', { notation: '1d6' }, headers)
  /** Resolves when a request with a small body has this status. */
  const untilAnswered = (by: Awaited<ReturnType<Company['user']>>, status: number) =>
    until(async () => (await roll(by)).status === status, `an answer ${status}`)
  const company = await greedy.company()
  const sockets = [...(await begin(company)), ...(await begin(company)), ...(await begin(await greedy.company()))]
  const [ofGreedy, other, third] = [await company.user(), await modest.company(), await (await last.company()).user()]
  await untilAnswered(ofGreedy, 503)
  const refused = await roll(ofGreedy)
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, 'too_many_bodies', '1'])
  const ofModest = await other.user()
  assert.equal((await roll(ofModest)).status, 201)
  sockets.push(...(await begin(other)))
  await untilAnswered(ofModest, 503)
  assert.equal((await roll(third)).status, 201, 'one body at a time is never refused because of others')
  for (const socket of sockets) socket.destroy()
  for (const by of [ofGreedy, ofModest]) await untilAnswered(by, 201)
})

/** Replies with as many characters as are asked for. */
const large = operation({
  id: 'test.large',
  method: 'GET',
  path: below(USER, 'test', 'large'),
  needs: { key: 'USER' },
  summary: 'Read a long text',
  query: Type.Object({ length: Type.Integer({ minimum: 0 }) }),
  reply: [200, Type.Object({ text: Type.String() })],
  run: async ({ query: { length } }) => ({ text: 'x'.repeat(length) }),
})

test('a user who reads no responses gets none with a further token, and others of the same developer still do', async () => {
  const { base } = await listen({}, [large])
  const { hostname, port } = new URL(base)
  const tenant = await newTenant()
  const { user } = await tenant.company()
  const { root, headers, newToken } = await user()
  const path = `${root}/test/large?length=`
  const socket = dial(Number(port), hostname).pause()
  after(() => socket.destroy())
  // The kernel takes some of them, and 16 MB and more are left.
  socket.write(`GET ${path}6000000 HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n\r\n`.repeat(6))
  const read = (headers: Record<string, string>, key = '') => ask({ base }, 'GET', `${path}1`, key, undefined, headers)
  const isRefused = async () => (await read(headers)).body.code === 'too_much_unread'
  await until(isRefused, 'the share of the user to be used up')
  const further = await read(await newToken())
  assert.deepEqual([further.status, further.body.code], [503, 'too_much_unread'])
  assert.equal((await read({}, tenant.key)).status, 200)
  const other = await user()
  assert.equal((await ask({ base }, 'GET', `${other.root}/test/large?length=1`, '', undefined, other.headers)).status, 200)
  socket.destroy()
  await until(async () => !(await isRefused()), 'the share to come back')
})

test('a developer whose writes all wait for a lock keeps one connection free for another', async () => {
  const { app, base } = await listen({ DATABASE_WRITERS: '3', MAX_IN_FLIGHT: '24' })
  const [greedy, modest] = [await newTenant(), await newTenant()]
  const [company, second, other] = [await greedy.company(), await greedy.company(), await modest.company()]
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    for (const { company_id } of [company, second]) await tx.query(sql`SELECT id FROM companies WHERE id = ${company_id} FOR UPDATE`)
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const create = (tenant: { key: string }, { base: path }: Company) =>
    ask({ base }, 'POST', `${path}/users`, tenant.key, { name: 'A', role: 'PLAYER' })
  const waiting = [company, second].flatMap((each) => Array.from({ length: 6 }, () => create(greedy, each)))
  await until(() => app.load.inFlight >= waiting.length, 'all writes wait')
  for (let i = 0; i < 3; i++) assert.equal((await create(modest, other)).status, 201)
  held.resolve()
  await holding
  assert.deepEqual([...new Set((await Promise.all(waiting)).map(({ status }) => status))], [201])
})

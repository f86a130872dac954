import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { db, newCompany, newDatabase, newDeveloper, url } from './harness.ts'
import { holdRow, untilBlocked } from './locks.ts'
import { randomOf } from './random.ts'
import { ask, type Service, startService, type Wire } from './service.ts'
import { repeat, until } from './until.ts'

const random = randomOf()
const [one, two] = (await Promise.all([startService({ DATABASE_URL: url }), startService({ DATABASE_URL: url })])) as [Service, Service]

test('a hundred identical requests to two processes create one row and get equal replies', async () => {
  const { base, key, company_id } = await newCompany()
  const headers = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) => ask(i % 2 ? one : two, 'POST', `${base}/users`, key, { name: 'Once', role: 'PLAYER' }, headers)),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  const rows = await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id}`)
  assert.equal(rows.length, 1)
})

test('different bodies at once on two processes: one wins, the rest get 409', async () => {
  const { base, key } = await newCompany()
  const headers = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      ask(i % 2 ? one : two, 'POST', `${base}/users`, key, { name: `User ${i}`, role: 'PLAYER' }, headers),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(39).fill(409)])
})

test('a changed role is seen at once by the other process', async () => {
  const { base, key, user } = await newCompany()
  await user('ADMIN')
  const actor = await user('ADMIN')
  const asActor = { 'on-behalf-of': actor }
  assert.equal((await ask(two, 'GET', `${base}/audit-logs`, key, undefined, asActor)).status, 200)
  assert.equal((await ask(one, 'PATCH', `${base}/users/${actor}`, key, { role: 'PLAYER' })).status, 200)
  assert.equal((await ask(two, 'GET', `${base}/audit-logs`, key, undefined, asActor)).status, 403)
})

test('a removed grant is seen at once by the other process', async () => {
  const { base, key, developer } = await newCompany()
  const other = await developer('ADMIN')
  assert.equal((await ask(two, 'GET', `${base}/users`, other.key)).status, 200)
  assert.equal((await ask(one, 'DELETE', `${base}/developers/${other.id}`, key)).status, 204)
  assert.equal((await ask(two, 'GET', `${base}/users`, other.key)).status, 403)
})

test('a revoked key is seen at once by the other process', async () => {
  const { owner } = await newCompany()
  assert.equal((await ask(two, 'GET', '/api/v1/developers/me', owner.key)).status, 200)
  assert.equal((await ask(one, 'DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, owner.key)).status, 204)
  assert.equal((await ask(two, 'GET', '/api/v1/developers/me', owner.key)).status, 401)
})

test('the last ADMIN stays if two are demoted at once', async () => {
  for (let round = 0; round < 10; round++) {
    const { base, key, user, company_id } = await newCompany()
    const [a, b] = [await user('ADMIN'), await user('ADMIN')]
    const replies = await Promise.all([
      ask(one, 'PATCH', `${base}/users/${a}`, key, { role: 'PLAYER' }),
      round % 2 ? ask(two, 'DELETE', `${base}/users/${b}`, key) : ask(two, 'PATCH', `${base}/users/${b}`, key, { role: 'STORYTELLER' }),
    ])
    assert.deepEqual(replies.filter(({ status }) => status === 409).length, 1)
    const left = await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND role = 'ADMIN' AND date_archived IS NULL`)
    assert.equal(left.length, 1)
  }
})

test('the last OWNER stays if two are removed at once', async () => {
  for (let round = 0; round < 10; round++) {
    const { base, key, owner, developer, company_id } = await newCompany()
    const other = await developer('OWNER')
    const replies = await Promise.all([
      ask(one, 'DELETE', `${base}/developers/${owner.id}`, key),
      round % 2
        ? ask(two, 'PUT', `${base}/developers/${other.id}`, other.key, { permission: 'USER' })
        : ask(two, 'DELETE', `${base}/developers/${other.id}`, other.key),
    ])
    assert.equal(replies.filter(({ status }) => status === 409 || status === 403).length, 1, replies.map(({ text }) => text).join('\n'))
    const left = await db.query(sql`SELECT id FROM grants WHERE company_id = ${company_id} AND permission = 'OWNER'`)
    assert.equal(left.length, 1)
  }
})

test('deleting a developer that is in use never gives 500, and leaves every company an OWNER', async () => {
  const operator = await newDeveloper(true)
  for (let round = 0; round < 24; round++) {
    const { base, key, owner, developer, company_id } = await newCompany()
    const other = await developer('ADMIN')
    const replies = await Promise.all([
      ask(one, 'DELETE', `/api/v1/admin/developers/${other.id}`, operator.key),
      ask(two, 'PUT', `${base}/developers/${other.id}`, key, { permission: 'OWNER' }),
      [
        () => ask(one, 'DELETE', `${base}/developers/${owner.id}`, key),
        () => ask(one, 'POST', `/api/v1/admin/developers/${other.id}/keys`, operator.key),
        () => ask(two, 'POST', '/api/v1/companies', other.key, { name: 'Another' }),
        () => ask(two, 'POST', `/api/v1/developers/me/keys/${other.key_id}/rotate`, other.key),
      ][round % 4]?.() as Promise<Wire>,
    ])
    for (const { status, text } of replies) assert.ok(status < 500, text)
    assert.notEqual(replies[0]?.body?.code, 'reference_gone', 'a deletion waits for those who use it')
    const left = await db.query(sql`SELECT id FROM grants WHERE company_id = ${company_id} AND permission = 'OWNER'`)
    assert.ok(left.length > 0, `no OWNER is left: ${replies.map(({ status }) => status)}`)
  }
})

test('of many users with one external id at once, one is created', async () => {
  const { base, key } = await newCompany()
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      ask(i % 2 ? one : two, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER', external_id: 'same' }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(29).fill(409)])
})

test('a key rotated twice at once has one successor', async () => {
  const { owner } = await newCompany()
  const path = `/api/v1/developers/me/keys/${owner.key_id}/rotate`
  const replies = await Promise.all([
    ask(one, 'POST', path, owner.key, {}),
    ask(two, 'POST', path, owner.key, {}),
    ask(one, 'POST', path, owner.key, {}),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409])
})

test('no parallel patch of a user is lost: each is a version and an event', async () => {
  const { base, key, user, events } = await newCompany()
  const id = await user('PLAYER')
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => ask(i % 2 ? one : two, 'PATCH', `${base}/users/${id}`, key, { name: `Name ${i}` })),
  )
  assert.deepEqual(
    replies.map(({ body }) => body.version).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, i) => i + 2),
  )
  assert.equal((await events()).filter((type) => type === 'user.updated').length, 30)
  const raced = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      ask(i % 2 ? one : two, 'PATCH', `${base}/users/${id}`, key, { name: `Last ${i}` }, { 'if-match': '"31"' }),
    ),
  )
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)])
})

test('if a process is killed repeatedly under a retrying client, nothing is lost or done twice', async () => {
  const { base, key, company_id } = await newCompany()
  let service = await startService({ DATABASE_URL: url })
  const answered = new Map<string, string>()

  /** Sends a request until it is answered, always with the same Idempotency-Key. */
  async function insist(name: string): Promise<void> {
    const headers = { 'idempotency-key': `key of ${name}` }
    const send = () => ask(service, 'POST', `${base}/users`, key, { name, role: 'PLAYER' }, headers).catch(() => undefined)
    const reply = await until(async () => {
      const reply = await send()
      return reply?.status === 201 && reply
    }, `an answer to ${name}`)
    answered.set(name, reply.body.id)
  }
  const stop = repeat((i, client) => insist(`${client}-${i}`), 8)
  for (let round = 0; round < 3; round++) {
    // Kill during the work, however long the first answer takes on a busy machine.
    const enough = answered.size + 1 + random.below(20)
    await until(() => answered.size >= enough, 'answers')
    await service.kill('SIGKILL')
    service = await startService({ DATABASE_URL: url })
  }
  await stop()

  const rows = await db.query<{ id: string; name: string }>(sql`SELECT id, name FROM users WHERE company_id = ${company_id}`)
  assert.ok(rows.length > 5, `only ${rows.length} users were made`)
  assert.deepEqual(new Map(rows.map(({ id, name }) => [name, id])), answered)
  assert.equal(rows.length, answered.size)
  const events = await db.query(sql`SELECT id FROM events WHERE company_id = ${company_id}`)
  assert.equal(events.length, rows.length)
})

test('SIGTERM lets running requests finish, then the process exits with code 0', async () => {
  const service = await startService({ DATABASE_URL: url })
  const { base, key, company_id, user } = await newCompany()
  const id = await user('PLAYER')
  const release = await holdRow('users', company_id, id)
  const inFlight = ask(service, 'PATCH', `${base}/users/${id}`, key, { name: 'In flight' })
  await untilBlocked()
  const ended = service.kill('SIGTERM')
  const isReady = () =>
    fetch(`${service.base}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(async () => !(await isReady()), 'the process to drain')
  await release()
  assert.equal((await inFlight).status, 200)
  assert.equal(await ended, 0)
})

test('a second signal, more than a second later, ends the process at once', async () => {
  const service = await startService({ DATABASE_URL: url })
  const { base, key, company_id, user } = await newCompany()
  const id = await user('PLAYER')
  const release = await holdRow('users', company_id, id)
  const lost = ask(service, 'PATCH', `${base}/users/${id}`, key, { name: 'Lost' }).catch(() => 'lost')
  await untilBlocked()
  // The request waits for the row, so the process does not end by itself. Signals within a second count as one.
  let code: number | null | undefined
  await until(() => {
    void service.kill('SIGTERM').then((ended) => {
      code = ended
    })
    return code !== undefined
  }, 'the end')
  assert.equal(code, 1)
  await release()
  await lost
})

test('two processes that start at once on an empty database both become ready', async () => {
  const fresh = await newDatabase({ empty: true })
  const services = await Promise.all([startService({ DATABASE_URL: fresh }), startService({ DATABASE_URL: fresh })])
  for (const service of services) {
    assert.match(service.output(), /developers create operator --global-admin/)
    assert.equal((await fetch(`${service.base}/health/ready`)).status, 200)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type Database } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { record } from '../src/events/record.ts'
import { runSequencer, sequence } from '../src/events/sequencer.ts'
import { db, engine, pooler, url } from './harness.ts'
import { randomOf } from './random.ts'
import { repeat } from './until.ts'

const WRITERS = 8
const ROUNDS = 30
const RESOURCES = 5

interface Written {
  id: string
  resource_id: string
  version: number
}

const random = randomOf()

interface Placed extends Written {
  position: number
}

const ofCompany = (company_id: string) =>
  db.query<Placed>(sql`
    SELECT f.position, e.id, e.resource_id, e.version FROM feed f JOIN events e ON e.company_id = ${company_id} AND e.id = f.event_id
    WHERE f.company_id = ${company_id} ORDER BY f.position`)

const waiting = (company_id: string) => db.query(sql`SELECT id FROM outbox WHERE company_id = ${company_id}`)

test('while many write, and some roll back, every committed event gets one position, without gaps and in the order of versions', async () => {
  const companies = [crypto.randomUUID(), crypto.randomUUID()]
  const resources = companies.map(() => Array.from({ length: RESOURCES }, () => ({ id: crypto.randomUUID(), version: 0 })))
  const processes = [db, connect(url, { readers: 1, writers: 4, pooler, engine }), connect(url, { readers: 1, writers: 4, pooler, engine })]
  let committed = 0
  // A row of each resource is locked while it is changed, so that its versions are committed in their order. Here a promise is the lock.
  const locks = resources.map((ofCompany) => ofCompany.map(() => Promise.resolve()))
  const change = async (which: number, process: number) => {
    const [i, rollsBack] = [random.below(RESOURCES), random.next() < 0.2]
    const [company_id, resource] = [companies[which] as string, resources[which]?.[i] as { id: string; version: number }]
    const work = async () => {
      const version = resource.version + 1
      await processes[process]
        ?.transaction(async (tx) => {
          const after = { id: resource.id, version, name: `Version ${version}` }
          record(tx, [{ type: 'user.updated', before: { id: resource.id, version: version - 1 }, after }], {
            company_id,
            developer_id: null,
            user_id: null,
            request_id: null,
          })
          await tx.query(sql`SELECT 1 AS one`)
          if (random.next() < 0.3) await tx.query(sql`SELECT pg_sleep(${random.next() * 0.03})`)
          if (rollsBack) throw new Error('rolled back')
        })
        .then(
          () => {
            resource.version = version
            committed++
          },
          (error) => assert.equal((error as Error).message, 'rolled back'),
        )
    }
    const lock = locks[which] as Promise<void>[]
    const turn = (lock[i] as Promise<void>).then(work)
    lock[i] = turn
    await turn
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let round = 0; round < ROUNDS; round++) await change((writer + round) % 2, writer % processes.length)
  })
  const stop = repeat(async (_, process) => {
    await sequence(processes[process] as Database)
    await db.query(sql`SELECT pg_sleep(${random.next() * 0.01})`)
  }, processes.length)
  await Promise.all(writers)
  await stop()
  // The first run may only create the head of a feed.
  for (let i = 0; i < 2; i++) await sequence(db)
  let found = 0
  for (const company_id of companies) {
    assert.deepEqual(await waiting(company_id), [])
    const placed = await ofCompany(company_id)
    found += placed.length
    assert.deepEqual(
      placed.map(({ position }) => position),
      placed.map((_, i) => i + 1),
    )
    const versions = new Map<string, number>()
    for (const { resource_id, version } of placed) {
      assert.equal(version, (versions.get(resource_id) ?? 0) + 1, 'no version is lost or comes before an earlier one')
      versions.set(resource_id, version)
    }
    const [head] = await db.query<{ first: number; last: number }>(sql`SELECT first, last FROM feed_heads WHERE company_id = ${company_id}`)
    assert.deepEqual(head, { first: 1, last: placed.length })
  }
  assert.equal(found, committed)
  for (const process of processes.slice(1)) await process.close()
})

test('a run says if it has left events: of a new feed, or of one that another process has locked', async () => {
  const company_id = crypto.randomUUID()
  const origin = { company_id, developer_id: null, user_id: null, request_id: null }
  const write = () =>
    db.transaction(async (tx) =>
      record(tx, [{ type: 'user.updated', before: null, after: { id: crypto.randomUUID(), version: 1, name: 'One' } }], origin),
    )
  const advances = (last: number) => [{ company_id, last }]
  await write()
  assert.deepEqual(await runSequencer(db), { advances: [], events: 0, isIncomplete: true })
  assert.deepEqual(await runSequencer(db), { advances: advances(1), events: 1, isIncomplete: false })
  for (let i = 0; i < 3; i++) await write()
  const other = connect(url, { readers: 1, writers: 1, pooler, engine })
  await other.transaction(async (tx) => {
    await tx.query(sql`SELECT last FROM feed_heads WHERE company_id = ${company_id} FOR UPDATE`)
    assert.deepEqual(await runSequencer(db), { advances: [], events: 0, isIncomplete: true })
  })
  await other.close()
  assert.deepEqual(await runSequencer(db), { advances: advances(4), events: 3, isIncomplete: false })
  assert.deepEqual(await runSequencer(db), { advances: [], events: 0, isIncomplete: false })
})

test('a run takes companies in turn, and one whose events cannot get positions does not stop the others', async () => {
  const ids = Array.from({ length: 203 }, () => crypto.randomUUID()).sort()
  const write = (company_id: string) =>
    db.transaction(async (tx) =>
      record(tx, [{ type: 'user.updated', before: null, after: { id: crypto.randomUUID(), version: 1, name: 'One' } }], {
        company_id,
        developer_id: null,
        user_id: null,
        request_id: null,
      }),
    )
  const runAll = async () => {
    const first = await runSequencer(db)
    const rest = await runSequencer(db, first.after)
    assert.deepEqual([first.after, rest.after, rest.isIncomplete], [ids[199], undefined, true])
    return [...first.advances, ...rest.advances]
  }
  await Promise.all(ids.map(write))
  assert.deepEqual(await runAll(), [], 'the feeds are new')
  assert.deepEqual(
    await runAll(),
    ids.map((company_id) => ({ company_id, last: 1 })),
  )
  const [faulty = '', ...others] = ids.slice(0, 3)
  await Promise.all([faulty, ...others].map(write))
  // A position that is taken already.
  const taken = sql`INSERT INTO feed (company_id, position, event_id, date_created) VALUES (${faulty}, 2, ${faulty}, ${new Date()})`
  await db.transaction(async (tx) => tx.query(taken))
  const { advances, fault, isIncomplete } = await runSequencer(db)
  assert.deepEqual(
    advances,
    others.map((company_id) => ({ company_id, last: 2 })),
  )
  assert.match(String(fault), /duplicate key/)
  assert.equal(isIncomplete, true)
  await db.transaction(async (tx) => tx.query(sql`DELETE FROM feed WHERE company_id = ${faulty} AND event_id = ${faulty}`))
  assert.deepEqual(await sequence(db), [{ company_id: faulty, last: 2 }])
})

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Type } from '@guildhall/rules/type'
import { assertInTransaction } from '../src/db/assert-in-transaction.ts'
import { connect, type Database, type Db, type Tx } from '../src/db/client.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown, ReadTimeout } from '../src/db/driver/connection-errors.ts'
import { compile, sql } from '../src/db/sql.ts'
import { operation } from '../src/http/operation.ts'
import { below, COMPANY } from '../src/http/path.ts'
import { IdempotentRequests } from '../src/http/request/idempotency.ts'
import { assertProblem, call, db, engine, newApp, newCompany, pooler, url, write } from './harness.ts'
import { hold, holdRow, newWaitingApp, untilBlocked } from './locks.ts'
import { randomOf } from './random.ts'
import { until } from './until.ts'

const random = randomOf()
const watcher = connect(url, { readers: 1, writers: 1, pooler, engine })
after(() => watcher.close())

// A table whose first COMMIT is slow enough to lose the connection in the middle of it.
for (const statement of [
  sql`CREATE TABLE things (id uuid PRIMARY KEY)`,
  sql`CREATE SEQUENCE commits`,
  sql`CREATE FUNCTION slow_once() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF nextval('commits') = 1 THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NULL; END $$`,
  sql`CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_once()`,
]) {
  await write(statement)
}
let releaseCommits = async () => {}
const nextCommitIsSlow = async () => {
  releaseCommits = await hold(sql`SELECT pg_advisory_xact_lock(1), setval('commits', 1, false)`)
}
const things = async () => (await watcher.query<{ id: string }>(sql`SELECT id FROM things`)).map(({ id }) => id)
const insert = (id: string) => sql`INSERT INTO things (id) VALUES (${id})`

/** Ends the connections of statements that wait for a lock, and waits until they are gone. */
async function killBlocked(pattern: string) {
  const pids = await untilBlocked(1, pattern)
  await watcher.query(sql`SELECT pg_terminate_backend(pid) FROM unnest(${pids}::int[]) pid`)
  await until(async () => !(await watcher.query(sql`SELECT FROM pg_stat_activity WHERE pid = ANY (${pids}::int[])`)).length, 'their end')
}

/** Ends the connection that is in the middle of its COMMIT. */
async function killTheCommit() {
  await killBlocked('COMMIT')
  await releaseCommits()
}

test('a transaction with a failed statement is not committed, even if the error was caught', async () => {
  const id = randomUUID()
  const work = db.transaction(async (tx) => {
    await tx.query(insert(id))
    await tx.query(sql`SELECT 1 / ${0}::int`).catch(() => {})
    return 'fine'
  })
  await assert.rejects(work, /ROLLBACK/)
  assert.equal((await things()).includes(id), false)
})

test('a statement that is only sent fails its transaction, too', async () => {
  const id = randomUUID()
  const work = db.transaction(async (tx) => {
    await tx.query(insert(id))
    tx.send(insert(id))
    return 'fine'
  })
  await assert.rejects(work, { code: '23505' })
  assert.equal((await things()).includes(id), false)
})

test('after a deadlock the transaction is retried, and both succeed', async () => {
  const [a, b] = [randomUUID(), randomUUID()]
  await db.transaction(async (tx) => {
    await tx.query(insert(a))
    await tx.query(insert(b))
  })
  const lock = (id: string) => sql`SELECT id FROM things WHERE id = ${id} FOR UPDATE`
  let [runs, locked] = [0, 0]
  const both = (first: string, second: string) =>
    db.transaction(async (tx) => {
      runs++
      await tx.query(lock(first))
      locked++
      await until(() => locked >= 2, 'both to hold a lock')
      await tx.query(lock(second))
      return 'done'
    })
  assert.deepEqual(await Promise.all([both(a, b), both(b, a)]), ['done', 'done'])
  assert.ok(runs > 2, 'one of them was retried')
})

test('a connection lost during the work means that nothing was done, and the next one works', async () => {
  for (let round = 0; round < 20; round++) {
    const id = randomUUID()
    const work = db.transaction(async (tx) => {
      await tx.query(insert(id))
      const [backend] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await watcher.query(sql`SELECT pg_terminate_backend(${backend?.pid}::int)`)
      await tx.query(sql`SELECT 1`)
    })
    await assert.rejects(work, DatabaseUnavailable)
    assert.equal((await things()).includes(id), false)
  }
  assert.deepEqual(await db.query(sql`SELECT 1 AS one`), [{ one: 1 }])
})

test('a connection lost during COMMIT means that the outcome is unknown', async () => {
  await nextCommitIsSlow()
  const work = db.transaction((tx) => tx.query(insert(randomUUID())))
  await Promise.all([assert.rejects(work, OutcomeUnknown), killTheCommit()])
})

/** Creates a table whose COMMIT a Citus coordinator answers with the error of a lost worker. */
const createLosingTable = async (name: string, code: string, message: string) => {
  for (const statement of [
    sql`CREATE TABLE ${sql.id(name)} (id uuid PRIMARY KEY)`,
    sql`CREATE FUNCTION ${sql.id(`lose_${name}`)}() RETURNS trigger LANGUAGE plpgsql AS ${sql.raw(`
        $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = '${message}'; END $$`)}`,
    sql`CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON ${sql.id(name)} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION ${sql.id(`lose_${name}`)}()`,
  ])
    await write(statement)
}

test('a worker of a cluster that is lost during COMMIT means that the outcome is unknown, and keeps our connection', async () => {
  const one = connect(url, { readers: 1, writers: 1, pooler, engine })
  const backend = async (tx: Tx) => (await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid
  try {
    await createLosingTable('lost_at_commit', 'XX000', 'could not commit transaction for shard 102008 on at least one active node')
    await createLosingTable('failed_at_commit', 'XX000', 'cache lookup failed for relation 102008')
    const pid = await one.transaction(backend)
    const inserted = (name: string) => one.transaction((tx) => tx.query(sql`INSERT INTO ${sql.id(name)} (id) VALUES (${randomUUID()})`))
    await assert.rejects(inserted('lost_at_commit'), OutcomeUnknown)
    await assert.rejects(inserted('failed_at_commit'), { code: 'XX000' })
    // Before COMMIT, the same error means that nothing was done.
    const lost = one.transaction((tx) =>
      tx.query(sql`DO $$ BEGIN RAISE connection_failure
      USING MESSAGE = 'connection to the remote node guildhall@worker1:5432 failed'; END $$`),
    )
    await assert.rejects(lost, DatabaseUnavailable)
    if (!pooler) assert.equal(await one.transaction(backend), pid, 'the connection to the coordinator was replaced')
  } finally {
    await one.close()
  }
})

/** Ends the connection that writes, so many times, while its COMMIT waits behind a slow statement. Returns how often the row was written. */
async function writeAndEnd(times: number): Promise<number> {
  const id = randomUUID()
  const release = await hold(sql`SELECT pg_advisory_xact_lock(2)`)
  const work = db.transaction(async (tx) => {
    tx.send(insert(id))
    tx.send(sql`SELECT pg_advisory_xact_lock(2), ${id} AS of_the_commit`)
  })
  work.catch(() => {})
  for (let i = 0; i < times; i++) await killBlocked('%of_the_commit%')
  await release()
  const count = async () => (await things()).filter((one) => one === id).length
  try {
    await work
  } catch (error) {
    assert.equal(await count(), 0)
    throw error
  }
  return count()
}

test('a connection that the database ends before COMMIT means that nothing was done, though COMMIT was sent: the work is repeated', async () => {
  assert.equal(await writeAndEnd(1), 1)
  assert.equal(await writeAndEnd(2), 1)
  await assert.rejects(writeAndEnd(3), DatabaseUnavailable)
})

test('a read whose connection the database ends is repeated', async () => {
  const release = await hold(sql`SELECT pg_advisory_xact_lock(3)`)
  const read = watcher.query(sql`SELECT pg_advisory_xact_lock_shared(3)::text, 7 AS seven, 'read that is ended' AS name`)
  const [pid] = await untilBlocked(1, '%read that is ended%')
  await write(sql`SELECT pg_terminate_backend(${pid}::int)`)
  await release()
  assert.equal((await read)[0]?.seven, 7)
})

const pidOf = async (on: Db) => Number((await on.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid)
/** The backends of a short read and of a transaction. A pooler lends any. */
const pidsOf = async (on: Database) => (pooler ? [] : [await pidOf(on), await on.transaction(pidOf)])
/** Waits until the watchdog has destroyed a connection that is silent from now on. */
const untilWatchdogBites = (on: Database) => assert.rejects(on.longReads.query(sql`SELECT pg_sleep(10)`), DatabaseUnavailable)

test('a value that cannot be parsed or converted fails its own statement only', async () => {
  const one = connect(url, { readers: 1, writers: 1, maxSilenceMs: 1000, pooler, engine })
  try {
    const fine = () => one.query(sql`SELECT 1 AS one`)
    const [first, bad, last] = await Promise.allSettled([fine(), one.query(sql`SELECT '0044-03-15 BC'::timestamptz AS ides`), fine()])
    assert.deepEqual([first.status, bad.status, last.status], ['fulfilled', 'rejected', 'fulfilled'])
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    await assert.rejects(one.query(sql`SELECT ${ring}::jsonb`), /circular/)
    const id = randomUUID()
    const work = one.transaction(async (tx) => {
      tx.send(insert(id))
      tx.send(sql`SELECT ${ring}::jsonb`)
    })
    await assert.rejects(work, /circular/)
    assert.equal((await things()).includes(id), false, 'a transaction is not committed without a statement that could not be sent')
    // No reply is expected for it: otherwise the watchdog would destroy these connections before the one that is silent from now on.
    const before = await pidsOf(one)
    await untilWatchdogBites(one)
    assert.deepEqual(await pidsOf(one), before)
  } finally {
    await one.close()
  }
})

test('connections that end while they are being opened do not end the process', async () => {
  const fragile = connect(url, { readers: 2, writers: 6, pooler, engine })
  const kill = () =>
    watcher
      .query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guildhall' AND datname = current_database()
        AND pid <> pg_backend_pid() ORDER BY pid::bigint * ${1 + random.below(1000)}::int % 101 LIMIT 3`)
      .catch(() => {})
  const outcomes = new Set<string>()
  const work = Array.from({ length: 12 }, async () => {
    for (let i = 0; i < 60; i++) {
      if (random.below(10) === 0) await kill()
      await fragile
        .transaction((tx) => tx.query(sql`SELECT 1 AS one`))
        .then(
          () => outcomes.add('done'),
          (error) => outcomes.add(error.constructor.name),
        )
    }
  })
  await Promise.all(work)
  await fragile.close()
  assert.ok(outcomes.has('done'))
  for (const name of outcomes) assert.ok(['done', 'DatabaseUnavailable', 'OutcomeUnknown', 'DatabaseBusy'].includes(name), name)
})

test('reads behind a statement that could not be prepared get 503, not 500', async () => {
  const { app } = await newWaitingApp(200)
  const { key } = await newCompany()
  const release = await hold(sql`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
  const replies = Array.from({ length: 8 }, () => call('GET', '/api/v1/developers/me', { key, on: app }))
  assert.equal((await Promise.race(replies)).status, 503)
  await release()
  for (const { status, text } of await Promise.all(replies)) assert.ok(status === 503 || status === 200, text)
  assert.equal((await call('GET', '/api/v1/developers/me', { key, on: app })).status, 200)
})

test('a write with an Idempotency-Key looks for its stored reply before it gives up', async () => {
  const claim = {
    company_id: randomUUID(),
    developer_id: randomUUID(),
    key: 'k',
    key_hash: randomBytes(32),
    body_hash: randomBytes(32),
    secret: false,
    role: null,
  }
  let runs = 0
  const lost = async () => {
    // The third COMMIT happens, but its answer is lost.
    if (++runs === 3) {
      await write(sql`INSERT INTO idempotency_keys (company_id, developer_id, key_hash, body_hash, status, body, date_created)
        VALUES (${claim.company_id}, ${claim.developer_id}, ${claim.key_hash}, ${claim.body_hash}, 201, ${Buffer.from('{}')}, now())`)
    }
    throw new OutcomeUnknown('lost')
  }
  const answer = await new IdempotentRequests(db).run(claim, null, lost)
  assert.deepEqual([answer.status, Boolean(answer.replayed), runs], [201, true, 3])
  const never = { ...claim, key_hash: randomBytes(32) }
  await assert.rejects(
    new IdempotentRequests(db).run(never, null, async () => Promise.reject(new OutcomeUnknown('lost'))),
    OutcomeUnknown,
  )
})

const make = operation({
  id: 'test.make',
  method: 'POST',
  path: below(COMPANY, 'things'),
  needs: { key: 'USER' },
  summary: 'Make a thing',
  reply: [201, Type.Object({ id: Type.String() })],
  emits: ['user.created'],
  run: async ({ db }) => {
    const id = db.newId()
    await db.query(insert(id))
    return { before: null, after: { id } }
  },
})
const on = await newApp({}, [make])

test('a write whose COMMIT got no answer is 503 without Retry-After; with a key it is answered, and done once', async () => {
  const { base, key, events } = await newCompany()
  await nextCommitIsSlow()
  const [reply] = await Promise.all([call('POST', `${base}/things`, { key, on }), killTheCommit()])
  assertProblem(reply, 503)
  assert.deepEqual([reply.body.code, reply.headers['retry-after']], ['outcome_unknown', undefined])

  const before = (await things()).length
  await nextCommitIsSlow()
  const headers = { 'idempotency-key': randomUUID() }
  const [keyed] = await Promise.all([call('POST', `${base}/things`, { key, on, headers }), killTheCommit()])
  assert.equal(keyed.status, 201, keyed.text)
  assert.equal((await call('POST', `${base}/things`, { key, on, headers })).text, keyed.text)
  assert.equal((await things()).length, before + 1)
  assert.equal((await events()).length, 1)
})

test('the order of fields in a body makes no difference to statements', {
  skip: pooler && 'behind a pooler no statement is prepared',
}, async () => {
  const { base, key, user } = await newCompany()
  const one = connect(url, { readers: 1, writers: 1, pooler, engine })
  const app = await newApp({}, undefined, one)
  const path = `${base}/users/${await user('PLAYER')}`
  const fields: [string, string][] = [
    ['name', 'a'],
    ['email', 'a@example.com'],
    ['external_id', 'x'],
  ]
  const patch = (order: [string, string][], n: number) =>
    call('PATCH', path, {
      key,
      on: app,
      body: Object.fromEntries(order.map(([name, value]) => [name, `${n}${value}`])),
    })
  for (let i = 0; i < 3; i++) assert.equal((await patch([...fields.slice(i), ...fields.slice(0, i)], i)).status, 200)
  const prepared = await one.transaction((tx) =>
    tx.query(sql`SELECT name FROM pg_prepared_statements WHERE statement LIKE 'UPDATE "users"%'`),
  )
  assert.equal(prepared.length, 1)
  await app.close()
  await one.close()
})

test('a failed statement that was sent ahead decides the answer: a lock timeout is busy, a deadlock is retried', async () => {
  const { base, key, user, company_id } = await newCompany()
  const teller = `${base}/users/${await user('STORYTELLER')}`
  const campaign = (await call('POST', `${teller}/campaigns`, { key, body: { name: 'Held' } })).body.id
  const character = (await call('POST', `${teller}/campaigns/${campaign}/characters`, { key, body: { name: 'Held too' } })).body.id
  const release = await holdRow('campaigns', company_id, campaign)
  const { app } = await newWaitingApp(200)
  const busy = await call('POST', `${teller}/campaigns/${campaign}/notes`, { key, body: { title: 'x' }, on: app })
  assert.deepEqual([busy.status, busy.body.code], [503, 'database_busy'])
  await release()
  // The other transaction locks both in the opposite order; one of them is aborted and retried, and both succeed.
  const lock = (table: string, id: string) => sql`SELECT 1 FROM ${sql.id(table)} WHERE company_id = ${company_id} AND id = ${id} FOR UPDATE`
  const locked = Promise.withResolvers<void>()
  let blocked: Promise<unknown> | undefined
  const crossed = db.transaction(async (tx) => {
    await tx.query(lock('characters', character))
    locked.resolve()
    blocked ??= untilBlocked()
    await blocked
    await tx.query(lock('campaigns', campaign))
  })
  await locked.promise
  const [reply] = await Promise.all([
    call('POST', `${teller}/campaigns/${campaign}/characters/${character}/notes`, { key, body: { title: 'x' } }),
    crossed,
  ])
  assert.equal(reply.status, 201, reply.text)
})

test('short reads avoid a connection that is busy with a long statement', async () => {
  const many = connect(url, { readers: 3, writers: 1, pooler, engine, maxWaitMs: 60_000 })
  try {
    const short = () => Promise.all(Array.from({ length: 20 }, () => many.query(sql`SELECT 1 AS one`)))
    await short()
    const release = await hold(sql`SELECT pg_advisory_xact_lock(4)`)
    const long = many.query(sql`SELECT pg_advisory_xact_lock_shared(4)::text`)
    await untilBlocked()
    // A short read that waited for the long one would never end.
    await short()
    await short()
    await release()
    await long
  } finally {
    await many.close()
  }
})

test('many reads of two clients at once each get their own answer', async () => {
  const clients = [1, 2].map(() => connect(url, { readers: 2, writers: 1, pooler, engine }))
  // Several of these do not fit into a buffer of a pooler, which then reads a part of a statement.
  const long = 'x'.repeat(3000)
  const ask = async (db: Db, n: number) => {
    const rows = await db.query(sql`SELECT ${n}::int AS n, length(${long}::text) AS length`)
    assert.deepEqual(rows, [{ n, length: 3000 }])
  }
  try {
    for (let round = 0; round < 300; round++)
      await Promise.all(clients.flatMap((db, i) => Array.from({ length: 40 }, (_, j) => ask(db, round * 80 + i * 40 + j))))
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
})

test('long reads run one at a time on connections of their own, and end after two seconds', async () => {
  const some = connect(url, { readers: 4, writers: 1, pooler, engine })
  const backends = async (db: Db, count: number, sleep: number) => {
    const asked = Array.from({ length: count }, () => db.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid, pg_sleep(${sleep})`))
    return (await Promise.all(asked)).flatMap((rows) => rows.map(({ pid }) => pid))
  }
  try {
    const [long, short] = await Promise.all([backends(some.longReads, 20, 0.02), backends(some, 20, 0.001)])
    if (!pooler) {
      assert.equal(new Set(long).size, 2, 'half of the connections are for long reads')
      assert.deepEqual(
        short.filter((pid) => long.includes(pid)),
        [],
        'and no other read waits for them',
      )
    }
    // Four reads on two connections: none is pipelined behind another, because its time limit would already be running.
    await assert.rejects(some.longReads.query(sql`SELECT pg_sleep(3)`), ReadTimeout)
    assert.equal((await backends(some.longReads, 4, 1.5)).length, 4)
    await assert.rejects(some.longReads.query(sql`SELECT nonsense`), { code: '42703' })
    assert.deepEqual(await some.longReads.query(sql`SELECT 1 AS one`), [{ one: 1 }])
  } finally {
    await some.close()
  }
})

test('a long read that waits too long for a connection fails because the database is busy', async () => {
  const one = connect(url, { readers: 2, writers: 1, pooler, engine, maxWaitMs: 200 })
  try {
    const running = one.longReads.query(sql`SELECT pg_sleep(1)`)
    const waiting = await Promise.allSettled(Array.from({ length: 5 }, () => one.longReads.query(sql`SELECT 1 AS one`)))
    for (const end of waiting) assert.ok(end.status === 'rejected' && end.reason instanceof DatabaseBusy, end.status)
    await running
    assert.deepEqual(await one.longReads.query(sql`SELECT 1 AS one`), [{ one: 1 }])
  } finally {
    await one.close()
  }
})

test('a database that has stopped answering is given up, by reads and by transactions', {
  skip: pooler && 'the pooler keeps answering',
}, async () => {
  const one = connect(url, { readers: 1, writers: 1, maxSilenceMs: 500 })
  const asks: ((stop: (pid: number) => void) => Promise<unknown>)[] = [
    async (stop) => {
      stop(await pidOf(one))
      await Promise.all([one.query(sql`SELECT 1 AS one`), one.query(sql`SELECT 2 AS two`)])
    },
    (stop) =>
      one.transaction(async (tx) => {
        stop(await pidOf(tx))
        await tx.query(sql`SELECT 1 AS one`)
      }),
  ]
  try {
    for (const ask of asks) {
      let stopped = 0
      const stop = (pid: number) => {
        stopped = pid
        process.kill(pid, 'SIGSTOP')
      }
      await assert.rejects(ask(stop), DatabaseUnavailable).finally(() => process.kill(stopped, 'SIGCONT'))
      assert.deepEqual(await one.query(sql`SELECT 1 AS one`), [{ one: 1 }])
      assert.deepEqual(await one.transaction((tx) => tx.query(sql`SELECT 1 AS one`)), [{ one: 1 }])
    }
    // A connection that answers slowly, or is idle, is not silent.
    const before = await pidsOf(one)
    await Promise.all([untilWatchdogBites(one), ...Array.from({ length: 15 }, () => one.query(sql`SELECT pg_sleep(0.1)`))])
    await untilWatchdogBites(one)
    assert.deepEqual(await pidsOf(one), before)
  } finally {
    await one.close()
  }
})

test('a failed statement that was sent ahead is the reason of the failure, with its explanation, whatever the work does', async () => {
  const id = randomUUID()
  const refused = new Error('not so')
  const withCondition = (holds: boolean | null, then: (tx: Tx) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      assertInTransaction(tx, sql`(SELECT ${holds}::boolean)`, () => {
        throw refused
      })
      return then(tx)
    })
  assert.deepEqual(await withCondition(true, (tx) => tx.query(sql`SELECT 1 AS one`)), [{ one: 1 }])
  for (const holds of [false, null]) {
    const works: ((tx: Tx) => Promise<unknown>)[] = [
      async (tx) => tx.send(insert(id)),
      (tx) => tx.query(insert(id)),
      (tx) => tx.query(insert(id)).catch(() => 'swallowed'),
      async () => Promise.reject(new Error('the work failed too')),
    ]
    for (const work of works) await assert.rejects(withCondition(holds, work), refused)
  }
  assert.equal((await things()).includes(id), false)
  const twice = db.transaction(async (tx) => {
    tx.send(insert(id))
    const again = tx.query(insert(id))
    tx.send(sql`SELECT 1 AS one`)
    await again
  })
  await assert.rejects(twice, { code: '23505' })
  // The connection is lost before ROLLBACK: the reason is still that of the work.
  const lost = db.transaction(async (tx) => {
    const [backend] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
    await watcher.query(sql`SELECT pg_terminate_backend(${backend?.pid}::int)`)
    throw refused
  })
  await assert.rejects(lost, refused)
  assert.deepEqual(await db.transaction((tx) => tx.query(sql`SELECT 1 AS one`)), [{ one: 1 }])
})

test('reads cannot write: neither the compiler nor PostgreSQL allows it', async () => {
  // Only compiled: none of the objects that read may stand where a writing verb needs a transaction.
  const writes = (tx: Tx) => tx.send(insert(randomUUID()))
  // @ts-expect-error A Database is not a Tx.
  const byDatabase = () => writes(db)
  // @ts-expect-error Nor are its long reads.
  const byLongReads = () => writes(db.longReads)
  // @ts-expect-error Nor is the Db that queries take.
  const byDb = (reader: Db) => writes(reader)
  assert.deepEqual(
    [byDatabase, byLongReads, byDb].map(({ length }) => length),
    [0, 0, 1],
  )

  const refused = { code: '25006' }
  const statements = [insert(randomUUID()), sql`SELECT id FROM things FOR KEY SHARE`, sql`SELECT nextval('commits')`]
  for (const statement of statements) {
    await assert.rejects(db.longReads.query(statement), refused)
    // A transaction pooler refuses the settings of a session: there a short read is held to this by its type alone.
    if (!pooler) await assert.rejects(db.query(statement), refused)
  }
  await db.transaction((tx) => tx.query(insert(randomUUID())))
})

test('the same template makes different statements for values and for pieces', () => {
  const both = (a: unknown, b: unknown) => compile(sql`SELECT ${a}, ${b}`)
  const piece = sql`now()`
  assert.deepEqual([both(1, piece).text, both(piece, 1).text, both(1, 2).text], ['SELECT $1, now()', 'SELECT now(), $1', 'SELECT $1, $2'])
  assert.deepEqual([both(piece, 7).values, both(7, piece).values], [[7], [7]])
  const names = Array.from({ length: 4 }, () => compile(sql`SELECT 'often'`).name)
  assert.deepEqual([names[0], names[1]], [undefined, undefined], 'a statement that is used rarely has no name')
  assert.ok(names[2] && names[2] === names[3])
})

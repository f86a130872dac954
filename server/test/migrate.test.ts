import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { SETTINGS } from '../src/db/driver/settings.ts'
import { migrate, migrations } from '../src/db/migrate.ts'
import { sql } from '../src/db/sql.ts'
import { engine, newDatabase, pooler, write } from './harness.ts'
import { guildhall } from './service.ts'
import { until } from './until.ts'

const known = migrations()
const next = { version: 9999, name: '9999_next.sql', checksum: 'x', text: 'ALTER TABLE users ADD COLUMN next_thing int' }

test('migrations apply once, even if five processes start at once', async () => {
  const url = await newDatabase({ empty: true })
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, { pooler })))
  assert.deepEqual(
    applied.flat().sort(),
    known.map(({ name }) => name),
  )
  assert.deepEqual(await migrate(url, { pooler }), [])
})

test('a migration that fails leaves nothing behind', async () => {
  const url = await newDatabase({ empty: true })
  const broken = { ...next, text: 'CREATE TABLE half (id int); SELECT nonsense' }
  await assert.rejects(migrate(url, { pooler, known: [...known, broken] }), /nonsense/)
  assert.deepEqual(await migrate(url, { pooler }), [], 'those before it stand')
  assert.deepEqual(await migrate(url, { pooler, known: [...known, { ...next, text: 'CREATE TABLE half (id int)' }] }), [next.name])
})

test('a changed migration is refused with one line', async () => {
  const url = await newDatabase()
  const [first, ...rest] = known
  await assert.rejects(
    migrate(url, { pooler, known: [{ ...(first as typeof next), checksum: 'other' }, ...rest] }),
    /differs from the one this database was built with/,
  )
})

test('a database that is newer than the code is refused with one line', async () => {
  const url = await newDatabase()
  assert.deepEqual(await migrate(url, { pooler, known: [...known, next] }), ['9999_next.sql'])
  const { code, output } = await guildhall(['serve'], { DATABASE_URL: url })
  assert.deepEqual(
    [code, output],
    [1, 'The database is newer than this version: it has migration 9999_next.sql. Run the newer Guildhall.\n'],
  )
})

test('an unreachable database gives one line', async () => {
  for (const url of [
    'postgres://guildhall@127.0.0.1:1/x',
    'postgres://guildhall@/nonsense?host=/nowhere',
    (await newDatabase()).replace(/(?=\?|$)/, '_none'),
  ]) {
    const { code, output } = await guildhall(['migrate'], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(output, /^The database cannot be reached: .*Check DATABASE_URL\.\n$/)
  }
})

test('a migration that waits for a table lock gives up and retries, so that no other session waits behind it', async () => {
  const url = await newDatabase()
  const [holder, reader] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([holder.connect(), reader.connect()])
  await holder.query('BEGIN; SELECT count(*) FROM users')
  const altering = migrate(url, { pooler, known: [...known, next] })
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())'
  await until(async () => (await reader.query(waiting)).rowCount, 'the migration to wait')
  // Behind one that did not give up, this would wait until the holder commits.
  await reader.query('SELECT count(*) FROM users')
  await holder.query('COMMIT')
  assert.deepEqual(await altering, [next.name])
  await Promise.all([holder.end(), reader.end()])
})

test('checks are validated while other sessions write', async () => {
  const validations = known.filter(({ name }) => name.includes('_validate_'))
  assert.ok(validations.length >= 3)
  const url = await newDatabase({ empty: true })
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  try {
    for (const { version, name, text } of validations) {
      // Other migrations come between them.
      await migrate(url, { pooler, known: known.filter((one) => one.version < version) })
      const tables = [...text.matchAll(/^ALTER TABLE (\w+)/gm)].map(([, table]) => table)
      await writer.query('BEGIN')
      await writer.query(`LOCK TABLE ${[...new Set(tables)].join(', ')} IN ROW EXCLUSIVE MODE`)
      assert.deepEqual(await migrate(url, { pooler, known: known.filter((one) => one.version <= version), maxRetryMs: 0 }), [name])
      await writer.query('COMMIT')
    }
  } finally {
    await writer.end()
  }
})

test('a pooler without DATABASE_POOLER is recognized', { skip: !pooler && 'there is no pooler in this run' }, async () => {
  const { code, output } = await guildhall(['migrate'], { DATABASE_URL: await newDatabase(), DATABASE_POOLER: 'none' })
  assert.deepEqual([code, output], [1, 'DATABASE_URL leads to a connection pooler. Set DATABASE_POOLER=transaction.\n'])
})

/** Makes a new role that is not a superuser the owner of a database. Returns the URL with which this role connects. */
async function giveToOwner(t: TestContext, url: string): Promise<string> {
  const database = new URL(url.replace('@/', '@localhost/')).pathname.slice(1)
  const owner = `${database}_owner`
  await write(sql`CREATE ROLE ${sql.id(owner)} LOGIN`)
  await write(sql`ALTER DATABASE ${sql.id(database)} OWNER TO ${sql.id(owner)}`)
  t.after(async () => {
    // On Citus, databases are dropped at the end of the file; elsewhere this one is gone already, with what the role owned.
    if (engine === 'citus') await queryOnce(url, `REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner}`)
    await write(sql`DROP ROLE ${sql.id(owner)}`)
  })
  return url.replace('guildhall@', `${owner}@`)
}

async function queryOnce<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

test('an owner who is not a superuser can set the defaults for a pooler on a migrated database', {
  skip: pooler && 'the pooler of this run connects as a superuser',
}, async (t) => {
  const url = await giveToOwner(t, await newDatabase({ empty: true }))
  assert.deepEqual(await queryOnce(url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user'), [{ rolsuper: false }])
  assert.equal((await migrate(url)).length, known.length)
  for (const time of ['first', 'second']) {
    const { code, output } = await guildhall(['migrate'], { DATABASE_URL: url, DATABASE_POOLER: 'transaction' })
    assert.equal(code, 0, `the ${time} time: ${output}`)
  }
  const current = Object.keys(SETTINGS).map((name) => `current_setting('${name}') AS "${name}"`)
  assert.deepEqual(await queryOnce(url, `SELECT ${current}`), [SETTINGS])
})

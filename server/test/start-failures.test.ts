import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { Refusal } from '../src/core/refusal.ts'
import { startFailure, unsuitable } from '../src/db/start-failure.ts'
import { newDatabase, url as superuser } from './harness.ts'
import { guildhall } from './service.ts'

// A start that fails because of the database prints one line, which says what to do.

const administrator = new pg.Client(superuser.replace(/\/test_\w+/, '/postgres'))
await administrator.connect()
after(() => administrator.end())

const nameOf = (url: string) => new URL(url.replace('@/', '@localhost/')).pathname.slice(1)

/** Each case prepares a database and a role, and says what the start prints. `ROLE` and `DATABASE` stand for their names. */
const CASES: Record<string, { prepare?: (role: string, database: string) => string; url?: (url: string) => string; prints: RegExp }> = {
  'a role that does not own the database': {
    prints:
      /^The role "ROLE" cannot create tables: permission denied for (schema public|database "?DATABASE"?)\. Run as an administrator: ALTER DATABASE "DATABASE" OWNER TO "ROLE"$/,
  },
  'a role that may not log in': {
    prepare: (role) => `ALTER ROLE ${role} NOLOGIN`,
    prints: /^The database cannot be reached: role "ROLE" is not permitted to log in\. Check DATABASE_URL\.$/,
  },
  'an unknown role': {
    url: (url) => url.replace('_role@', '_nobody@'),
    prints: /^The database cannot be reached: role "DATABASE_nobody" does not exist\. Check DATABASE_URL\.$/,
  },
  'an unknown database': {
    url: (url) => url.replace(/(?=\?|$)/, '_none'),
    prints: /^The database cannot be reached: database "DATABASE_none" does not exist\. Check DATABASE_URL\.$/,
  },
  'no server': {
    url: () => 'postgres://guildhall@127.0.0.1:1/guildhall',
    prints: /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Check DATABASE_URL\.$/,
  },
  'no socket': {
    url: () => 'postgres://guildhall@/guildhall?host=/nowhere',
    prints: /^The database cannot be reached: connect ENOENT \/nowhere\/\.s\.PGSQL\.5432\. Check DATABASE_URL\.$/,
  },
  'a read-only database': {
    prepare: (role, database) => `ALTER DATABASE ${database} OWNER TO ${role}; ALTER ROLE ${role} SET default_transaction_read_only = on`,
    prints: /^The database is read-only: cannot execute .+ in a read-only transaction\. Set DATABASE_URL to the primary server, and .+\.$/,
  },
  'too few connections': {
    prepare: (role) => `ALTER ROLE ${role} CONNECTION LIMIT 0`,
    prints: /^The database accepts no more connections: too many connections for role "ROLE"\. Raise max_connections .+\.$/,
  },
  'an encoding other than UTF8': {
    prepare: (_role, database) =>
      `DROP DATABASE ${database}; CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`,
    prints: /^The database has the encoding SQL_ASCII, and Guildhall needs UTF8\. Create another one: CREATE DATABASE "DATABASE_utf8" .+$/,
  },
}

for (const [title, { prepare, url: urlOf = String, prints }] of Object.entries(CASES))
  test(`${title} is refused with one line`, async (t) => {
    const url = await newDatabase({ empty: true })
    const database = nameOf(url)
    const role = `${database}_role`
    await administrator.query(`CREATE ROLE ${role} LOGIN`)
    // The database is dropped before it, and so is what the role owned.
    t.after(() => administrator.query(`DROP ROLE ${role}`))
    for (const statement of prepare?.(role, database).split('; ') ?? []) await administrator.query(statement)
    const { code, output } = await guildhall(['migrate'], { DATABASE_URL: urlOf(url.replace('guildhall@', `${role}@`)) })
    assert.equal(code, 1, output)
    assert.match(output.trimEnd().replaceAll(role, 'ROLE').replaceAll(database, 'DATABASE'), prints)
  })

const failureOf = (message: string, code: string) => Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })

test('failures that the server of the tests cannot have are explained likewise', () => {
  const login = { user: 'app', database: 'guildhall' }
  for (const [error, expected] of [
    [
      failureOf('password authentication failed for user "app"', '28P01'),
      /^The database cannot be reached: password .+ Check DATABASE_URL\.$/,
    ],
    [
      new Error('The server does not support SSL connections'),
      /^The database cannot be reached: .+ SSL connections\. Check DATABASE_URL\.$/,
    ],
    [failureOf('extension "pg_trgm" is not available', '0A000'), /^The server lacks an extension: .+ Install the contrib package/],
    [failureOf('permission denied for table users', '42501'), /^The role "app" cannot use the tables: .+ the role that created them\.$/],
    [failureOf('could not extend file: No space left on device', '53100'), /^The database cannot be prepared: .+ \(53100\)\. See the log/],
  ] as const) {
    const refusal = startFailure(error, login)
    assert.ok(refusal instanceof Refusal)
    assert.match(refusal.message, expected)
  }
  assert.match(unsuitable(140_012, 'UTF8', 'guildhall') ?? '', /too old\. Guildhall needs PostgreSQL 15 or later\.$/)
  assert.equal(unsuitable(150_000, 'UTF8', 'guildhall'), undefined)
})

test('an error of our own keeps its stack', () => {
  const error = new TypeError('x is not a function')
  assert.equal(startFailure(error, {}), error)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, type TestContext } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import type { Permission, Role } from '../src/core/access.ts'
import { type Config, readConfig } from '../src/core/config.ts'
import { connect, type Database, type Tx } from '../src/db/client.ts'
import type { Engine } from '../src/db/driver/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { setWorkerSettings } from '../src/db/worker-settings.ts'
import type { Operation } from '../src/http/operation.ts'
import { createCompany } from '../src/resources/companies/queries.ts'
import { createDeveloper } from '../src/resources/developers/queries.ts'
import { setGrant } from '../src/resources/grants/queries.ts'
import { issueKey } from '../src/resources/keys/queries.ts'
import { createUser } from '../src/resources/users/queries.ts'
import { assertDescribed } from './described.ts'
import { throughPrism } from './prism.ts'
import { ask, startService } from './service.ts'
import { throughClient } from './through-client.ts'

const template = process.env.TEST_DATABASE_URL
assert.ok(template, 'TEST_DATABASE_URL is not set. Run the tests with npm test.')

/** True if the tests run through a pooler in transaction mode. */
export const pooler = process.env.DATABASE_POOLER === 'transaction'

const urlOf = (database: string) => (template as string).replace(/\/guildhall(?=\?|$)/, `/${database}`)

/** The servers that have a part of each test database: one, or all of a Citus cluster, the coordinator first. */
const servers = process.env.TEST_SERVERS?.split(' ') ?? [urlOf('postgres')]

/** The engine of the test databases. */
export const engine: Engine = servers.length > 1 ? 'citus' : 'postgresql'

async function asSuperuser(text: string, on = servers) {
  await Promise.all(
    on.map(async (connectionString) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.query(text).finally(() => client.end())
    }),
  )
}

/** Drops a database at the end of the test file; on Citus, whose daemons connect to every database that allows it, after all connections are closed. */
function dropAtEnd(name: string, on: string[]) {
  if (engine === 'postgresql') after(() => asSuperuser(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  else
    process.once('beforeExit', async () => {
      await asSuperuser(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, on)
      await asSuperuser(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, on).catch(() => {})
    })
}

async function setSettingsOnNodes(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await setWorkerSettings(client).finally(() => client.end())
}

/** Creates a database, migrated or empty; an empty one may have another LC_CTYPE. It is dropped at the end of the test file. */
export async function newDatabase({ empty = false, ctype = '' } = {}): Promise<string> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  const on = empty ? servers.slice(0, 1) : servers
  await asSuperuser(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : 'guildhall'}${ctype && ` LC_CTYPE '${ctype}'`}`, on)
  dropAtEnd(name, on)
  const created = urlOf(name)
  // The settings of a role in a database are not cloned with the database.
  if (pooler && !empty) await migrate(created, { pooler })
  if (engine === 'citus' && !empty) await setSettingsOnNodes(created)
  return created
}

/** The clock of the app, in milliseconds: a test can move it ahead, or stop it at a time. */
export const clock: { ahead: number; stoppedAt: number | undefined } = { ahead: 0, stoppedAt: undefined }
const now = () => new Date((clock.stoppedAt ?? Date.now()) + clock.ahead)

/** Stops the clock for a test, so that a slow machine earns no requests while it answers. */
export function stopClock(t: TestContext) {
  clock.stoppedAt = Date.now()
  t.after(() => {
    clock.stoppedAt = undefined
  })
}

/** The database of this test file. */
export const url = await newDatabase()
export const db: Database = connect(url, { clock: now, readers: 2, writers: 8, pooler, engine })
const atEnd: (() => unknown)[] = []
/** Stops something at the end of the test file that uses the database until then. `after` would do so when the database is closed already. */
export const stopAtEnd = (stop: () => unknown): void => void atEnd.push(stop)
after(async () => {
  for (const stop of atEnd) await stop()
  await db.close()
})

/** Runs a statement that writes. `db.query` uses read-only connections. */
export const write = <Row = Record<string, unknown>>(statement: Sql, database = db): Promise<Row[]> =>
  database.transaction((tx) => tx.query<Row>(statement))

export const testConfig = (env: Record<string, string> = {}): Config =>
  readConfig(
    { RATE_LIMIT: 'off', WEBHOOK_ALLOW: '127.0.0.1', DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none', ...env },
    false,
  )

/** Starts an app on the database of this test file. Two apps with separate connections behave like two processes. */
export async function newApp(env: Record<string, string> = {}, operations?: Operation[], database = db): Promise<FastifyInstance> {
  const app = buildApp(database, testConfig(env), operations && { operations })
  after(() => app.close())
  await app.ready()
  return app
}

export const app = await newApp()

let address: Promise<string> | undefined
/** Opens the app of this test file to the network. Returns its address. */
export const networkAddress = (): Promise<string> => {
  address ??= app.listen({ port: 0, host: '127.0.0.1' })
  return address
}
/** If the tests of a resource run on two processes, which answer at random, this is the reason to skip tests that move the clock. */
export const twoProcesses =
  (pooler || engine === 'citus') &&
  process.argv.slice(1).some((path) => /\/src\/resources\/\w/.test(path)) &&
  'a test cannot move the clock of another process'
/** A service, and the app of this test file. */
const services = twoProcesses ? [await startService({ DATABASE_URL: url }), { base: await networkAddress() }] : []

/** The URL of Prism if the tests of a resource run through it. Prism calls the app of this test file over the network. */
const prism = process.env.TEST_PRISM_URL
if (prism) await networkAddress()

async function callThroughPrism(url: string, method: Method, path: string, { key, body, headers }: CallOptions): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const reply = await throughPrism(url, (app.server.address() as AddressInfo).port, path, {
    method,
    headers: { ...(key && { 'x-api-key': key }), ...(!raw && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await reply.text()
  const json = /json/.test(reply.headers.get('content-type') ?? '') && text !== ''
  return {
    status: reply.status,
    body: json ? JSON.parse(text) : (undefined as unknown as Body),
    text,
    headers: Object.fromEntries(reply.headers),
  }
}

/** The fields that tests read. A reply has only some of them; the test of its operation checks which. */
export interface Body {
  [field: string]: unknown
  id: string
  name: string
  role: string
  key: string
  version: number
  items: Body[]
  total: number
  limit: number
  offset: number
  next_cursor: string | null
  status: number
  title: string
  detail: string
  code: string
  instance: string
  request_id: string
  changes: Record<string, { old: unknown; new: unknown }>
  companies: Record<string, unknown>[]
  invalid_parameters: { field: string; message: string }[]
}

export interface Answer {
  status: number
  body: Body
  text: string
  headers: Record<string, string>
}

export interface CallOptions {
  key?: string
  body?: unknown
  headers?: Record<string, string>
  /** The app to call instead of the one of the test file. */
  on?: FastifyInstance
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

const STREAM = /\/stream(\?|$)/

/** Opens a stream, which never ends by itself, reads its first frames, and closes it. Any other answer is read completely. */
async function openingOf(on: FastifyInstance, options: InjectOptions): Promise<Answer> {
  const reply = await on.inject({ ...options, payloadAsStream: true })
  const type = String(reply.headers['content-type'])
  let text = ''
  for await (const chunk of reply.stream()) {
    text += chunk
    if (type.startsWith('text/event-stream') && /event: ready\n.*\n\n/s.test(text)) break
  }
  reply.raw.res.destroy()
  return {
    status: reply.statusCode,
    body: /json/.test(type) && text ? JSON.parse(text) : (undefined as unknown as Body),
    text,
    headers: reply.headers as Record<string, string>,
  }
}

/**
 * Sends one request to the app without the network, over the network to one of two processes, through Prism, or through @guildhall/client.
 * The answer is as openapi.json describes it.
 */
export async function call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await send(method, path, options)
  assertDescribed(method, path, answer)
  return answer
}

async function send(method: Method, path: string, { key, body, headers = {}, on }: CallOptions): Promise<Answer> {
  if (prism && !on) return callThroughPrism(prism, method, path, { ...(key && { key }), body, headers })
  if (process.env.TEST_CLIENT_LOG && !on) {
    const answer = await throughClient(await networkAddress(), method, path, { ...(key && { key }), body, headers })
    if (answer) return answer
  }
  const service = !on && services[Math.floor(Math.random() * services.length)]
  if (service) {
    const { headers: replyHeaders, ...answer } = await ask(service, method, path, key ?? '', body, headers)
    return { ...answer, headers: Object.fromEntries(replyHeaders) }
  }
  const options: InjectOptions = { method, url: path, headers: { ...(key && { 'x-api-key': key }), ...headers } }
  if (body !== undefined) options.payload = body as object
  if (method === 'GET' && STREAM.test(path)) return openingOf(on ?? app, options)
  const reply = await (on ?? app).inject(options)
  const json = /json/.test(String(reply.headers['content-type'])) && reply.body !== ''
  return {
    status: reply.statusCode,
    body: json ? reply.json() : (undefined as unknown as Body),
    text: reply.body,
    headers: reply.headers as Record<string, string>,
  }
}

const createWithKey = async (tx: Tx, is_global_admin = false) => {
  const { id } = (await createDeveloper(tx, { name: 'Test developer', is_global_admin })).reply
  const { key, id: key_id } = (await issueKey(tx, id)).reply
  return { id, key, key_id }
}

/** Creates a developer with a key. */
export const newDeveloper = (is_global_admin = false, database = db) => database.transaction((tx) => createWithKey(tx, is_global_admin))

/** Creates a company. Each test has its own, so tests do not affect each other. */
export async function newCompany(database = db) {
  const { owner, company_id } = await database.transaction(async (tx) => {
    const developer = await createWithKey(tx)
    return { owner: developer, company_id: (await createCompany(tx, developer.id, { name: 'Test company' })).company_id }
  })
  const base = `/api/v1/companies/${company_id}`
  const developer = (permission: Permission, is_global_admin = false) =>
    database.transaction(async (tx) => {
      const created = await createWithKey(tx, is_global_admin)
      await setGrant(tx, company_id, created.id, permission)
      return created
    })
  const user = (role: Role, name = `A ${role.toLowerCase()}`) =>
    database.transaction(async (tx) => (await createUser(tx, company_id, { name, role })).after.id)
  const events = async () =>
    (await database.query<{ type: string }>(sql`SELECT type FROM events WHERE company_id = ${company_id} ORDER BY id`)).map(
      ({ type }) => type,
    )
  return { company_id, base, owner, key: owner.key, developer, user, events }
}

/** Asserts that the answer is this problem and has every field that problems have. */
export function assertProblem(answer: Answer, status: number, detail?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/)
  const { body } = answer
  assert.equal(body.status, status)
  for (const field of ['title', 'detail', 'instance', 'code', 'request_id'])
    assert.equal(typeof body[field], 'string', `${field} in ${answer.text}`)
  assert.equal(body.instance.includes('?'), false)
  assert.equal(body.type, `/docs/errors/${body.code}`)
  if (typeof detail === 'string') assert.equal(body.detail, detail)
  else if (detail) assert.match(body.detail, detail)
}

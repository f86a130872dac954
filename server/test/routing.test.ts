import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { companyTables } from '../src/resources/declarations.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { type Answer, engine, url } from './harness.ts'
import { readMarkdown } from './markdown.ts'
import { plans } from './plans.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { scene } from './scene.ts'
import { StreamFollower } from './stream-follower.ts'

/**
 * The operations that read or change rows of several companies, with the reason. On Citus their statements go to all workers. Maintenance, the doctor, recount,
 * backup and restore do so, too. docs/scaling.md has the same list, which a test below compares.
 */
const ACROSS_COMPANIES: Record<string, string> = {
  'companies.list': 'lists the companies of a developer, or all',
  'account.get': 'shows the companies of the developer',
  'account.update': 'shows the companies of the developer',
  'adminDevelopers.list': 'shows the companies of each developer',
  'adminDevelopers.get': 'shows the companies of the developer',
  'adminDevelopers.update': 'shows the companies of the developer',
  'adminDevelopers.delete': 'removes the developer from all their companies',
}

const tenants = [...companyTables().map(({ name }) => name), 'companies']
const NOT_AN_ALIAS = /^(ON|WHERE|SET|JOIN|LEFT|CROSS|ORDER|GROUP|LIMIT|FOR|UNION|USING|VALUES|RETURNING|OFFSET)$/i

/** Finds the tables of a statement that are not compared with a company id as a value. Inserted rows always have one. */
function tablesWithoutCompany(statement: string): string[] {
  // Columns can have the name of a table, such as the terms of a roll. A name with a dot after it is that of a row.
  const text = statement.replaceAll(/(\bINSERT INTO\s+"?\w+"?)\s*\([^()]*\)/gi, '$1')
  const named = new Map<string, string[]>()
  for (const [, table = '', , alias] of text.matchAll(/(?:\bFROM|\bJOIN|\bUPDATE|,)\s+"?(\w+)\b(?!"?\.)"?(\s+(?:AS\s+)?"?(\w+)"?)?/gi)) {
    if (!tenants.includes(table)) continue
    const name = alias && !NOT_AN_ALIAS.test(alias) ? alias : ''
    named.set(name, [...(named.get(name) ?? []), table])
  }
  return [...named].flatMap(([alias, tables]) => {
    const qualifier = alias ? `(?<![\\w"])"?${alias}"?\\.` : `(?<![\\w".])(?:"?(?:${tables.join('|')})"?\\.)?`
    const column = tables.includes('companies') ? '(?:company_id|id)' : 'company_id'
    const comparisons = text.match(new RegExp(`${qualifier}"?${column}"? = \\$\\d+`, 'g')) ?? []
    return comparisons.length >= tables.length ? [] : [`${tables.join(', ')} ${alias}`]
  })
}

const WRITES = /\b(INSERT INTO|DELETE FROM|UPDATE\s+"?\w+"?\s+SET)\b/

/**
 * Finds the parts of a statement that writes which a Citus coordinator cannot handle: it turns `CASE x WHEN y` into a comparison with NULL, and an UPDATE to an
 * element of an array, with nothing around it, crashes it.
 */
const misreadByCitus = (text: string): string[] =>
  WRITES.test(text) ? (text.match(/\bCASE\s+(?!WHEN\b)\S+|(?<=\bSET|,)\s+"?\w+"? = \([^()]*\)\[/g) ?? []).map((part) => part.trim()) : []

/**
 * Returns the statements of an operation: of a caller who is not cached, and of the same caller once more if the operation only reads. Writes have an
 * Idempotency-Key, because a stored reply takes statements of its own.
 */
async function statementsOfOperation(op: (typeof plans)[number]) {
  const { send } = await scene(op)
  const sent = []
  for (let i = 0; i < (op.act === 'read' ? 2 : 1); i++) {
    const headers = { ...(op.act !== 'read' && { 'idempotency-key': randomUUID() }) }
    const { answer, withValues } = await statementsOf(() => send({ on: recordedApp, headers }))
    assert.ok(answer.status < 300, answer.text)
    sent.push(...withValues)
  }
  return sent
}

/** Returns the statements of pages by cursor: of books, whose place is looked up, and of a list of each other kind of order. */
async function statementsOfCursorPages() {
  const { teller, C } = await newGameTable()
  for (const name of ['A', 'B']) await teller.make(`${C}/books`, { name })
  for (const name of ['A', 'B']) await teller.make(`${C}/characters`, { name })
  const sent: { op: string; text: string; values: unknown[] }[] = []
  for (const path of [
    `${C}/books?limit=1`,
    `${C}/books?limit=1&sort=-name`,
    `${C}/characters?limit=1`,
    `${C}/characters?limit=1&sort=date_modified`,
  ]) {
    const { next_cursor } = (await teller.get(path)).body
    const { answer, withValues } = await statementsOf(() => teller.get(`${path}&after=${next_cursor}`, undefined, {}, recordedApp))
    assert.equal(answer.status, 200, answer.text)
    sent.push(...withValues.map((statement) => ({ op: path.replace(C, ''), ...statement })))
  }
  return sent
}

/** Returns the statements of a campaign in which experience belongs to characters. The scenes of operations have it belong to users. */
async function statementsOfCharacterExperience() {
  const { teller, player } = await newGameTable()
  const C = `/campaigns/${await teller.make('/campaigns', { name: 'Per character' })}`
  const character_id = await player.make(`${C}/characters`, { name: 'Hero' })
  const sent: { op: string; text: string; values: unknown[] }[] = []
  const statements = async (op: string, request: () => Promise<Answer>): Promise<Answer> => {
    const { answer, withValues } = await statementsOf(request)
    assert.ok(answer.status < 300, answer.text)
    sent.push(...withValues.map((statement) => ({ op, ...statement })))
    return answer
  }
  const post = (op: string, user: Person, path: string, body: object) =>
    statements(op, () => user.post(`${C}/experience/${path}`, { amount: 2, reason: 'x', ...body }, {}, recordedApp))
  const get = (op: string, path: string) => statements(op, () => player.get(path, undefined, {}, recordedApp))
  await statements('campaigns.update', () => teller.patch(C, { experience_per: 'CHARACTER' }, {}, recordedApp))
  await post('experience.award', teller, 'awards', { amount: undefined, awards: [{ character_id, amount: 5 }] })
  await post('experience.award', teller, 'awards', { to: 'MEMBERS' })
  const spent = await post('experience.spend', player, 'spends', { character_id })
  const undo = () => player.post(`${C}/experience/entries/${spent.body.id}/reverse`, { reason: 'x' }, {}, recordedApp)
  await statements('experienceEntries.reverse', undo)
  await get('experience.list', `${C}/experience`)
  await get('experience.listOwn', '/experience')
  await get('experienceEntries.get', `${C}/experience/entries/${spent.body.id}`)
  return sent
}

/** Returns the statements that tell followers of streams about changes: of the loop of a company, and of a follower who is behind. */
async function statementsOfStreams() {
  const { teller, player, stranger, C, base, key } = await newGameTable()
  if (!recordedApp.server.listening) await recordedApp.listen({ port: 0, host: '127.0.0.1' })
  const { port } = recordedApp.server.address() as AddressInfo
  const open = (user_id: string) => new StreamFollower(`http://127.0.0.1:${port}${base}/users/${user_id}/stream`, { 'x-api-key': key })
  const { cursor } = await Follower.start(player)
  const { withValues } = await statementsOf(async () => {
    const streams = await Promise.all([teller, player, stranger].map(({ id }) => open(id).open()))
    const hero = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 2 } })}`
    await player.make(`${hero}/inventory`, { name: 'Lantern' })
    await player.put(`${hero}/trackers/hp`, { value: 1, maximum: 5 })
    await player.make('/dice-rolls', { notation: '1d20', character_id: hero.slice(-36) })
    await player.make('/quick-rolls', { name: 'Quick', notation: '1d6' })
    await teller.make(`${C}/notes`, { title: 'Clue', visibility: 'STORYTELLER' })
    await teller.post(`${C}/experience/awards`, { amount: 2, user_ids: [player.id], reason: 'Play' })
    await teller.post(`${C}/invites`, { role: 'PLAYER' })
    await teller.make(`${C}/books`, { name: 'The end' })
    await sequenceAll()
    const behind = open(player.id)
    behind.lastId = cursor
    streams.push(await behind.open())
    for (const stream of streams) await stream.until(({ type }) => type === 'book.created')
    for (const stream of streams) stream.close()
  })
  return withValues.map((statement) => ({ op: 'streams.open', ...statement }))
}

const inOneCompany = plans.filter(({ id }) => !(id in ACROSS_COMPANIES))

test('the operations across companies exist', () => {
  const ids = plans.map(({ id }) => id)
  assert.deepEqual(
    Object.keys(ACROSS_COMPANIES).filter((id) => !ids.includes(id)),
    [],
  )
})

test('docs/scaling.md lists the operations across companies, with their requests and reasons', () => {
  const rows = Object.entries(ACROSS_COMPANIES).map(([id, reason]) => {
    const { method, path } = plans.find((plan) => plan.id === id) ?? {}
    return `| \`${id}\` | \`${method} /api/v1${path}\` | ${reason} |`
  })
  const [, list = ''] = readMarkdown('docs/scaling.md').split('| Operation | Request | Reason |\n|---|---|---|\n')
  assert.deepEqual(list.slice(0, list.indexOf('\n\n')).split('\n'), rows)
})

test('the check of statements finds tables that are compared with a column or not at all', () => {
  const found = (text: string) => tablesWithoutCompany(text).map((name) => name.trim())
  assert.deepEqual(found('SELECT * FROM users WHERE id = $1'), ['users'])
  assert.deepEqual(found('SELECT * FROM users u JOIN members m ON m.company_id = u.company_id WHERE u.company_id = $1'), ['members m'])
  assert.deepEqual(found('SELECT * FROM users u JOIN members m ON m.company_id = $1 WHERE u.company_id = $2'), [])
  assert.deepEqual(found('SELECT (SELECT 1 FROM notes x WHERE x.id = 1), (SELECT 1 FROM books x WHERE x.company_id = $1)'), [
    'notes, books x',
  ])
})

test('the check of statements finds what a coordinator of Citus cannot handle', () => {
  assert.deepEqual(misreadByCitus("UPDATE notes SET title = CASE visibility WHEN 'OPEN' THEN 'x' END"), ['CASE visibility'])
  assert.deepEqual(misreadByCitus('UPDATE "notes" SET version = 1, position = ($1::integer[])[array_position($2::uuid[], id)]'), [
    'position = ($1::integer[])[',
  ])
  assert.deepEqual(misreadByCitus('UPDATE notes SET position = coalesce(($1::integer[])[1], 1), title = CASE WHEN $2 THEN title END'), [])
  assert.deepEqual(misreadByCitus("SELECT CASE visibility WHEN 'OPEN' THEN 1 END FROM notes FOR NO KEY UPDATE"), [])
})

for (const op of inOneCompany) {
  test(`${op.id}: compares every table with the id of the company`, async () => {
    for (const { text, values } of await statementsOfOperation(op)) {
      assert.deepEqual(tablesWithoutCompany(text), [], text)
      assert.deepEqual(misreadByCitus(text), [], text)
      assert.equal(text.includes('company_id') && values.includes(undefined), false, 'a value is undefined')
    }
  })
}

test('experience of characters, and pages by cursor: compares every table with the id of the company', async () => {
  for (const { text, values } of [...(await statementsOfCharacterExperience()), ...(await statementsOfCursorPages())]) {
    assert.deepEqual(tablesWithoutCompany(text), [], text)
    assert.deepEqual(misreadByCitus(text), [], text)
    assert.equal(text.includes('company_id') && values.includes(undefined), false, 'a value is undefined')
  }
})

test('streams: compare every table with the id of the company', async () => {
  const sent = await statementsOfStreams()
  assert.ok(
    sent.some(({ text }) => text.includes('FROM "experience_entries" x JOIN characters')),
    'the loop has told something',
  )
  for (const { text, values } of sent) {
    assert.deepEqual(tablesWithoutCompany(text), [], text)
    assert.equal(text.includes('company_id') && values.includes(undefined), false, 'a value is undefined')
  }
})

/** Returns the numbers of tasks in the plan of a statement, and the number of subplans. */
async function planOf(client: pg.Client, text: string, values: unknown[]): Promise<{ tasks: number[]; subplans: number }> {
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`, values)
  const plan = JSON.stringify(rows[0]?.['QUERY PLAN'])
  // The worker refused the statement that the coordinator made of this one.
  if (plan.includes('Could not get remote plan')) throw new Error('Could not get remote plan')
  return {
    tasks: [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count)),
    subplans: [...plan.matchAll(/"Subplans":/g)].length,
  }
}

test('on Citus, every statement of an operation in one company is one task', {
  skip: engine !== 'citus' && 'the database is not distributed',
}, async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const strays = new Map<string, string>()
  try {
    const explain = async (op: string, text: string, values: unknown[]) => {
      // A hint to other processes reads no table.
      if (text.startsWith('SELECT pg_notify(')) return
      const { tasks, subplans } = await planOf(client, text, values).catch((error: Error) => ({ tasks: [error.message], subplans: 0 }))
      if (tasks.length !== 1 || tasks[0] !== 1 || subplans)
        strays.set(text.replace(/\s+/g, ' ').trim(), `${op}: tasks ${tasks.join('+')}, subplans ${subplans}`)
    }
    for (const op of inOneCompany) for (const { text, values } of await statementsOfOperation(op)) await explain(op.id, text, values)
    for (const { op, text, values } of await statementsOfCharacterExperience()) await explain(op, text, values)
    for (const { op, text, values } of await statementsOfCursorPages()) await explain(op, text, values)
    for (const { op, text, values } of await statementsOfStreams()) await explain(op, text, values)
  } finally {
    await client.end()
  }
  assert.deepEqual(Object.fromEntries(strays), {})
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { recount } from '../src/cli/recount.ts'
import { sql } from '../src/db/sql.ts'
import { invariants } from '../src/resources/declarations.ts'
import { countCompany, countSettled } from '../src/upkeep/count-settled.ts'
import { type Recorded, rowsReadBy, setGenericPlans } from './explained.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable, type Person, twoApps } from './game-table.ts'
import { type Answer, call, clock, db, engine, pooler, url, write } from './harness.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { until } from './until.ts'

// Totals of ledgers and histories are numbers of rows up to a mark, and the rows after it.

const HOUR_MS = 3_600_000

const violations = async (company_id: string) => {
  const found = []
  for (const check of ['ledgers', 'histories']) {
    const invariant = invariants().find((one) => one.check === check)
    assert.ok(invariant, check)
    found.push(...(await db.query(sql`SELECT * FROM (${invariant.violations()}) x WHERE company_id = ${company_id}`)))
  }
  return found
}

const stored = async (company_id: string) => {
  const [sums] = await db.query<{ entries: number; events: number }>(sql`
    SELECT coalesce((SELECT sum(n) FROM experience_counts WHERE company_id = ${company_id}), 0)::int AS entries,
      coalesce((SELECT sum(n) FROM history_counts WHERE company_id = ${company_id}), 0)::int AS events`)
  assert.ok(sums)
  return sums
}

/** Reads a list page by page, and compares its total with the number of its items. Returns the total. */
async function totalOf(person: Person, path: string): Promise<number> {
  let [total, items] = [0, 0]
  await until(async () => {
    const { status, text, body } = await person.get(`${path}${path.includes('?') ? '&' : '?'}limit=7&offset=${items}`)
    assert.equal(status, 200, `${path}: ${text}`)
    if (items > 0) assert.equal(body.total, total, path)
    total = body.total
    items += body.items.length
    return body.items.length === 0
  }, 'the last page')
  assert.equal(items, total, path)
  return total
}

/** A table with sheets that some may not see, and experience of characters and of users. */
async function newTable() {
  const table = await newGameTable()
  const { teller, player, other, C } = table
  const U = `/campaigns/${await teller.make('/campaigns', { name: 'Per user' })}`
  await teller.patch(C, { experience_per: 'CHARACTER' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const masked = await other.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER' })
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { hunger: 5 } })
  const veiled = await other.make(`${U}/characters`, { name: 'Veiled', sheet_visibility: 'PLAYER' })
  const own = await player.make(`${U}/characters`, { name: 'Own' })
  const readers = { teller, player, other, stranger: table.stranger, admin: table.admin }
  const paths = [
    ...[
      '',
      `?player_id=${player.id}`,
      `?player_id=${other.id}`,
      `?character_id=${masked}`,
      `?character_id=${hero}&kind=SPEND`,
      '?kind=AWARD',
    ].map((query) => `${C}/experience/entries${query}`),
    `${C}/experience/entries?from=2020-01-01T00:00:00Z`,
    ...['', `?player_id=${other.id}`, `?character_id=${veiled}`].map((query) => `${U}/experience/entries${query}`),
    ...[hero, masked].map((id) => `${C}/characters/${id}/history`),
    ...[own, veiled].map((id) => `${U}/characters/${id}/history`),
  ]
  /** Writes an award to everybody, a spend and its reversal, and changes of sheets and of names, through one of two processes. */
  const play = async (round: number, app = twoApps[round % 2]) => {
    const post = async (person: Person, path: string, body: unknown) => {
      const { status, text, body: made } = await person.post(path, body, {}, app)
      assert.equal(status, 201, text)
      return made.id
    }
    await post(teller, `${C}/experience/awards`, { reason: `Round ${round}`, amount: 3, to: 'MEMBERS' })
    await post(teller, `${U}/experience/awards`, { reason: `Round ${round}`, amount: 3, user_ids: [player.id, other.id] })
    await post(other, `${U}/experience/spends`, { reason: 'Quietly', amount: 1, character_id: veiled })
    const spent = await post(player, `${C}/experience/spends`, { reason: 'Learned', amount: 1, character_id: hero })
    await post(player, `${C}/experience/entries/${spent}/reverse`, { reason: 'Did not' })
    for (const [person, path] of [
      [player, `${C}/characters/${hero}`],
      [other, `${C}/characters/${masked}`],
      [other, `${U}/characters/${veiled}`],
      [teller, `${C}/characters/${npc}`],
    ] as const) {
      await person.patch(path, { name: `Name ${round}` }, {}, app)
      await person.patch(path, { traits: { luck: round + 1 } }, {}, app)
    }
  }
  const totals = async () => {
    const found: Record<string, number> = {}
    for (const [name, person] of Object.entries(readers)) for (const path of paths) found[`${name} ${path}`] = await totalOf(person, path)
    return found
  }
  return { ...table, readers, hero, masked, npc, play, totals }
}

test('five workers at once count each row once, while two processes write', async () => {
  clock.ahead = 0
  const { company_id, teller, C, play, totals } = await newTable()
  for (let round = 0; round < 3; round++) {
    await Promise.all(twoApps.map((app) => play(round, app)))
    const before = new Date()
    // What is written at the same time is later, and not counted.
    await Promise.all([
      ...Array.from({ length: 5 }, () => countCompany(db, company_id, before)),
      ...twoApps.map((app) => teller.patch(C, { description: `Round ${round}` }, {}, app)),
      ...[6, 7].map((late) => teller.post(`${C}/experience/awards`, { reason: `Late ${late}`, amount: 1, to: 'MEMBERS' })),
    ])
    assert.deepEqual(await violations(company_id), [])
  }
  await totals()
  const [marks] = await db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM count_marks WHERE company_id = ${company_id}`)
  assert.equal(marks?.n, 1)
})

test('a recount waits for a worker that is counting, and forgets what it counted', {
  skip: (pooler || engine === 'citus') && 'the locks of one PostgreSQL are watched',
}, async (t) => {
  clock.ahead = 0
  const { company_id, teller, C, play, totals } = await newTable()
  await countCompany(db, company_id, new Date())
  await play(0)
  const before = await totals()
  const [holder, watcher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  await Promise.all([holder.connect(), watcher.connect()])
  t.after(() => Promise.all([holder.end(), watcher.end()]))
  const waiters = (count: number) =>
    until(async () => (await watcher.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === count, `${count} sessions to wait`)
  // The worker stops between the two tables of numbers, whatever their order is.
  for (const table of ['experience_counts', 'history_counts']) {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`)
    const counted = countCompany(db, company_id, new Date())
    await waiters(1)
    const recounted = recount(url)
    await waiters(2)
    await holder.query('COMMIT')
    await Promise.all([counted, recounted])
    assert.deepEqual([await stored(company_id), await violations(company_id)], [{ entries: 0, events: 0 }, []], table)
    await teller.patch(C, { description: table })
    await countCompany(db, company_id, new Date())
    assert.deepEqual([await totals(), await violations(company_id)], [before, []])
    await play(1)
    Object.assign(before, await totals())
  }
})

/** The rows of each kind, and the most that a list may read of a table or index. */
const ROWS = 20_000
const MAX_READ = 100

/** A company with many old entries and events of one character, whose ids are as old as they are. */
async function newOldTable() {
  const table = await newGameTable()
  const { company_id, campaign_id, teller, player, C } = table
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  await teller.post(`${C}/experience/awards`, { reason: 'x', amount: 3, user_ids: [player.id] })
  const old = sql`timestamptz '2020-09-13Z' + n * interval '1 millisecond'`
  const id = sql`(lpad(to_hex(1600000000000 + n), 12, '0') || '70008000000000000000')::uuid`
  const addOldEvents = async (from: number, to: number) => {
    await write(sql`INSERT INTO events (company_id, id, type, resource_type, resource_id, campaign_id, user_id, changes, date_created)
      SELECT ${company_id}, ${id}, 'character.updated', 'character', ${hero}, ${campaign_id}, ${player.id}, '{"name": {"old": 1, "new": 2}}', ${old}
      FROM generate_series(${from}::int, ${to}::int) n`)
    await write(sql`UPDATE feed_heads SET unplaced = unplaced + ${to - from + 1} WHERE company_id = ${company_id}`)
  }
  await write(sql`INSERT INTO experience_entries (company_id, id, kind, amount, delta, user_id, campaign_id, reason, awarded_by, date_created)
    SELECT ${company_id}, ${id}, 'AWARD', 1, 1, ${player.id}, ${campaign_id}, 'x', ${teller.id}, ${old} FROM generate_series(1, ${ROWS}::int) n`)
  await write(sql`UPDATE experience_balances SET earned = earned + ${ROWS} WHERE company_id = ${company_id}`)
  await sequenceAll()
  await addOldEvents(1, ROWS)
  return { ...table, hero, addOldEvents }
}

test('companies that have grown are counted up to a few minutes ago; their lists read few of 20,000 rows', async (t) => {
  clock.ahead = 0
  const { base, key, company_id, teller, player, C, hero, addOldEvents } = await newOldTable()
  const small = await newGameTable()
  await Promise.all([countSettled(db), countSettled(db)])
  assert.deepEqual(await stored(company_id), { entries: ROWS, events: ROWS }, 'the last minutes are not settled')
  assert.deepEqual(await db.query(sql`SELECT up_to FROM count_marks WHERE company_id = ${small.company_id}`), [])
  assert.deepEqual(await violations(company_id), [])
  const lists = [
    `/users/${teller.id}${C}/experience/entries`,
    `/users/${player.id}${C}/experience/entries?player_id=${player.id}`,
    `/users/${player.id}${C}/experience/entries?kind=AWARD`,
    `/users/${player.id}${C}/characters/${hero}/history`,
    '/audit-logs?limit=10',
  ]
  for (const path of lists) {
    const { body } = await call('GET', `${base}${path}`, { key })
    assert.ok(body.total > ROWS && body.total < ROWS + 20, `${path}: ${body.total}`)
  }
  // The company is found again when its feed has grown by as much.
  const ofCompany = sql`WHERE company_id = ${company_id}`
  const [mark] = await db.query<{ up_to: string }>(sql`SELECT up_to FROM count_marks ${ofCompany}`)
  await addOldEvents(ROWS + 1, ROWS + 5)
  await countSettled(db)
  assert.deepEqual(await db.query(sql`SELECT up_to FROM count_marks ${ofCompany}`), [mark])
  await write(sql`UPDATE count_marks SET position = position - 1000 ${ofCompany}`)
  // A clock that is ahead settles nothing earlier.
  clock.ahead = HOUR_MS
  await countSettled(db)
  clock.ahead = 0
  assert.deepEqual([await stored(company_id), await violations(company_id)], [{ entries: ROWS, events: ROWS + 5 }, []])
  if (pooler || engine === 'citus') return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await client.query('VACUUM ANALYZE')
  await setGenericPlans(client)
  for (const path of lists) {
    const { answer, withValues } = await statementsOf<Answer>(() => call('GET', `${base}${path}`, { key, on: recordedApp }))
    assert.equal(answer.status, 200, answer.text)
    const read = await rowsReadBy(client, withValues.at(-1) as Recorded)
    t.diagnostic(`${path.replaceAll(/[0-9a-f-]{36}/g, '*')}: ${Math.round(Math.max(...Object.values(read)))}`)
    assert.ok(Math.max(...Object.values(read)) <= MAX_READ, `${path} reads ${JSON.stringify(read)}`)
  }
})

// The last test of this file, because ids never go back.
test('totals are the same for every reader whether rows are counted, stored, or both, and after they are forgotten', async () => {
  clock.ahead = 0
  const { company_id, teller, player, C, npc, masked, play, totals } = await newTable()
  await play(0)
  await play(1)
  const counted = await totals()
  assert.deepEqual(await stored(company_id), { entries: 0, events: 0 })
  const of = (person: string, path: string) => counted[`${person} ${path}`] as number
  assert.ok(of('player', `${C}/experience/entries`) < of('teller', `${C}/experience/entries`), 'entries of a hidden sheet')
  assert.ok(
    of('player', `${C}/characters/${masked}/history`) < of('teller', `${C}/characters/${masked}/history`),
    'events of a hidden sheet',
  )

  await countCompany(db, company_id, new Date())
  const sums = await stored(company_id)
  assert.ok(sums.entries > 10 && sums.events > 20, JSON.stringify(sums))
  assert.deepEqual([await totals(), await violations(company_id)], [counted, []])

  // A trait that becomes visible does not make events visible that changed it while it was hidden.
  await teller.patch(`${C}/characters/${masked}`, { sheet_visibility: 'EVERYONE' })
  await teller.patch(`${C}/characters/${npc}`, { visibility: 'OPEN' })
  assert.equal(await totalOf(player, `${C}/characters/${npc}/history`), 0)
  await teller.patch(`${C}/characters/${npc}`, { name: 'Mister Ghoul' })
  assert.equal(await totalOf(player, `${C}/characters/${npc}/history`), 1)
  const shown = await totals()
  assert.notDeepEqual(shown, counted)
  // Both: the rows after the mark are added to the stored numbers.
  clock.ahead = HOUR_MS
  await play(2)
  const both = await totals()
  assert.equal((await stored(company_id)).entries, sums.entries)
  assert.equal(both[`teller ${C}/experience/entries`], (shown[`teller ${C}/experience/entries`] as number) + 4)
  await countCompany(db, company_id, new Date(Date.now() + 2 * HOUR_MS))
  assert.ok((await stored(company_id)).entries > sums.entries)
  assert.deepEqual([await totals(), await violations(company_id)], [both, []])

  await write(sql`DELETE FROM count_marks`)
  await write(sql`DELETE FROM experience_counts`)
  await write(sql`DELETE FROM history_counts`)
  assert.deepEqual([await totals(), await violations(company_id)], [both, []])
  clock.ahead = 0
})

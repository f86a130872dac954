import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { foldTallies } from '../src/resources/dice-rolls/fold.ts'
import { countCompany } from '../src/upkeep/count-settled.ts'
import { newGameTable } from './game-table.ts'
import { call, db, url, write } from './harness.ts'
import { guildhall } from './service.ts'

const COUNTED_TABLES = ['dice_tallies', 'dice_days', 'dice_faces', 'dice_traits', 'counters']

/** Returns every row of the tables with counts, as text. A counter that went down to zero equals none. */
async function counted(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of COUNTED_TABLES) {
    const some = table === 'counters' ? sql`WHERE count <> 0` : sql``
    const rows = await db.query<{ row: string }>(sql`SELECT t::text AS row FROM ${sql.id(table)} t ${some} ORDER BY 1`)
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

interface Roll {
  id: string
}

/** Stores the pools as earlier versions did: with their traits in the pool only. */
async function asEarlierVersion(company_id: string) {
  const changed = await db.transaction((tx) =>
    tx.query(sql`
      UPDATE dice_rolls SET "values" = '[]' WHERE company_id = ${company_id} AND jsonb_array_length(pool->'traits') > 0 AND NOT pool ? 'again'
      RETURNING id`),
  )
  assert.ok(changed.length > 0)
}

/** The total of the audit log, and the number of its items page by page. */
async function auditTotals(base: string, key: string) {
  const { total } = (await call('GET', `${base}/audit-logs?limit=0`, { key })).body
  let next = 0
  for (let items = 1; items > 0; next += items)
    items = (await call('GET', `${base}/audit-logs?limit=100&offset=${next}`, { key })).body.items.length
  return { total, next }
}

test('recount rebuilds the counts of the service, row by row', async () => {
  const { base, key, user, player, teller, admin, campaign_id, C, company_id } = await newGameTable()
  await teller.patch(C, { desperation: 5 })
  const other = await teller.make('/campaigns', { name: 'Only dice from the table' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 3, charm: 0 } })
  const bodies = [
    { notation: '4d6kh3+2' },
    { notation: '9dF' },
    { notation: '6d3' },
    { notation: '3d1000' },
    { notation: '8d10>=7f1', campaign_id, visibility: 'BLIND' },
    { pool: { traits: ['wits', 'charm', 'wits'], difficulty: 6 }, character_id: hero },
    { pool: { dice: 5, sides: 6 }, campaign_id, visibility: 'STORYTELLER' },
    {
      pool: { traits: ['wits', 'luck'], modifier: 2, success: 5, again: [10], special: { count: 'charm' } },
      values: { luck: 2 },
      character_id: hero,
    },
    { notation: '1d20+{wits}-{charm}+{luck}', values: { luck: 2 }, target: 12, naturals: true, character_id: hero },
    { notation: '6d6!+3d4r=1+1d20mi10', campaign_id },
    {
      rolls: [{ notation: '2d20kl1', target: 8, compare: 'AT_MOST', naturals: true }, { notation: '{wits}d4+1dF' }],
      repeat: 6,
      character_id: hero,
    },
    { notation: '2d6+{wits}', manual: [2, 5], target: 8, character_id: hero },
    { pool: { dice: 3, difficulty: 6 }, manual: [1, 7, 10] },
    { notation: '1d20', manual: [20], campaign_id: other, target: 3, naturals: true },
  ]
  const made: Roll[] = []
  for (const body of [...bodies, ...bodies]) {
    const { status, body: reply, text } = await player.post('/dice-rolls', body)
    assert.equal(status, 201, text)
    made.push(...(('items' in reply && reply.items ? reply.items : [reply]) as unknown as Roll[]))
  }
  for (let i = 0; i < 6; i++) {
    const { body } = await player.post('/dice-rolls', { pool: { dice: 2, sides: 4, difficulty: 2, desperation_dice: 5 }, campaign_id })
    await player.post(`/dice-rolls/${body.id}/settle`, { choice: i % 2 ? 'DESPAIR' : 'OVERREACH' })
    made.push(body as unknown as Roll)
  }
  // A roll at the table, strained and settled, and one whose only roll of its day, tally, sides and trait is voided.
  const table = { pool: { dice: 1, difficulty: 6, desperation_dice: 1 }, manual: [9, 1], campaign_id }
  await player.post(`/dice-rolls/${await player.make('/dice-rolls', table)}/settle`, { choice: 'DESPAIR' })
  const only = { notation: '2d30+{grit}', character_id: await player.make(`${C}/characters`, { name: 'Once', traits: { grit: 1 } }) }
  made.unshift((await player.post('/dice-rolls', only)).body as unknown as Roll)
  await asEarlierVersion(company_id)
  for (const [i, { id }] of made.entries())
    if (i % 3 === 0) assert.equal((await admin.post(`/dice-rolls/${id}/void`, { reason: 'Test' })).status, 200)
  const gone = await user('PLAYER')
  await call('DELETE', `${base}/users/${gone}`, { key })
  await foldTallies(db)
  await countCompany(db, company_id, new Date())
  const before = await counted()
  for (const table of COUNTED_TABLES) assert.notDeepEqual(before[table], [], table)
  await write(sql`UPDATE dice_tallies SET rolls = rolls + 7, successes = 0`)
  await write(sql`UPDATE dice_faces SET faces = array_fill(3::bigint, ARRAY[sides])`)
  await write(sql`DELETE FROM dice_days`)
  await write(sql`DELETE FROM dice_traits`)
  await write(sql`UPDATE counters SET count = count + 1`)
  await write(sql`UPDATE feed_heads SET unplaced = unplaced + 5`)
  const { code, output } = await guildhall(['recount'], { DATABASE_URL: url })
  assert.deepEqual([code, output], [0, 'Statistics and totals are rebuilt.\n'])
  assert.deepEqual(await counted(), before)

  const [mark] = await db.query(sql`SELECT up_to FROM count_marks`)
  assert.equal(mark, undefined, 'totals of ledgers and histories are counted row by row again')
  const { total, next } = await auditTotals(base, key)
  assert.equal(total, next)

  // Rolls that wait to be counted are counted once.
  await player.make('/dice-rolls', { notation: '2d6', campaign_id })
  assert.equal((await guildhall(['recount'], { DATABASE_URL: url })).code, 0)
  const rebuilt = await counted()
  assert.notDeepEqual(rebuilt, before)
  assert.deepEqual([(await foldTallies(db)).rows, await counted()], [0, rebuilt])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
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

test('recount rebuilds the counts of the service, row by row', async () => {
  const { base, key, user, player, teller, campaign_id, C } = await newGameTable()
  await teller.patch(C, { desperation: 5 })
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 3, charm: 0 } })
  const bodies = [
    { notation: '4d6kh3+2' },
    { notation: '9dF' },
    { notation: '6d3' },
    { notation: '3d1000' },
    { notation: '8d10>=7f1', campaign_id, visibility: 'BLIND' },
    { pool: { traits: ['wits', 'charm', 'wits'], difficulty: 6 }, character_id: hero },
    { pool: { dice: 5, sides: 6 }, campaign_id, visibility: 'STORYTELLER' },
  ]
  for (const body of bodies) await player.make('/dice-rolls', body)
  for (let i = 0; i < 6; i++) {
    const { body } = await player.post('/dice-rolls', { pool: { dice: 2, sides: 4, difficulty: 2, desperation_dice: 5 }, campaign_id })
    await player.post(`/dice-rolls/${body.id}/settle`, { choice: i % 2 ? 'DESPAIR' : 'OVERREACH' })
  }
  const gone = await user('PLAYER')
  await call('DELETE', `${base}/users/${gone}`, { key })
  const before = await counted()
  for (const table of COUNTED_TABLES) assert.notDeepEqual(before[table], [], table)
  await write(sql`UPDATE dice_tallies SET rolls = rolls + 7, successes = 0`)
  await write(sql`UPDATE dice_faces SET faces = array_fill(3::bigint, ARRAY[sides])`)
  await write(sql`DELETE FROM dice_days`)
  await write(sql`DELETE FROM dice_traits`)
  await write(sql`UPDATE counters SET count = count + 1`)
  const { code, output } = await guildhall(['recount'], { DATABASE_URL: url })
  assert.deepEqual([code, output], [0, 'Statistics and totals are rebuilt.\n'])
  assert.deepEqual(await counted(), before)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { engine, newApp, url } from './harness.ts'
import { untilBlocked } from './locks.ts'
import { assertConflict } from './problems.ts'
import { newTableToRule } from './ruled-table.ts'

// A worker of Citus waits with another statement.
test('the last attempt of a write knows what changed while it waited for its locks', { skip: engine === 'citus' }, async (t) => {
  const [one, two] = [new pg.Client(url), new pg.Client(url)] as const
  for (const gate of [one, two]) {
    await gate.connect()
    t.after(() => gate.end())
  }
  const { play, player, teller, C, campaign_id } = await newTableToRule()
  const first = await play('action-dice')
  const second = await play('d10-pool')
  await teller.put(`${C}/ruleset`, { version_id: first.version_id, accept_faults: true })
  const path = `${C}/creations/${await player.make(`${C}/creations`, {})}`
  const filled = await player.post(`${path}/random`, {})
  assert.equal(filled.status, 200, filled.text)

  const hold = (gate: pg.Client, name: string) =>
    gate.query('BEGIN').then(() => gate.query(`SELECT '${name}' FROM campaigns WHERE id = $1 FOR UPDATE`, [campaign_id]))
  const change = async (gate: pg.Client, column: 'ruleset_mode' | 'ruleset_version_id', value: string) => {
    await gate.query(`UPDATE campaigns SET ${column} = $2 WHERE id = $1`, [campaign_id, value])
    await gate.query('COMMIT')
  }
  await hold(one, 'gate one')
  // This app does not know the caller, so there are two attempts.
  const finished = player.post(`${path}/finish`, { name: 'Mina' }, {}, await newApp())
  await untilBlocked(1, '%KEY SHARE%')
  const held = hold(two, 'gate two')
  await untilBlocked(1, '%gate two%')
  await change(one, 'ruleset_mode', 'ADVISORY')
  await held
  // The first attempt has failed, because its caller changed. The last one has identified its caller, and waits for the campaign.
  await untilBlocked(1, '%KEY SHARE%')
  await change(two, 'ruleset_version_id', second.version_id)
  assertConflict(await finished, 'ruleset_changed')
})

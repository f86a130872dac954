import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { call, db, engine, write } from '../../../test/harness.ts'
import { repeat } from '../../../test/until.ts'
import { sql } from '../../db/sql.ts'
import { invariants } from '../declarations.ts'
import type { Statistics } from '../statistics/schema.ts'
import { foldTallies } from './fold.ts'
import { COUNTED } from './tally-counts.ts'
import type { QueuedRow } from './tally-queue.ts'
import { sumsOf } from './tally-sums.ts'

const [ROLLS, WRITERS] = [12, 6]

const queued = async (company_id: string) => (await db.query(sql`SELECT id FROM tally_queue WHERE company_id = ${company_id}`)).length

test('while many roll, void and settle, and three workers fold, every snapshot counts every roll once', async () => {
  const { base, key, company_id, admin, teller, person, campaign_id, C } = await newGameTable()
  await teller.patch(C, { desperation: 5 })
  const people = await Promise.all(Array.from({ length: WRITERS }, () => person('STORYTELLER')))
  const statistics = invariants().find(({ check }) => check === 'statistics')
  assert.ok(statistics)
  const violations = () => db.query(sql`SELECT * FROM (${statistics.violations()}) x WHERE company_id = ${company_id}`)
  let [folded, snapshots] = [0, 0]
  const stopFolding = repeat(async () => {
    folded += (await foldTallies(db)).rows
  }, 3)
  let seen = 0
  const stopReading = repeat(async () => {
    // On Citus, a statement about all companies has no single snapshot.
    if (engine !== 'citus') assert.deepEqual(await violations(), [])
    const { rolls, manual } = (await call('GET', `${base}/statistics`, { key })).body as unknown as Statistics
    assert.ok(rolls + manual.rolls >= seen, `${rolls + manual.rolls} after ${seen}`)
    seen = rolls + manual.rolls
    snapshots++
  })
  const roll = async (user: Person, i: number) => {
    const bodies = [
      { notation: '2d6', campaign_id },
      { pool: { dice: 2, difficulty: 6, desperation_dice: 5 }, campaign_id },
      { notation: '1d20', manual: [7], target: 5 },
    ]
    const { status, body, text } = await user.post('/dice-rolls', bodies[i % 3], {}, twoApps[i % 2])
    assert.equal(status, 201, text)
    const { strained } = body as unknown as { strained: boolean | null }
    if (strained) assert.equal((await user.post(`/dice-rolls/${body.id}/settle`, { choice: i % 2 ? 'DESPAIR' : 'OVERREACH' })).status, 200)
    return body.id
  }
  const rolled: string[] = []
  await Promise.all(
    people.map(async (user) => {
      for (let i = 0; i < ROLLS; i++) rolled.push(await roll(user, i))
    }),
  )
  await Promise.all([stopFolding(), stopReading()])
  // Some are voided before their additions are folded, and some after.
  const voided = rolled.slice(-3 * WRITERS)
  await Promise.all(
    voided.map(async (id, i) => {
      assert.equal((await admin.post(`/dice-rolls/${id}/void`, { reason: 'Test' }, {}, twoApps[i % 2])).status, 200)
      if (i % 4 === 0) await foldTallies(db)
    }),
  )
  assert.ok(folded > 0 && snapshots > 1, `${folded} folded, ${snapshots} snapshots`)
  const before = (await call('GET', `${base}/statistics`, { key })).body
  await foldTallies(db)
  assert.equal(await queued(company_id), 0)
  assert.deepEqual(await violations(), [])
  const after = (await call('GET', `${base}/statistics`, { key })).body
  assert.deepEqual(after, before)
  assert.equal((after as unknown as Statistics).rolls + (after as unknown as Statistics).manual.rolls, WRITERS * (ROLLS - 3))
})

test('additions that cannot be folded stay, are reported, and stop no other company', async () => {
  const [broken, sound] = [await newGameTable(), await newGameTable()]
  for (const { player, campaign_id } of [broken, sound]) await player.make('/dice-rolls', { notation: '2d6', campaign_id })
  await write(sql`UPDATE tally_queue SET visibility = 'NOBODY' WHERE company_id = ${broken.company_id}`)
  const { fault } = await foldTallies(db)
  assert.match(String(fault), /visibility/)
  assert.deepEqual([await queued(broken.company_id), await queued(sound.company_id)], [1, 0])
  await write(sql`UPDATE tally_queue SET visibility = 'PUBLIC' WHERE company_id = ${broken.company_id}`)
  assert.equal((await foldTallies(db)).fault, undefined)
  assert.equal(await queued(broken.company_id), 0)
})

test('rows of the queue are added up by user, campaign and company', () => {
  const row = (user_id: string, campaign_id: string | null, rolls: number, day = '2026-01-01'): QueuedRow => ({
    company_id: 'c1',
    id: `${user_id}${campaign_id}${rolls}`,
    campaign_id,
    character_id: null,
    user_id,
    visibility: 'PUBLIC',
    day,
    counts: COUNTED.map((name) => (name === 'rolls' ? rolls : 0)),
    faces: [{ sides: 2, faces: [rolls, 0] }],
    traits: { wits: rolls },
  })
  const sums = sumsOf([row('u1', 'x0', 1), row('u1', 'x0', 2, '2026-01-02'), row('u2', 'x0', 4), row('u1', 'x0', -1)])
  const shown = sums.map(({ own, counts, days, faces, traits }) => [
    own?.user_id,
    counts[0],
    [...days].map(([day, [rolls]]) => [day, rolls]),
    faces.get(2),
    traits.get('wits'),
  ])
  const days = {
    'u1 2': [
      ['2026-01-01', 0],
      ['2026-01-02', 2],
    ],
    'u2 4': [['2026-01-01', 4]],
    ' 6': [
      ['2026-01-01', 4],
      ['2026-01-02', 2],
    ],
  }
  assert.deepEqual(shown.map(([user, n, ofDays]) => [`${user ?? ''} ${n}`, ofDays]).sort(), Object.entries(days).sort())
  for (const [, n, , faces, traits] of shown) assert.deepEqual([faces, traits], [[n, 0], n])
})

import { hash } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import type { Outcome } from '../../dice/pool.ts'
import type { DiceRoll } from './schema.ts'
import './invariants.ts'

declareTable('dice_tallies', undefined, {
  references: { campaigns: 'campaign_id', characters: 'character_id', users: 'user_id' },
})
for (const [name, column] of Object.entries({ dice_days: 'day', dice_faces: 'sides', dice_traits: 'trait' }))
  declareTable(name, undefined, { key: ['company_id', 'tally_id', column], partOf: { dice_tallies: 'tally_id' } })

/** What is counted of rolls, day by day too. */
export const DAILY = ['rolls', 'botches', 'failures', 'successes', 'criticals'] as const
export const COUNTED = [...DAILY, 'pools', 'pool_dice', 'difficulties', 'difficulty_sum'] as const
export type Counts = Record<(typeof COUNTED)[number], number>

export const COUNTED_AS = { BOTCH: 'botches', FAILURE: 'failures', SUCCESS: 'successes', CRITICAL: 'criticals' } as const

const NOTHING = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts

/** Dice of more sides are not looked at face by face. */
export const MOST_FACES = 100

type Where = Pick<DiceRoll, 'company_id' | 'campaign_id' | 'character_id' | 'user_id' | 'visibility' | 'date_created'>

/**
 * The two tallies a roll is in: that of who rolled it there, and that of the company, which is one of sixteen, lest all wait
 * for one row. Ids follow from what a tally is of.
 */
function talliesOf({ campaign_id, character_id, user_id, visibility }: Where): [own: string, company: string] {
  const id = (...of: string[]) => hash('sha256', [...of, visibility].join(':'), 'hex').slice(0, 32)
  return [id(campaign_id ?? '', character_id ?? '', user_id), id((campaign_id ?? user_id).slice(-1))]
}

const names = (counted: readonly string[]) => sql.join(counted.map(sql.id), ', ')
const added = (counted: readonly string[]) =>
  sql.join(
    counted.map((name) => sql`${sql.id(name)} = t.${sql.id(name)} + excluded.${sql.id(name)}`),
    ', ',
  )
const ALL = { names: names(COUNTED), added: added(COUNTED) }
const DAY = { names: names(DAILY), added: added(DAILY) }

/** Adds to the tallies that a roll is in, the company's last: it is held for as short as can be, and by who waits for nothing else. */
function add(db: Tx, roll: Where, counts: Counts, faces: Map<number, number[]>, traits: string[]): void {
  const { company_id, campaign_id, character_id, user_id, visibility } = roll
  const [own, company] = talliesOf(roll)
  const values = sql.join(
    COUNTED.map((name) => sql`${counts[name]}::bigint`),
    ', ',
  )
  const sizes = [...faces].flatMap(([sides, fallen]) => (sides <= MOST_FACES ? [{ sides, faces: fallen }] : []))
  db.send(sql`
    WITH given (${ALL.names}) AS (VALUES (${values})), tally AS (
      INSERT INTO dice_tallies AS t (company_id, visibility, id, campaign_id, character_id, user_id, ${ALL.names})
      SELECT ${company_id}::uuid, ${visibility}, one.*, given.*
      FROM given CROSS JOIN (VALUES (${own}::uuid, ${campaign_id}::uuid, ${character_id}::uuid, ${user_id}::uuid), (${company}, NULL, NULL, NULL)) AS one
      ON CONFLICT (company_id, id) DO UPDATE SET ${ALL.added}
      RETURNING company_id, id
    ), days AS (
      INSERT INTO dice_days AS t (company_id, tally_id, day, ${DAY.names})
      SELECT company_id, id, ${roll.date_created.slice(0, 10)}::date, ${DAY.names} FROM tally CROSS JOIN given
      ON CONFLICT (company_id, tally_id, day) DO UPDATE SET ${DAY.added}
    ), faces AS (
      INSERT INTO dice_faces AS t (company_id, tally_id, sides, faces)
      SELECT company_id, id, sides, faces FROM tally CROSS JOIN json_to_recordset(${JSON.stringify(sizes)}) AS size (sides integer, faces bigint[])
      ON CONFLICT (company_id, tally_id, sides) DO UPDATE
      SET faces = (SELECT array_agg(a + b ORDER BY face) FROM unnest(t.faces, excluded.faces) WITH ORDINALITY AS fallen (a, b, face))
    )
    INSERT INTO dice_traits AS t (company_id, tally_id, trait, rolls)
    SELECT company_id, id, trait, 1 FROM tally CROSS JOIN unnest(${traits}::text[]) AS trait
    ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + 1`)
}

/** Counts a roll, in its own transaction. */
export function tally(db: Tx, roll: DiceRoll, faces: Map<number, number[]>): void {
  const { pool, dice, outcome } = roll
  const counts = { ...NOTHING, rolls: 1 }
  if (outcome) counts[COUNTED_AS[outcome]] = 1
  if (pool) Object.assign(counts, { pools: 1, pool_dice: dice.length })
  if (pool?.difficulty) Object.assign(counts, { difficulties: 1, difficulty_sum: pool.difficulty })
  const traits = pool?.traits.flatMap(({ name, value }) => (value > 0 ? [name] : [])) ?? []
  add(db, roll, counts, faces, [...new Set(traits)].sort())
}

/** Counts a roll as what it was settled to be. */
export function recount(db: Tx, roll: DiceRoll, before: Outcome | null): void {
  if (roll.outcome === before) return
  const counts = { ...NOTHING }
  if (before) counts[COUNTED_AS[before]] = -1
  if (roll.outcome) counts[COUNTED_AS[roll.outcome]] = 1
  add(db, roll, counts, new Map(), [])
}

const BATCH = 100

/** Takes rolls of a campaign that is purged out of the tallies of its company, and tells how many tallies that ended. */
export async function forget(db: Tx, company_id: string, campaign_id: string): Promise<number> {
  const found = await db.query<{ id: string; visibility: DiceRoll['visibility'] }>(sql`
    SELECT id, visibility FROM dice_tallies WHERE company_id = ${company_id} AND campaign_id = ${campaign_id}
    ORDER BY visibility, id LIMIT ${sql.number(BATCH)} FOR UPDATE`)
  const [first] = found
  if (!first) return 0
  const { visibility } = first
  const ids = found.flatMap((tally) => (tally.visibility === visibility ? [tally.id] : []))
  const [, company] = talliesOf({ campaign_id, character_id: null, user_id: '', visibility } as Where)
  const those = sql`t.company_id = ${company_id} AND t.tally_id = ANY (${ids}::uuid[])`
  const sums = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`sum(${sql.id(name)}) AS ${sql.id(name)}`),
      ', ',
    )
  const less = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`${sql.id(name)} = c.${sql.id(name)} - s.${sql.id(name)}`),
      ', ',
    )
  const kept = sql`c.company_id = ${company_id} AND c.tally_id = ${company}`
  for (const statement of [
    sql`UPDATE dice_tallies c SET ${less(COUNTED)}
        FROM (SELECT ${sums(COUNTED)} FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])) s
        WHERE c.company_id = ${company_id} AND c.id = ${company}`,
    sql`UPDATE dice_days c SET ${less(DAILY)} FROM (SELECT day, ${sums(DAILY)} FROM dice_days t WHERE ${those} GROUP BY day) s
        WHERE ${kept} AND c.day = s.day`,
    sql`UPDATE dice_traits c SET rolls = c.rolls - s.rolls
        FROM (SELECT trait, sum(rolls) AS rolls FROM dice_traits t WHERE ${those} GROUP BY trait) s WHERE ${kept} AND c.trait = s.trait`,
    sql`UPDATE dice_faces c
        SET faces = (SELECT array_agg(a - b ORDER BY face) FROM unnest(c.faces, s.faces) WITH ORDINALITY AS fallen (a, b, face))
        FROM (SELECT sides, array_agg(n ORDER BY face) AS faces FROM (
            SELECT sides, face, sum(fallen)::bigint AS n FROM dice_faces t CROSS JOIN unnest(t.faces) WITH ORDINALITY AS f (fallen, face)
            WHERE ${those} GROUP BY sides, face) each GROUP BY sides) s
        WHERE ${kept} AND c.sides = s.sides`,
    ...['dice_days', 'dice_traits', 'dice_faces'].map((name) => sql`DELETE FROM ${sql.id(name)} t WHERE ${those}`),
    sql`DELETE FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])`,
  ])
    db.send(statement)
  return ids.length
}

import { hash } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Outcome } from '../../dice/pool.ts'
import type { DiceRoll } from './schema.ts'
import './invariants.ts'

declareTable('dice_tallies', undefined, {
  references: { campaigns: 'campaign_id', characters: 'character_id', users: 'user_id' },
})
for (const [name, column] of Object.entries({ dice_days: 'day', dice_faces: 'sides', dice_traits: 'trait' }))
  declareTable(name, undefined, { key: ['company_id', 'tally_id', column], partOf: { dice_tallies: 'tally_id' } })

/** The counts that are also stored for each day. */
export const DAILY = ['rolls', 'botches', 'failures', 'successes', 'criticals'] as const
export const COUNTED = [...DAILY, 'pools', 'pool_dice', 'difficulties', 'difficulty_sum'] as const
export type Counts = Record<(typeof COUNTED)[number], number>

export const COUNTED_AS = { BOTCH: 'botches', FAILURE: 'failures', SUCCESS: 'successes', CRITICAL: 'criticals' } as const

const ZEROS = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts

/** The faces of dice with more sides are not counted; dice_faces has a CHECK for it. */
export const MAX_COUNTED_SIDES = 100

type Scope = Pick<DiceRoll, 'company_id' | 'campaign_id' | 'character_id' | 'user_id' | 'visibility' | 'date_created'>

/**
 * The ids of the two tallies that a roll is counted in: that of its user in its campaign, and that of the company. The company has sixteen,
 * so that its rolls do not all wait for one row. An id is the hash of the values that the rolls of its tally share.
 */
function tallyIdsOf({ campaign_id, character_id, user_id, visibility }: Scope): [own: string, company: string] {
  const id = (...parts: string[]) => hash('sha256', [...parts, visibility].join(':'), 'hex').slice(0, 32)
  return [id(campaign_id ?? '', character_id ?? '', user_id), id((campaign_id ?? user_id).slice(-1))]
}

const names = (counted: readonly string[]) => sql.join(counted.map(sql.id), ', ')
const additions = (counted: readonly string[]) =>
  sql.join(
    counted.map((name) => sql`${sql.id(name)} = t.${sql.id(name)} + excluded.${sql.id(name)}`),
    ', ',
  )
const ALL = { names: names(COUNTED), additions: additions(COUNTED) }
const DAY = { names: names(DAILY), additions: additions(DAILY) }

/** Adds to both tallies of a roll, that of the company last: its row is then locked briefly, and by a statement that waits for nothing else. */
function addToTallies(tx: Tx, roll: Scope, counts: Counts, faces: Map<number, number[]>, traits: string[]): void {
  const sizes = [...faces].flatMap(([sides, counted]) => (sides <= MAX_COUNTED_SIDES ? [{ sides, faces: counted }] : []))
  const additions = { roll, counts, sizes, traits }
  if (tx.isDistributed) for (const statement of statementsFor(additions)) tx.send(statement)
  else tx.send(statementFor(additions))
}

interface Additions {
  roll: Scope
  counts: Counts
  sizes: { sides: number; faces: number[] }[]
  traits: string[]
}

/** Adds everything in one statement. */
function statementFor({ roll, counts, sizes, traits }: Additions): Sql {
  const { company_id, campaign_id, character_id, user_id, visibility } = roll
  const [own, company] = tallyIdsOf(roll)
  const values = sql.join(
    COUNTED.map((name) => sql`${counts[name]}::bigint`),
    ', ',
  )
  return sql`
    WITH given (${ALL.names}) AS (VALUES (${values})), tally AS (
      INSERT INTO dice_tallies AS t (company_id, visibility, id, campaign_id, character_id, user_id, ${ALL.names})
      SELECT ${company_id}::uuid, ${visibility}, one.*, given.*
      FROM given CROSS JOIN (VALUES (${own}::uuid, ${campaign_id}::uuid, ${character_id}::uuid, ${user_id}::uuid), (${company}, NULL, NULL, NULL)) AS one
      ON CONFLICT (company_id, id) DO UPDATE SET ${ALL.additions}
      RETURNING company_id, id
    ), days AS (
      INSERT INTO dice_days AS t (company_id, tally_id, day, ${DAY.names})
      SELECT company_id, id, ${roll.date_created.slice(0, 10)}::date, ${DAY.names} FROM tally CROSS JOIN given
      ON CONFLICT (company_id, tally_id, day) DO UPDATE SET ${DAY.additions}
    ), faces AS (
      INSERT INTO dice_faces AS t (company_id, tally_id, sides, faces)
      SELECT company_id, id, sides, faces FROM tally CROSS JOIN json_to_recordset(${JSON.stringify(sizes)}) AS size (sides integer, faces bigint[])
      ON CONFLICT (company_id, tally_id, sides) DO UPDATE
      SET faces = (SELECT array_agg(a + b ORDER BY face) FROM unnest(t.faces, excluded.faces) WITH ORDINALITY AS fallen (a, b, face))
    )
    INSERT INTO dice_traits AS t (company_id, tally_id, trait, rolls)
    SELECT company_id, id, trait, 1 FROM tally CROSS JOIN unnest(${traits}::text[]) AS trait
    ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + 1`
}

/**
 * Adds the same with one statement for each table, for Citus: an insert of values goes to the worker of the company, and one from a query would be planned and
 * run in several steps.
 */
function statementsFor({ roll, counts, sizes, traits }: Additions): Sql[] {
  const { company_id, campaign_id, character_id, user_id, visibility } = roll
  const ids = tallyIdsOf(roll)
  const valuesOf = (counted: readonly (keyof Counts)[]) =>
    sql.join(
      counted.map((name) => sql`${counts[name]}`),
      ', ',
    )
  const rowsFor = (rows: (tally_id: string) => Sql[]) => sql.join(ids.flatMap(rows), ', ')
  const day = roll.date_created.slice(0, 10)
  return [
    sql`INSERT INTO dice_tallies AS t (company_id, id, campaign_id, character_id, user_id, visibility, ${ALL.names})
      VALUES (${company_id}, ${ids[0]}, ${campaign_id}, ${character_id}, ${user_id}, ${visibility}, ${valuesOf(COUNTED)}),
        (${company_id}, ${ids[1]}, NULL, NULL, NULL, ${visibility}, ${valuesOf(COUNTED)})
      ON CONFLICT (company_id, id) DO UPDATE SET ${ALL.additions}`,
    sql`INSERT INTO dice_days AS t (company_id, tally_id, day, ${DAY.names})
      VALUES ${rowsFor((id) => [sql`(${company_id}, ${id}, ${day}, ${valuesOf(DAILY)})`])}
      ON CONFLICT (company_id, tally_id, day) DO UPDATE SET ${DAY.additions}`,
    ...(sizes.length
      ? [
          sql`INSERT INTO dice_faces AS t (company_id, tally_id, sides, faces)
      VALUES ${rowsFor((id) => sizes.map(({ sides, faces }) => sql`(${company_id}, ${id}, ${sides}, ${faces}::bigint[])`))}
      ON CONFLICT (company_id, tally_id, sides) DO UPDATE SET faces = add_arrays(t.faces, excluded.faces)`,
        ]
      : []),
    ...(traits.length
      ? [
          sql`INSERT INTO dice_traits AS t (company_id, tally_id, trait, rolls)
      VALUES ${rowsFor((id) => traits.map((trait) => sql`(${company_id}, ${id}, ${trait}, 1)`))}
      ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + 1`,
        ]
      : []),
  ]
}

/** Counts a roll, in the transaction that makes it. */
export function tally(tx: Tx, roll: DiceRoll, faces: Map<number, number[]>): void {
  const { pool, dice, outcome } = roll
  const counts = { ...ZEROS, rolls: 1 }
  if (outcome) counts[COUNTED_AS[outcome]] = 1
  if (pool) Object.assign(counts, { pools: 1, pool_dice: dice.length })
  if (pool?.difficulty) Object.assign(counts, { difficulties: 1, difficulty_sum: pool.difficulty })
  const traits = pool?.traits.flatMap(({ name, value }) => (value > 0 ? [name] : [])) ?? []
  addToTallies(tx, roll, counts, faces, [...new Set(traits)].sort())
}

/** Counts a settled roll by its new outcome instead of the one before. */
export function tallySettlement(tx: Tx, roll: DiceRoll, before: Outcome | null): void {
  if (roll.outcome === before) return
  const counts = { ...ZEROS }
  if (before) counts[COUNTED_AS[before]] = -1
  if (roll.outcome) counts[COUNTED_AS[roll.outcome]] = 1
  addToTallies(tx, roll, counts, new Map(), [])
}

const BATCH_TALLIES = 100

/** Subtracts a batch of the tallies of a purged campaign from those of its company, and deletes them. Returns how many it deleted. */
export async function subtractCampaign(tx: Tx, company_id: string, campaign_id: string): Promise<number> {
  const found = await tx.query<{ id: string; visibility: DiceRoll['visibility'] }>(sql`
    SELECT id, visibility FROM dice_tallies WHERE company_id = ${company_id} AND campaign_id = ${campaign_id}
    ORDER BY visibility, id LIMIT ${sql.number(BATCH_TALLIES)} FOR UPDATE`)
  const [first] = found
  if (!first) return 0
  const { visibility } = first
  const ids = found.flatMap((tally) => (tally.visibility === visibility ? [tally.id] : []))
  const [, company] = tallyIdsOf({ campaign_id, character_id: null, user_id: '', visibility } as Scope)
  const isDeleted = sql`t.company_id = ${company_id} AND t.tally_id = ANY (${ids}::uuid[])`
  const sums = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`sum(${sql.id(name)}) AS ${sql.id(name)}`),
      ', ',
    )
  const subtractions = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`${sql.id(name)} = c.${sql.id(name)} - s.${sql.id(name)}`),
      ', ',
    )
  const isOfCompany = sql`c.company_id = ${company_id} AND c.tally_id = ${company}`
  for (const statement of [
    sql`UPDATE dice_tallies c SET ${subtractions(COUNTED)}
        FROM (SELECT ${sums(COUNTED)} FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])) s
        WHERE c.company_id = ${company_id} AND c.id = ${company}`,
    sql`UPDATE dice_days c SET ${subtractions(DAILY)} FROM (SELECT day, ${sums(DAILY)} FROM dice_days t WHERE ${isDeleted} GROUP BY day) s
        WHERE ${isOfCompany} AND c.day = s.day`,
    sql`UPDATE dice_traits c SET rolls = c.rolls - s.rolls
        FROM (SELECT trait, sum(rolls) AS rolls FROM dice_traits t WHERE ${isDeleted} GROUP BY trait) s WHERE ${isOfCompany} AND c.trait = s.trait`,
    sql`UPDATE dice_faces c
        SET faces = (SELECT array_agg(a - b ORDER BY face) FROM unnest(c.faces, s.faces) WITH ORDINALITY AS fallen (a, b, face))
        FROM (SELECT sides, array_agg(n ORDER BY face) AS faces FROM (
            SELECT sides, face, sum(fallen)::bigint AS n FROM dice_faces t CROSS JOIN unnest(t.faces) WITH ORDINALITY AS f (fallen, face)
            WHERE ${isDeleted} GROUP BY sides, face) each GROUP BY sides) s
        WHERE ${isOfCompany} AND c.sides = s.sides`,
    ...['dice_days', 'dice_traits', 'dice_faces'].map((name) => sql`DELETE FROM ${sql.id(name)} t WHERE ${isDeleted}`),
    sql`DELETE FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])`,
  ])
    tx.send(statement)
  return ids.length
}

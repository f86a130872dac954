import { hash } from 'node:crypto'
import { type Sql, sql } from '../../db/sql.ts'
import type { DiceRoll } from './schema.ts'

/** The counts that are also stored for each day. */
export const DAILY = ['rolls', 'botches', 'failures', 'successes', 'criticals'] as const
/** The counts of dice rolled at the table, which no other count includes. */
export const MANUAL = ['manual_rolls', 'manual_botches', 'manual_failures', 'manual_successes', 'manual_criticals'] as const
const USUAL = [...DAILY, 'pools', 'pool_dice', 'difficulties', 'difficulty_sum'] as const
const NATURALS = ['natural_max', 'natural_min'] as const
const UNCOUNTED = [...MANUAL, 'voided_rolls'] as const
export const COUNTED = [...USUAL, ...NATURALS, ...UNCOUNTED] as const
/** The counts that together include every roll once. */
export const ROLLS = ['rolls', 'manual_rolls', 'voided_rolls'] as const
export type Counts = Record<(typeof COUNTED)[number], number>

export type Scope = Pick<DiceRoll, 'company_id' | 'campaign_id' | 'character_id' | 'user_id' | 'visibility' | 'date_created'>

/**
 * The ids of the two tallies that a roll is counted in: that of its user in its campaign, and that of the company. The company has sixteen,
 * so that its rolls do not all wait for one row. An id is the hash of the values that the rolls of its tally share.
 */
export function tallyIdsOf({ campaign_id, character_id, user_id, visibility }: Scope): [own: string, company: string] {
  const id = (...parts: string[]) => hash('sha256', [...parts, visibility].join(':'), 'hex').slice(0, 32)
  return [id(campaign_id ?? '', character_id ?? '', user_id), id((campaign_id ?? user_id).slice(-1))]
}

const names = (counted: readonly string[]) => sql.join(counted.map(sql.id), ', ')
const additions = (counted: readonly string[]) =>
  sql.join(
    counted.map((name) => sql`${sql.id(name)} = t.${sql.id(name)} + excluded.${sql.id(name)}`),
    ', ',
  )
const clausesOf = <Name extends keyof Counts>(counted: readonly Name[]) => ({
  counted,
  names: names(counted),
  additions: additions(counted),
})
const DAY = clausesOf(DAILY)
/** The counts of a statement, by the rare kinds among them: most rolls have none, and pay for no column of theirs. */
const CLAUSES = [clausesOf(USUAL), clausesOf([...USUAL, ...NATURALS]), clausesOf([...USUAL, ...UNCOUNTED]), clausesOf(COUNTED)] as const

function clausesFor(counts: Counts) {
  const has = (rare: readonly (keyof Counts)[]) => rare.some((name) => counts[name] !== 0)
  return CLAUSES[(has(NATURALS) ? 1 : 0) + (has(UNCOUNTED) ? 2 : 0)] as ReturnType<typeof clausesOf>
}

/** The counts to add to the two tallies of a roll. */
export interface Additions {
  roll: Scope
  counts: Counts
  /** The number of times that each face was rolled, by the number of sides. */
  faces: Map<number, number[]>
  /** The number of rolls that used a trait, by its name. */
  traits: Map<string, number>
}

/** In the same order in every request, so that transactions lock the rows in the same order. */
const sorted = <Key extends string | number, Value>(counts: Map<Key, Value>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

/** Adds everything in one statement. */
export function statementFor({ roll, counts, faces, traits }: Additions): Sql {
  const { company_id, campaign_id, character_id, user_id, visibility } = roll
  const [own, company] = tallyIdsOf(roll)
  const sizes = sorted(faces).map(([sides, counted]) => ({ sides, faces: counted }))
  const used = sorted(traits)
  const { counted, names, additions } = clausesFor(counts)
  const values = sql.join(
    counted.map((name) => sql`${counts[name]}::bigint`),
    ', ',
  )
  return sql`
    WITH given (${names}) AS (VALUES (${values})), tally AS (
      INSERT INTO dice_tallies AS t (company_id, visibility, id, campaign_id, character_id, user_id, ${names})
      SELECT ${company_id}::uuid, ${visibility}, one.*, given.*
      FROM given CROSS JOIN (VALUES (${own}::uuid, ${campaign_id}::uuid, ${character_id}::uuid, ${user_id}::uuid), (${company}, NULL, NULL, NULL)) AS one
      ON CONFLICT (company_id, id) DO UPDATE SET ${additions}
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
    SELECT company_id, id, trait, n FROM tally
    CROSS JOIN unnest(${used.map(([trait]) => trait)}::text[], ${used.map(([, rolls]) => rolls)}::bigint[]) AS used (trait, n)
    ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + excluded.rolls`
}

/**
 * Adds the same with one statement for each table, for Citus: an insert of values goes to the worker of the company, and one from a query would be planned and
 * run in several steps.
 */
export function statementsFor({ roll, counts, faces, traits }: Additions): Sql[] {
  const { company_id, campaign_id, character_id, user_id, visibility } = roll
  const ids = tallyIdsOf(roll)
  const { counted, names, additions } = clausesFor(counts)
  const valuesOf = (some: readonly (keyof Counts)[]) =>
    sql.join(
      some.map((name) => sql`${counts[name]}`),
      ', ',
    )
  const rowsFor = (rows: (tally_id: string) => Sql[]) => sql.join(ids.flatMap(rows), ', ')
  const day = roll.date_created.slice(0, 10)
  return [
    sql`INSERT INTO dice_tallies AS t (company_id, id, campaign_id, character_id, user_id, visibility, ${names})
      VALUES (${company_id}, ${ids[0]}, ${campaign_id}, ${character_id}, ${user_id}, ${visibility}, ${valuesOf(counted)}),
        (${company_id}, ${ids[1]}, NULL, NULL, NULL, ${visibility}, ${valuesOf(counted)})
      ON CONFLICT (company_id, id) DO UPDATE SET ${additions}`,
    sql`INSERT INTO dice_days AS t (company_id, tally_id, day, ${DAY.names})
      VALUES ${rowsFor((id) => [sql`(${company_id}, ${id}, ${day}, ${valuesOf(DAILY)})`])}
      ON CONFLICT (company_id, tally_id, day) DO UPDATE SET ${DAY.additions}`,
    ...(faces.size
      ? [
          sql`INSERT INTO dice_faces AS t (company_id, tally_id, sides, faces)
      VALUES ${rowsFor((id) => sorted(faces).map(([sides, counted]) => sql`(${company_id}, ${id}, ${sides}, ${counted}::bigint[])`))}
      ON CONFLICT (company_id, tally_id, sides) DO UPDATE SET faces = add_arrays(t.faces, excluded.faces)`,
        ]
      : []),
    ...(traits.size
      ? [
          sql`INSERT INTO dice_traits AS t (company_id, tally_id, trait, rolls)
      VALUES ${rowsFor((id) => sorted(traits).map(([trait, rolls]) => sql`(${company_id}, ${id}, ${trait}, ${rolls})`))}
      ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + excluded.rolls`,
        ]
      : []),
  ]
}

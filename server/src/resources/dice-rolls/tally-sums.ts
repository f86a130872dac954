import type { Tx } from '../../db/client.ts'
import { rowsOf } from '../../db/rows.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { COUNTED, DAILY, tallyIdsOf } from './tally-counts.ts'
import type { QueuedRow } from './tally-queue.ts'

/** The sum of some rows of the queue, for one tally. */
interface Sum {
  company_id: string
  id: string
  /** The user, campaign and character; null for the tally of a company. */
  own: QueuedRow | null
  visibility: string
  counts: number[]
  days: Map<string, number[]>
  faces: Map<number, number[]>
  traits: Map<string, number>
}

const plus = (a: number[] | undefined, b: number[]) => (a ? a.map((n, i) => n + (b[i] as number)) : b)

function addTo(sum: Sum, { counts, day, faces, traits }: QueuedRow): void {
  sum.counts = plus(sum.counts, counts)
  sum.days.set(day, plus(sum.days.get(day), counts.slice(0, DAILY.length)))
  for (const { sides, faces: counted } of faces) sum.faces.set(sides, plus(sum.faces.get(sides), counted))
  for (const [trait, rolls] of Object.entries(traits)) sum.traits.set(trait, (sum.traits.get(trait) ?? 0) + rolls)
}

const NO_COUNTS = COUNTED.map(() => 0)

/** Adds up rows of the queue by tally: those of users first, as purging locks them, then by id, so that transactions lock in the same order. */
export function sumsOf(rows: QueuedRow[]): Sum[] {
  const sums = new Map<string, Sum>()
  const sumFor = (row: QueuedRow, id: string, own: QueuedRow | null) => {
    const key = `${own ? 0 : 1}:${row.company_id}:${id}`
    const { company_id, visibility } = row
    const sum = sums.get(key) ?? {
      company_id,
      id,
      own,
      visibility,
      counts: NO_COUNTS,
      days: new Map(),
      faces: new Map(),
      traits: new Map(),
    }
    sums.set(key, sum)
    return sum
  }
  for (const row of rows) {
    const [own, company] = tallyIdsOf(row)
    addTo(sumFor(row, own, row), row)
    addTo(sumFor(row, company, null), row)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

const names = (columns: readonly string[]) => sql.join(columns.map(sql.id), ', ')
const additions = (columns: readonly string[]) =>
  sql.join(
    columns.map((name) => sql`${sql.id(name)} = t.${sql.id(name)} + excluded.${sql.id(name)}`),
    ', ',
  )
const bigints = (columns: readonly string[]) => columns.map(() => 'bigint')

/** The columns of some rows. */
const columnsOf = (rows: unknown[][]) => (rows[0] ?? []).map((_, i) => rows.map((row) => row[i]))

/** An element for each tally and each of its days, sizes of dice or traits. */
const partsOf = <Key, Value>(sums: Sum[], of: (sum: Sum) => Map<Key, Value>, row: (key: Key, value: Value) => unknown[]) =>
  sums.flatMap((sum) =>
    [...of(sum)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [sum.company_id, sum.id, ...row(key, value)]),
  )

/** The statements that add sums to the tallies. */
export function additionStatements(tx: Tx, sums: Sum[]): Sql[] {
  const tallies = sums.map(({ company_id, id, own, visibility, counts }) => [
    company_id,
    id,
    own?.campaign_id ?? null,
    own?.character_id ?? null,
    own?.user_id ?? null,
    visibility,
    ...counts,
  ])
  const days = partsOf(
    sums,
    (sum) => sum.days,
    (day, counts) => [day, ...counts],
  )
  const faces = partsOf(
    sums,
    (sum) => sum.faces,
    (sides, counted) => [sides, `{${counted}}`],
  )
  const traits = partsOf(
    sums,
    (sum) => sum.traits,
    (trait, rolls) => [trait, rolls],
  )
  return [
    sql`INSERT INTO dice_tallies AS t (company_id, id, campaign_id, character_id, user_id, visibility, ${names(COUNTED)})
      ${rowsOf(tx, ['uuid', 'uuid', 'uuid', 'uuid', 'uuid', 'text', ...bigints(COUNTED)], columnsOf(tallies))}
      ON CONFLICT (company_id, id) DO UPDATE SET ${additions(COUNTED)}`,
    sql`INSERT INTO dice_days AS t (company_id, tally_id, day, ${names(DAILY)})
      ${rowsOf(tx, ['uuid', 'uuid', 'date', ...bigints(DAILY)], columnsOf(days))}
      ON CONFLICT (company_id, tally_id, day) DO UPDATE SET ${additions(DAILY)}`,
    ...(faces.length === 0
      ? []
      : [
          sql`INSERT INTO dice_faces AS t (company_id, tally_id, sides, faces)
      ${rowsOf(tx, ['uuid', 'uuid', 'integer', 'bigint[]'], columnsOf(faces))}
      ON CONFLICT (company_id, tally_id, sides) DO UPDATE SET faces = add_arrays(t.faces, excluded.faces)`,
        ]),
    ...(traits.length === 0
      ? []
      : [
          sql`INSERT INTO dice_traits AS t (company_id, tally_id, trait, rolls)
      ${rowsOf(tx, ['uuid', 'uuid', 'text', 'bigint'], columnsOf(traits))}
      ON CONFLICT (company_id, tally_id, trait) DO UPDATE SET rolls = t.rolls + excluded.rolls`,
        ]),
  ]
}

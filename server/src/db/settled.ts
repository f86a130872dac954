import { NOBODY } from '../core/ids.ts'
import { declareInvariant } from './invariants.ts'
import { declareTable } from './registry.ts'
import { type Sql, sql } from './sql.ts'

declareTable('count_marks', undefined, { key: ['company_id'] })

/**
 * Rows whose number is stored, so that the total of a list need not count all of them. They are only ever added, or deleted and emptied together with a campaign or
 * character that nobody can read any more. A background worker counts the rows of a company up to a mark (upkeep/count-settled.ts), and a reader adds the rows after
 * it, both from one snapshot. Ids grow with time, and the mark is older than any transaction: no row is added before it.
 */
export interface Settled {
  /** The table of the numbers, with the columns company_id, id, `n`, and those of `by`. */
  counts: string
  /** The table of the rows. */
  rows: string
  /** The condition on the rows, if not all are counted. */
  where?: Sql
  /** The columns by which rows are counted, with their expressions: everything that decides who sees a row, and that lists filter by. */
  by: Record<string, Sql>
  /** The condition on the numbers that are read, and so have to be right. The row is `counted`. */
  matters: Sql
}

const declared: Settled[] = []
export const settled = (): readonly Settled[] => declared

const columnsOf = ({ by }: Settled) => sql.join(Object.keys(by).map(sql.id), ', ')

/** Selects the numbers of the rows `r`. The id is derived from the columns, so that equal ones share a row. */
const numbersOf = (one: Settled, rows: Sql): Sql => {
  const { where = sql`true`, by } = one
  const columns = Object.entries(by).map(([name, expression]) => sql`${expression} AS ${sql.id(name)}`)
  return sql`
    SELECT company_id, encode(substring(sha256(convert_to(concat_ws(':', ${sql.join(
      Object.keys(by).map((name) => sql`coalesce(${sql.id(name)}::text, '')`),
      ', ',
    )}), 'UTF8')) FOR 16), 'hex')::uuid AS id, count(*) AS n, ${columnsOf(one)}
    FROM (SELECT r.company_id, ${sql.join(columns, ', ')} FROM ${rows} WHERE ${where}) counted
    GROUP BY company_id, ${columnsOf(one)}`
}

/** Adds the rows of a company after one id, up to another, to their numbers. */
export const countRows = (one: Settled, company_id: string, after: string, up_to: string): Sql => sql`
  INSERT INTO ${sql.id(one.counts)} AS k (company_id, id, n, ${columnsOf(one)})
    ${numbersOf(
      one,
      // The fence (OFFSET 0) makes the plan read this range, and not all rows of a kind.
      sql`(SELECT * FROM ${sql.id(one.rows)} r WHERE r.company_id = ${company_id} AND r.id > ${after} AND r.id <= ${up_to} OFFSET 0) r`,
    )}
  ON CONFLICT (company_id, id) DO UPDATE SET n = k.n + excluded.n`

/** Declares rows whose number is stored. */
export function declareSettled(one: Settled, { check, holds }: { check: string; holds: string }): Settled {
  declared.push(one)
  const { counts, rows, matters } = one
  const marked = sql`${sql.id(rows)} r JOIN count_marks m ON m.company_id = r.company_id AND r.id <= m.up_to`
  declareInvariant({
    check,
    violations: () => sql`
      SELECT company_id, id, stored.n AS stored, found.n AS found
      FROM (SELECT counted.company_id, counted.id, counted.n FROM ${sql.id(counts)} counted WHERE ${matters}) stored
        FULL JOIN (SELECT counted.company_id, counted.id, counted.n FROM (${numbersOf(one, marked)}) counted WHERE ${matters}) found USING (company_id, id)
      WHERE stored.n IS DISTINCT FROM found.n`,
    holds,
    remedy: 'Run guildhall recount.',
  })
  return one
}

interface Total {
  company_id: string
  /** The conditions on the numbers `k` that the reader may see. */
  counted: Sql[]
  /** The rows with the same conditions, and their id. */
  from: Sql
  where: Sql[]
  id: Sql
}

/** The total of a list: the numbers up to the mark of the company, and the rows after it. */
export const settledTotal = ({ counts }: Settled, { company_id, counted, from, where, id }: Total): Sql => sql`(
    coalesce((SELECT sum(k.n)::bigint FROM ${sql.id(counts)} k WHERE ${sql.join(counted, ' AND ')}), 0)
    + (SELECT count(*) FROM ${from} WHERE ${sql.join(where, ' AND ')}
        AND ${id} > coalesce((SELECT m.up_to FROM count_marks m WHERE m.company_id = ${company_id}), ${sql.text(NOBODY)}::uuid)))`

/**
 * Forgets all numbers, in a transaction. Totals stay right, because all rows are after the mark that a company does not have, and workers count them again. The lock
 * waits for workers that are counting, and holds up others.
 */
export const forgetCounts = (): Sql[] => [
  sql`LOCK TABLE count_marks IN EXCLUSIVE MODE`,
  ...[...declared.map(({ counts }) => counts), 'count_marks'].map((table) => sql`DELETE FROM ${sql.id(table)}`),
]

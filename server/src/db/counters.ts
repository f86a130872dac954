import { declareInvariant } from './invariants.ts'
import { countedTables, declareTable } from './registry.ts'
import { type Sql, sql } from './sql.ts'

declareTable('counters', undefined, { key: ['company_id', 'collection', 'shard'] })

/**
 * The number of live rows that a company has in a table. It is counted as rows come and go, so that a `total` costs the same however many
 * there are. A counter is split into sixteen rows, by the last digit of the id that is counted: one row would make all writers wait.
 */
export const totalOf = (table: string, company_id: string): Sql =>
  sql`(SELECT coalesce(sum(count), 0)::bigint FROM counters WHERE company_id = ${company_id} AND collection = ${sql.text(table)})`

/** The statement that counts a row. It is part of the statement that makes the row live or archives it: either both happen or neither does. */
export const counting = (table: string, company_id: string, id: string, by: 1 | -1): Sql => sql`
  INSERT INTO counters AS c (company_id, collection, shard, count)
  VALUES (${company_id}, ${sql.text(table)}, ${Number.parseInt(id.slice(-1), 16)}, ${sql.number(by)})
  ON CONFLICT (company_id, collection, shard) DO UPDATE SET count = c.count + excluded.count`

/** Finds the companies whose counters differ from their rows. */
const counterMismatches = (): Sql => sql`
  SELECT company_id, collection, counted.count AS counted, found.count AS found
  FROM (SELECT company_id, collection, sum(count) AS count FROM counters GROUP BY 1, 2) counted
  FULL JOIN (${sql.join(
    countedTables().map(
      (table) =>
        sql`SELECT company_id, ${sql.text(table)} AS collection, count(*) AS count FROM ${sql.id(table)} WHERE date_archived IS NULL GROUP BY 1`,
    ),
    ' UNION ALL ',
  )}) found USING (company_id, collection)
  WHERE coalesce(counted.count, 0) <> coalesce(found.count, 0)`

declareInvariant({
  check: 'totals',
  violations: counterMismatches,
  holds: 'every total matches its rows',
  remedy: 'Run guildhall recount.',
})

/** Rebuilds every counter from the rows. Run these in one transaction that locks the counted tables. */
export const rebuildCounters = (): Sql[] => [
  sql`DELETE FROM counters`,
  ...countedTables().map(
    (table) => sql`
      INSERT INTO counters (company_id, collection, shard, count)
      SELECT company_id, ${sql.text(table)}, ('x' || right(id::text, 1))::bit(4)::int AS shard, count(*)
      FROM ${sql.id(table)} WHERE date_archived IS NULL GROUP BY company_id, shard`,
  ),
]

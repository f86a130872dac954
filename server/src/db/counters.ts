import { type Sql, sql } from './sql.ts'

/**
 * How many live rows of a table a company has, kept so that a `total` costs the same however many there are. It is not one row,
 * which all who create would wait for, but sixteen, by the last digit of what is created.
 */
export const totalOf = (table: string, company_id: string): Sql =>
  sql`(SELECT coalesce(sum(count), 0)::bigint FROM counters WHERE company_id = ${company_id} AND collection = ${sql.text(table)})`

/** What is done with a statement that makes a row live, or no longer so: one moves with the other, or neither. */
export const counting = (table: string, company_id: string, id: string, by: 1 | -1): Sql => sql`
  INSERT INTO counters AS c (company_id, collection, shard, count)
  VALUES (${company_id}, ${sql.text(table)}, ${Number.parseInt(id.slice(-1), 16)}, ${sql.number(by)})
  ON CONFLICT (company_id, collection, shard) DO UPDATE SET count = c.count + excluded.count`

/** Companies whose total is not what they have: there should be none. */
export const counterMismatches = sql`
  SELECT company_id, collection, counted.count AS counted, found.count AS found
  FROM (SELECT company_id, collection, sum(count) AS count FROM counters GROUP BY 1, 2) counted
  FULL JOIN (
    SELECT company_id, 'users' AS collection, count(*) AS count FROM users WHERE date_archived IS NULL GROUP BY 1
    UNION ALL SELECT company_id, 'campaigns', count(*) FROM campaigns WHERE date_archived IS NULL GROUP BY 1
  ) found USING (company_id, collection)
  WHERE coalesce(counted.count, 0) <> coalesce(found.count, 0)`

/** Rebuilds every counter from the rows, in one transaction, while nobody writes them. The shard is the last digit of the id, as above. */
export const rebuildCounters: Sql[] = [
  sql`DELETE FROM counters`,
  ...['users', 'campaigns'].map(
    (table) => sql`
      INSERT INTO counters (company_id, collection, shard, count)
      SELECT company_id, ${sql.text(table)}, ('x' || right(id::text, 1))::bit(4)::int AS shard, count(*)
      FROM ${sql.id(table)} WHERE date_archived IS NULL GROUP BY company_id, shard`,
  ),
]

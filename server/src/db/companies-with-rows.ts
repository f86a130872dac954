import type { Database } from './client.ts'
import { sql } from './sql.ts'

/** The maximum number of companies of one result. */
export const MAX_COMPANIES = 200

/**
 * Finds companies after one, in the order of their ids, that have rows in a table whose primary key begins with the company. The recursion reads one row of the index
 * for each company, however many rows it has. On Citus a recursion cannot read several shards.
 */
export async function companiesWithRows(db: Pick<Database, 'query' | 'isDistributed'>, table: string, after: string): Promise<string[]> {
  const [from, max] = [sql.id(table), sql.number(MAX_COMPANIES)]
  const found = await db.query<{ company_id: string }>(
    db.isDistributed
      ? sql`SELECT DISTINCT company_id FROM ${from} WHERE company_id > ${after} ORDER BY company_id LIMIT ${max}`
      : sql`
    WITH RECURSIVE found (company_id) AS (
      (SELECT company_id FROM ${from} WHERE company_id > ${after} ORDER BY company_id LIMIT 1)
      UNION ALL
      SELECT (SELECT o.company_id FROM ${from} o WHERE o.company_id > found.company_id ORDER BY o.company_id LIMIT 1) FROM found
      WHERE found.company_id IS NOT NULL
    )
    SELECT company_id FROM found WHERE company_id IS NOT NULL LIMIT ${max}`,
  )
  return found.map(({ company_id }) => company_id).sort()
}

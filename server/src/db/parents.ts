import { type Sql, sql } from './sql.ts'

/**
 * The condition that the row that `reference` refers to is live, or that it refers to none. `condition` is a further one on the row `parent`.
 * This is a subquery for each row instead of a join, so that it runs only for rows that pass the cheaper conditions, and stops with the
 * statement when enough rows are found.
 */
export const isParentLive = (company_id: string, table: string, reference: Sql, condition = sql``): Sql => sql`coalesce((
  SELECT parent.date_archived IS NULL${condition} FROM ${sql.id(table)} parent
  WHERE parent.company_id = ${company_id} AND parent.id = ${reference}), true)`

import { type Sql, sql } from './sql.ts'

/** Through whose eyes rows are read. Each is a value, or SQL where it differs from row to row. */
export interface Sight {
  /** Sees everything, whoever it was meant for. */
  all: boolean | Sql
  /** Tells the campaign a row belongs to. */
  tells: boolean | Sql
  user_id: string | null | Sql
}

/**
 * Whether a row exists for somebody: the one predicate behind lists, totals, counts, includes and search. Authors see what
 * they wrote, unless it is BLIND; STORYTELLER is for who tells the campaign; each resource has its own word for what is open.
 */
export function seen({ all, tells, user_id }: Sight, visibility: Sql, author?: Sql): Sql {
  const written = author ? sql` OR (${author} = ${user_id}::uuid AND ${visibility} <> 'BLIND')` : sql``
  return sql`((${all})::boolean OR ${visibility} IN ('OPEN', 'EVERYONE', 'PUBLIC')
    OR (${visibility} IN ('STORYTELLER', 'BLIND') AND (${tells})::boolean)${written})`
}

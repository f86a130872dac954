import { type Sql, sql } from './sql.ts'

/** The rights that decide which rows a reader sees. Each is a value, or SQL if it differs from row to row. */
export interface Sight {
  /** True if the reader sees every row. */
  all: boolean | Sql
  /** True if the reader is a storyteller of the campaign that the row belongs to. */
  isStoryteller: boolean | Sql
  user_id: string | null | Sql
}

/**
 * The condition that a row is visible to a reader: the one predicate behind lists, totals, counts, includes and search. Authors see their
 * rows unless these are BLIND; storytellers of the campaign see STORYTELLER and BLIND ones; OPEN, EVERYONE and PUBLIC all mean visible
 * to everybody, in different resources. A NAME_ONLY row is visible to everybody, too: its resource leaves out what only storytellers see.
 */
export function seen({ all, isStoryteller, user_id }: Sight, visibility: Sql, author?: Sql): Sql {
  const byAuthor = author ? sql` OR (${author} = ${user_id}::uuid AND ${visibility} <> 'BLIND')` : sql``
  return sql`((${all})::boolean OR ${visibility} IN ('OPEN', 'EVERYONE', 'PUBLIC', 'NAME_ONLY')
    OR (${visibility} IN ('STORYTELLER', 'BLIND') AND (${isStoryteller})::boolean)${byAuthor})`
}

/**
 * The condition that the sheet of a `character` (its traits, details, trackers, inventory, experience and statistics) is visible to a reader who sees the
 * character itself. A sheet for PLAYER is that of its player and the storytellers, one for STORYTELLER that of the storytellers alone.
 */
export const seesSheet = ({ all, isStoryteller, user_id }: Sight, character: Sql): Sql =>
  sql`coalesce((${all})::boolean OR ${character}.sheet_visibility = 'EVERYONE' OR (${isStoryteller})::boolean
    OR (${character}.sheet_visibility = 'PLAYER' AND ${character}.user_id = ${user_id}::uuid), false)`

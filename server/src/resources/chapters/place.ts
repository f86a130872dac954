import { sql } from '../../db/sql.ts'
import type { Place } from '../../http/operation.ts'

/** A chapter of the path's book. */
export const chapter: Place<'chapter', { id: string }> = {
  name: 'chapter',
  table: 'chapters',
  join: (id) => sql`LEFT JOIN chapters chapter ON chapter.company_id = c.id AND chapter.book_id = book.id AND chapter.id = ${id}`,
  row: sql`CASE WHEN chapter.id IS NOT NULL THEN json_build_object('id', chapter.id, 'archived', chapter.date_archived IS NOT NULL) END`,
}

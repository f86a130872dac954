import { sql } from '../../db/sql.ts'
import { jsonOf, pathResource } from '../../http/path.ts'
import { book } from '../books/path-resource.ts'

/** A chapter of the path's book. */
export const chapter = pathResource(book.path, 'chapters', {
  name: 'chapter',
  table: 'chapters',
  join: (id, company_id) =>
    sql`LEFT JOIN chapters chapter ON chapter.company_id = ${company_id} AND chapter.book_id = book.id AND chapter.id = ${id}`,
  row: jsonOf<{ id: string }>(
    sql`CASE WHEN chapter.id IS NOT NULL THEN json_build_object('id', chapter.id, 'archived', chapter.date_archived IS NOT NULL) END`,
  ),
})

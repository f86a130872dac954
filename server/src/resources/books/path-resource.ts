import { sql } from '../../db/sql.ts'
import { jsonOf, pathResource } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'

/** A book of the path's campaign. */
export const book = pathResource(campaign.path, 'books', {
  name: 'book',
  table: 'books',
  join: (id, company_id) =>
    sql`LEFT JOIN books book ON book.company_id = ${company_id} AND book.campaign_id = campaign.id AND book.id = ${id}`,
  row: jsonOf<{ id: string }>(
    sql`CASE WHEN book.id IS NOT NULL THEN json_build_object('id', book.id, 'archived', book.date_archived IS NOT NULL) END`,
  ),
})

import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Place } from '../../http/operation.ts'
import { tells } from '../campaigns/place.ts'
import type { Note } from './schema.ts'

/** A note on what the path leads to, for those who may see it. A notebook is for its author alone. */
export const noteOn = (parent_id: Sql, inCampaign: boolean): Place<'note', Pick<Note, 'author_id' | 'visibility'>> => {
  const sight = inCampaign ? { all: sql`u.role = 'ADMIN'`, tells: tells(sql`u.role`, sql`u.id`) } : { all: false, tells: false }
  return {
    name: 'note',
    join: (id) => sql`LEFT JOIN notes note ON note.company_id = c.id AND note.parent_id = ${parent_id} AND note.id = ${id}
      AND ${seen({ ...sight, user_id: sql`u.id` }, sql`note.visibility`, sql`note.author_id`)}`,
    row: sql`CASE WHEN note.id IS NOT NULL THEN json_build_object('id', note.id, 'author_id', note.author_id,
      'visibility', note.visibility, 'archived', note.date_archived IS NOT NULL) END`,
  }
}

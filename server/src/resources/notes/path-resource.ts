import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { jsonOf, type PathResource } from '../../http/path.ts'
import { isStoryteller } from '../campaigns/path-resource.ts'
import type { Note } from './schema.ts'

/** A note on the last resource of the path, if the acting user may see it. Notes in a user's notebook are visible to their author only. */
export const noteOn = (parent_id: Sql, inCampaign: boolean): PathResource<'note', Pick<Note, 'author_id' | 'visibility'>> => {
  const sight = inCampaign
    ? { all: sql`u.role = 'ADMIN'`, isStoryteller: isStoryteller(sql`u.role`, sql`u.id`) }
    : { all: false, isStoryteller: false }
  return {
    name: 'note',
    join: (
      id,
      company_id,
    ) => sql`LEFT JOIN notes note ON note.company_id = ${company_id} AND note.parent_id = ${parent_id} AND note.id = ${id}
      AND ${seen({ ...sight, user_id: sql`u.id` }, sql`note.visibility`, sql`note.author_id`)}`,
    row: jsonOf(sql`CASE WHEN note.id IS NOT NULL THEN json_build_object('id', note.id, 'author_id', note.author_id,
      'visibility', note.visibility, 'archived', note.date_archived IS NOT NULL) END`),
  }
}

import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import type { Place } from '../../http/operation.ts'
import { tells } from '../campaigns/place.ts'
import type { Character } from './schema.ts'

export type Somebody = Pick<Character, 'user_id' | 'type' | 'visibility'>

const sight = { all: false, tells: tells(sql`u.role`, sql`u.id`), user_id: null }

/** A character in the path's campaign, for those who may see it. */
export const character: Place<'character', Somebody & { id: string }> = {
  name: 'character',
  table: 'characters',
  join: (id) => sql`LEFT JOIN characters "character"
    ON "character".company_id = c.id AND "character".campaign_id = campaign.id AND "character".id = ${id} AND "character".date_purged IS NULL
    AND ${seen(sight, sql`"character".visibility`)}`,
  row: sql`CASE WHEN "character".id IS NOT NULL THEN json_build_object('id', "character".id, 'user_id', "character".user_id,
    'type', "character".type, 'visibility', "character".visibility, 'archived', "character".date_archived IS NOT NULL) END`,
}

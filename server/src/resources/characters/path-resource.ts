import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { jsonOf, pathResource } from '../../http/path.ts'
import { campaign, isStoryteller } from '../campaigns/path-resource.ts'
import type { Character } from './schema.ts'

/** The fields of a character that rules read. */
export type CharacterAccess = Pick<Character, 'user_id' | 'type' | 'visibility'>

const sight = { all: false, isStoryteller: isStoryteller(sql`u.role`, sql`u.id`), user_id: null }

/** A character of the path's campaign, if the acting user may see it. */
export const character = pathResource(campaign.path, 'characters', {
  name: 'character',
  table: 'characters',
  join: (id, company_id) => sql`LEFT JOIN characters "character"
    ON "character".company_id = ${company_id} AND "character".campaign_id = campaign.id AND "character".id = ${id} AND "character".date_purged IS NULL
    AND ${seen(sight, sql`"character".visibility`)}`,
  row: jsonOf<CharacterAccess & { id: string }>(
    sql`CASE WHEN "character".id IS NOT NULL THEN json_build_object('id', "character".id, 'user_id', "character".user_id,
    'type', "character".type, 'visibility', "character".visibility, 'archived', "character".date_archived IS NOT NULL) END`,
  ),
})

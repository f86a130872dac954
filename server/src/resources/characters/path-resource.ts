import { seen, seesSheet } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { jsonOf, type PathResource, pathResource, withLookup } from '../../http/path.ts'
import { campaign, isStoryteller } from '../campaigns/path-resource.ts'
import type { CharacterRow } from './schema.ts'

/** The fields of a character that rules read. */
export interface CharacterAccess extends Pick<CharacterRow, 'user_id' | 'type' | 'visibility'> {
  /** The acting user sees the sheet: the traits, details, trackers, inventory, experience and statistics of the character. */
  seesSheet: boolean
}

const row = sql`"character"`
const sight = { all: false, isStoryteller: isStoryteller(sql`u.role`, sql`u.id`), user_id: sql`u.id` }

/** A character of the path's campaign, if the acting user may see it. */
export const character = pathResource(campaign.path, 'characters', {
  name: 'character',
  table: 'characters',
  join: (id, company_id) => sql`LEFT JOIN characters "character"
    ON "character".company_id = ${company_id} AND "character".campaign_id = campaign.id AND "character".id = ${id} AND "character".date_purged IS NULL
    AND ${seen(sight, sql`"character".visibility`)}`,
  row: jsonOf<CharacterAccess & { id: string }>(
    sql`CASE WHEN "character".id IS NOT NULL THEN json_build_object('id', "character".id, 'user_id', "character".user_id,
    'type', "character".type, 'visibility', "character".visibility, 'seesSheet', ${seesSheet(sight, row)},
    'archived', "character".date_archived IS NOT NULL) END`,
  ),
})

/**
 * The sheet of the path's character: for users who do not see it, nothing below it exists. An archived character is left to the lookup of the
 * character itself, so that it looks the same as one that never was.
 */
const sheetOfCharacter: PathResource<'sheet', { author_id: string | null }> = {
  name: 'sheet',
  param: 'character_id',
  join: () => sql``,
  row: jsonOf(sql`CASE WHEN "character".date_archived IS NOT NULL OR ("character".id IS NOT NULL AND ${seesSheet(sight, row)}) THEN json_build_object(
    'visibility', CASE WHEN "character".sheet_visibility = 'EVERYONE' THEN 'OPEN' ELSE 'STORYTELLER' END,
    'author_id', CASE WHEN "character".sheet_visibility = 'PLAYER' THEN "character".user_id END) END`),
}

/** The path of everything that belongs to the sheet of a character. */
export const sheetPath = withLookup(character.path, sheetOfCharacter)

import { seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { SecretRow } from '../../events/record.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import type { CharacterRow } from './schema.ts'

/** The acting user, and the campaign in which they read or write. */
export interface InCampaign {
  actor: Actor
  campaign: CampaignAccess
}

/** Selects a column of the characters of a campaign whose sheets are hidden from the acting user. */
export const ofHiddenSheetsIn = (context: InCampaign, column: Sql): Sql =>
  sql`SELECT ${column} FROM characters y WHERE y.company_id = ${context.actor.company_id} AND y.campaign_id = ${context.campaign.id}
    AND y.sheet_visibility <> 'EVERYONE' AND NOT ${seesSheet(sightIn(context), sql`y`)}`

/** The fields of a character that decide who sees its sheet. */
export type SheetOwner = Pick<CharacterRow, 'sheet_visibility' | 'user_id'>

/** The sheet of a character as the secret that its parts and entries belong to. */
export const secretSheetOf = ({ sheet_visibility, user_id }: SheetOwner): SecretRow => ({
  visibility: sheet_visibility === 'EVERYONE' ? 'OPEN' : 'STORYTELLER',
  author_id: sheet_visibility === 'PLAYER' ? user_id : null,
})

/** The fields of a character that decide who sees the parts of its sheet. */
export type SecretCharacter = SheetOwner & Pick<CharacterRow, 'visibility'>

/** A character as the secret that a part of its sheet belongs to, for events of requests whose path does not name it. */
export const secretPartOf = (row: SecretCharacter): SecretRow =>
  row.visibility === 'OPEN' ? secretSheetOf(row) : { visibility: row.visibility }

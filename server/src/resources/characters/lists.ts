import { type Static, Type } from '@guildhall/rules/type'
import { Id } from '../../core/fields.ts'
import { archives, byExternalId } from '../../core/page.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { actorIdOf, seesCampaignOf, sightBy, type Viewer, viewerOf } from '../campaigns/across.ts'
import type { ListedCharacter } from './listed-schema.ts'
import { characters } from './queries.ts'
import { CharacterStatus, CharacterType } from './schema.ts'

const filters = {
  ...archives,
  status: Type.Optional(CharacterStatus('Only characters with this status')),
  campaign_id: Type.Optional(Id('Only characters of this campaign')),
  ...byExternalId,
}
export const OwnCharactersQuery = Type.Object(filters)
export const CompanyCharactersQuery = Type.Object({
  ...filters,
  type: Type.Optional(CharacterType('Only characters of this type')),
  player_id: Type.Optional(Id('Only characters of this player')),
})
type Filters = Static<typeof CompanyCharactersQuery>

/** Lists the characters of all campaigns that a viewer may see. */
export function listCharacters(db: Db, viewer: Viewer, query: Filters): Promise<Page<ListedCharacter>> {
  const { status, campaign_id, type, player_id } = query
  const scope = {
    company_id: viewer.company_id,
    ...(campaign_id && { campaign_id }),
    ...(type && { type }),
    ...(status && { status }),
    ...(player_id && { user_id: player_id }),
  }
  const sightOn = (row: Sql) => sightBy(viewer, sql`${row}.campaign_id`)
  const sight = sightOn(sql`characters`)
  const restorable = sql`${sight.all}::boolean OR user_id = ${actorIdOf(viewer)} OR (${sight.isStoryteller})::boolean`
  const where = [seesCampaignOf(viewer, sql`characters.campaign_id`)]
  return characters.seenBy(sightOn).list(db, scope, query, { where, restorable }) as Promise<Page<ListedCharacter>>
}

/** Lists the characters that a user plays, in all campaigns. */
export const listOwnCharacters = (db: Db, actor: Actor, query: Static<typeof OwnCharactersQuery>) =>
  listCharacters(db, viewerOf(actor), { ...query, player_id: actor.id })

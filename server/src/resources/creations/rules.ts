import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import { mayCreate } from '../characters/rules.ts'
import type { CharactersGenerate } from './generate-schema.ts'

type Context = Parameters<typeof mayCreate>[0] & { campaign: Pick<CampaignAccess, 'trait_changes'> }

/** True if the acting user sets traits of a new character. */
export const setsTraits = ({ campaign }: Context) => campaign.isStoryteller || campaign.trait_changes !== 'STORYTELLER'

export const mayGenerate = rule<Context, Partial<Pick<CharactersGenerate, 'type' | 'user_id'>>>(
  'Every user may generate player characters for themselves, unless `trait_changes` of the campaign is STORYTELLER; the storytellers of the campaign and ADMINs may also generate NPCs and characters for other users.',
  (context, { type = 'NPC', user_id }) => mayCreate(context, { type, user_id: user_id ?? context.actor.id }) && setsTraits(context),
  (context, { type = 'NPC', user_id }) => {
    const body = { type, user_id: user_id ?? context.actor.id }
    return mayCreate(context, body) ? { reason: 'campaign_settings' } : mayCreate.why(context, body)
  },
)

/** A creation belongs to the user who creates the character: for an NPC, this is a storyteller. */
export const mayStart = rule<Context, Partial<Pick<CharactersGenerate, 'type'> & { user_id: string }>>(
  'Every user may create characters of their own, unless `trait_changes` of the campaign is STORYTELLER; the storytellers of the campaign and ADMINs may also create NPCs, and characters for other users.',
  (context, { type = 'PLAYER', user_id }) => mayCreate(context, { type, user_id: user_id ?? context.actor.id }) && setsTraits(context),
  (context, { type = 'PLAYER', user_id }) => {
    const body = { type, user_id: user_id ?? context.actor.id }
    return mayCreate(context, body) ? { reason: 'campaign_settings' } : mayCreate.why(context, body)
  },
)

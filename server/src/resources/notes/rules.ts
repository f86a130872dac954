import type { Role } from '../../core/access.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { Note } from './schema.ts'

interface OnNote {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller'>
  note: Pick<Note, 'author_id' | 'visibility'>
}

export const mayChange = rule<OnNote>(
  'The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR.',
  ({ actor, campaign, note }) =>
    note.author_id === actor.id || actor.role === 'ADMIN' || (campaign.isStoryteller && note.visibility !== 'AUTHOR'),
  { reason: 'not_yours' },
)

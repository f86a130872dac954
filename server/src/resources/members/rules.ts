import { type Role, ranks } from '../../core/access.ts'
import { notStoryteller } from '../../core/denial.ts'
import { conflict } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { MemberRole } from './schema.ts'

export const mayManageMembers = rule<{ actor: { role: Role }; campaign: CampaignAccess }>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

/** A storyteller of a campaign is one in the company, too. */
export function refuseLowRole(held: Role, role: MemberRole): void {
  if (role === 'STORYTELLER' && !ranks(held, 'STORYTELLER'))
    conflict(
      'role_too_low',
      'A storyteller of a campaign needs the role STORYTELLER or ADMIN in the company. Change the role of the user first.',
    )
}

import type { Role } from '../../core/access.ts'
import { notStoryteller } from '../../core/denial.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'

export const mayRotate = rule<{ actor: { role: Role }; campaign: CampaignAccess }>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

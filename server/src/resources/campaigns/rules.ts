import { type Role, ranks } from '../../core/access.ts'
import { needsRole } from '../../core/denial.ts'
import { conflict } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { Company } from '../companies/schema.ts'
import type { CampaignAccess } from './path-resource.ts'
import { type CampaignCreate, type CampaignPatch, LEVELS, type Level, MAX_LEVEL, type Status } from './schema.ts'

type ActingUser = { id: string; role: Role }
type CampaignContext = { actor: ActingUser; campaign: CampaignAccess }

/** Danger and desperation are set by storytellers, in any campaign of their company. */
const maySetLevels = ({ role }: ActingUser, fields: object) => !LEVELS.some((name) => name in fields) || ranks(role, 'STORYTELLER')

export const mayCreate = rule<{ actor: ActingUser; settings: Pick<Company['settings'], 'campaign_creation'> }, CampaignCreate>(
  'Every user may, unless the company setting `campaign_creation` is STORYTELLER; then only STORYTELLERs and ADMINs may. A PLAYER may not set `danger` and `desperation`.',
  ({ actor, settings }, body) => maySetLevels(actor, body) && (settings.campaign_creation === 'ANYONE' || ranks(actor.role, 'STORYTELLER')),
  ({ actor }, body) => (maySetLevels(actor, body) ? { ...needsRole('STORYTELLER'), reason: 'company_settings' } : needsRole('STORYTELLER')),
)

export const mayManage = rule<CampaignContext>(
  'The owner of the campaign, its storytellers and ADMINs may.',
  ({ actor, campaign }) => campaign.isStoryteller || actor.id === campaign.user_id,
  { reason: 'not_a_storyteller' },
)

/** Each field of a patch needs its own permission. If one is missing, the whole patch is rejected. */
export const mayUpdate = rule<CampaignContext, CampaignPatch>(
  `${mayManage.sentence} \`danger\` and \`desperation\` may be set by every STORYTELLER and ADMIN of the company, and by no PLAYER.`,
  (context, patch) =>
    maySetLevels(context.actor, patch) && (Object.keys(patch).every((name) => LEVELS.includes(name as Level)) || mayManage(context)),
  (context, patch) => (maySetLevels(context.actor, patch) ? mayManage.why(context) : needsRole('STORYTELLER')),
)

export const mayTransfer = rule<{ actor: ActingUser; campaign: Pick<CampaignAccess, 'user_id'> }>(
  'The owner of the campaign and ADMINs may.',
  ({ actor, campaign }) => actor.id === campaign.user_id || actor.role === 'ADMIN',
  { reason: 'not_the_owner' },
)

const NEXT_STATUSES: Record<Status, readonly Status[]> = {
  PLANNED: ['ACTIVE'],
  ACTIVE: ['PAUSED', 'COMPLETED'],
  PAUSED: ['ACTIVE', 'COMPLETED'],
  COMPLETED: ['ACTIVE'],
}

export function refuseTransition(from: Status, to: Status | undefined): void {
  if (to === undefined || to === from || NEXT_STATUSES[from].includes(to)) return
  conflict('illegal_transition', `A campaign that is ${from} cannot become ${to}. It can become ${NEXT_STATUSES[from].join(' or ')}.`)
}

/** Adds the deltas to the levels. If one would leave its range, none is changed. */
export function adjustLevels(campaign: Record<Level, number>, deltas: { [name in Level]?: number }): Partial<Record<Level, number>> {
  const after: Partial<Record<Level, number>> = {}
  for (const name of LEVELS) {
    const value = campaign[name] + (deltas[name] ?? 0)
    if (value < 0 || value > MAX_LEVEL)
      conflict('out_of_range', `${name} is ${campaign[name]} and must stay between 0 and ${MAX_LEVEL}. Nothing was changed.`)
    if (name in deltas) after[name] = value
  }
  return after
}

import { type Role, ranks } from '../../core/access.ts'
import { conflict } from '../../core/problem.ts'
import type { Standing } from './place.ts'
import { type CampaignPatch, HIGHEST, SETTINGS, type Setting, type Status } from './schema.ts'

type Who = { id: string; role: Role }

/** A company may keep the creation of campaigns to its storytellers. */
export const mayCreate = ({ role }: Who, settings: { campaign_creation: 'ANYONE' | 'STORYTELLER' }) =>
  settings.campaign_creation === 'ANYONE' || ranks(role, 'STORYTELLER')

/** Danger and desperation are set by storytellers, in any campaign of their company. */
export const maySet = (actor: Who | null, fields: object) =>
  !SETTINGS.some((name) => name in fields) || (actor !== null && ranks(actor.role, 'STORYTELLER'))

/** The rest is changed, archived and restored by its owner and by who tells it. */
export const mayManage = ({ actor, campaign }: { actor: Who; campaign: Standing }) => campaign.tells || actor.id === campaign.user_id

/** In a patch each field needs its own right, and one refused refuses all. */
export const mayChange = (here: { actor: Who; campaign: Standing }, patch: CampaignPatch) =>
  maySet(here.actor, patch) && (Object.keys(patch).every((name) => SETTINGS.includes(name as Setting)) || mayManage(here))

/** A campaign is given away by its owner; an ADMIN may always. */
export const mayTransfer = ({ id, role }: Who, { user_id }: Pick<Standing, 'user_id'>) => id === user_id || role === 'ADMIN'

const MOVES: Record<Status, readonly Status[]> = {
  PLANNED: ['ACTIVE'],
  ACTIVE: ['PAUSED', 'COMPLETED'],
  PAUSED: ['ACTIVE', 'COMPLETED'],
  COMPLETED: ['ACTIVE'],
}

export function refuseMove(from: Status, to: Status | undefined): void {
  if (to === undefined || to === from || MOVES[from].includes(to)) return
  conflict('illegal_transition', `A campaign that is ${from} can become ${MOVES[from].join(' or ')}, not ${to}.`)
}

/** What the settings are after they were adjusted; none may leave its range. */
export function adjusted(campaign: Record<Setting, number>, deltas: { [name in Setting]?: number }): Partial<Record<Setting, number>> {
  const after: Partial<Record<Setting, number>> = {}
  for (const name of SETTINGS) {
    const value = campaign[name] + (deltas[name] ?? 0)
    if (value < 0 || value > HIGHEST)
      conflict('out_of_range', `${name} is ${campaign[name]} and stays between 0 and ${HIGHEST}: nothing was changed.`)
    if (name in deltas) after[name] = value
  }
  return after
}

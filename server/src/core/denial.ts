import { type Permission, type Role, ranks } from './access.ts'
import { Enum } from './fields.ts'

/** The reasons for a 403. docs/errors.md has the same list, which a test compares. */
export const REASONS = {
  company_access: 'The company does not exist, is archived, or the key has no access to it',
  global_admin: 'Only global admins may do this',
  api_key_required: 'Only an API key may do this, not a user token',
  console_session_required: 'Only a session of the console may do this: it ends the session of its own request',
  read_only_token: 'The scope of the user token is READ, and this writes',
  key_permission: 'The permission of the key in the company is too low',
  role: 'The role of the acting user in the company is too low',
  not_a_storyteller: 'Only the storytellers of the campaign may do this',
  not_a_member: 'Only members of the campaign may write in it, and they join by invitation',
  not_the_owner: 'Only the owner of the campaign may do this',
  not_your_character: 'Another user plays the character',
  not_yours: 'It belongs to another user',
  hidden_sheet: 'The sheet of the character is hidden from the acting user',
  campaign_settings: 'The settings of the campaign forbid it',
  company_settings: 'The settings of the company forbid it',
  too_late: 'The time in which this was possible is over',
} as const
export type Reason = keyof typeof REASONS
export const Reason = (description: string) => Enum('ForbiddenReason', Object.keys(REASONS) as Reason[], description, 'key_permission')

/** Why a caller may not do something, and what they would need. It names nothing that the caller may not see. */
export interface Denial {
  reason: Reason
  needs?: { permission?: Permission; role?: Role }
}

export const needsPermission = (permission: Permission): Denial => ({ reason: 'key_permission', needs: { permission } })
export const needsRole = (role: Role): Denial => ({ reason: 'role', needs: { role } })

/** The reason to refuse somebody who is not a storyteller of the campaign. The owner of a campaign is none while their role is PLAYER. */
export const notStoryteller = ({ actor }: { actor: { role: Role } }): Denial =>
  ranks(actor.role, 'STORYTELLER') ? { reason: 'not_a_storyteller' } : needsRole('STORYTELLER')

/** Returns the words for what would be enough, if that can be said. */
const enoughFor = ({ permission, role }: NonNullable<Denial['needs']>): string | undefined => {
  if (role) return `the acting user needs the role ${role}${role === 'ADMIN' ? '' : ' or higher'}`
  return permission && `the key needs the permission ${permission}${permission === 'OWNER' ? '' : ' or higher'}`
}

/** The words of a denial, which complete those of its problem. They follow from the denial, and so name nothing else. */
export function whyDenied({ reason, needs = {} }: Denial): string {
  const enough = enoughFor(needs)
  if (enough && (reason === 'role' || reason === 'key_permission')) return enough
  const text = REASONS[reason]
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}${enough ? `; ${enough}` : ''}`
}

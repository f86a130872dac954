import { administers, permits, type Role } from '../../core/access.ts'
import { type Denial, needsPermission, needsRole } from '../../core/denial.ts'
import type { Caller } from '../../http/caller.ts'
import { rule } from '../../http/rule.ts'
import type { Company } from '../companies/schema.ts'

type CallerRights = Pick<Caller, 'permission' | 'actor'>

/** The reason why a caller may not administer users. */
const notAdministering = ({ permission }: CallerRights): Denial =>
  permits(permission, 'ADMIN') ? needsRole('ADMIN') : needsPermission('ADMIN')

export const mayCreate = rule<CallerRights, { role: Role }>(
  'Every key may create a PLAYER. Other roles need a key with permission ADMIN.',
  (caller, { role }) => role === 'PLAYER' || administers(caller),
  notAdministering,
)

/** The role of a linked user whose role is not given. Companies of earlier versions lack the setting. */
export const defaultRoleOf = ({ default_user_role }: Partial<Company['settings']>) => default_user_role ?? 'PLAYER'

export const mayLink = rule<CallerRights & { settings: Partial<Company['settings']> }, { role?: Role }>(
  'Every key may create a PLAYER, or a user with the role of the company setting `default_user_role`. Other roles need a key with permission ADMIN.',
  ({ settings, ...caller }, { role = defaultRoleOf(settings) }) => role === defaultRoleOf(settings) || mayCreate(caller, { role }),
  notAdministering,
)

/** True if the caller may change at least one field of the user. */
const mayUpdateSome = (caller: CallerRights, user_id: string | undefined) =>
  administers(caller) || caller.actor?.id === user_id?.toLowerCase()

/** The fields of their own account that users may change. */
const PERSONAL_FIELDS = new Set(['name', 'email', 'metadata'])

export const mayUpdate = rule<CallerRights & { params: { user_id: string } }, object>(
  'Users may change their own `name`, `email` and `metadata`. Everything else needs a key with permission ADMIN and, if a user acts, the role ADMIN.',
  ({ params, ...caller }, patch) =>
    administers(caller) || (mayUpdateSome(caller, params.user_id) && Object.keys(patch).every((field) => PERSONAL_FIELDS.has(field))),
  notAdministering,
  (caller, { user_id }) => mayUpdateSome(caller, user_id),
)

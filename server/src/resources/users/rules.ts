import { administers, permits, type Role } from '../../core/access.ts'
import { type Denial, needsPermission, needsRole } from '../../core/denial.ts'
import type { Caller } from '../../http/caller.ts'
import { rule } from '../../http/rule.ts'

type CallerRights = Pick<Caller, 'permission' | 'actor'>

/** The reason why a caller may not administer users. */
const notAdministering = ({ permission }: CallerRights): Denial =>
  permits(permission, 'ADMIN') ? needsRole('ADMIN') : needsPermission('ADMIN')

export const mayCreate = rule<CallerRights, { role: Role }>(
  'Every key may create a PLAYER. Other roles need a key with permission ADMIN.',
  (caller, { role }) => role === 'PLAYER' || administers(caller),
  notAdministering,
)

/** True if the caller may change at least one field of the user. */
const mayUpdateSome = (caller: CallerRights, user_id: string | undefined) =>
  administers(caller) || caller.actor?.id === user_id?.toLowerCase()

/** The fields of their own account that users may change. */
const PERSONAL_FIELDS = new Set(['name', 'email'])

export const mayUpdate = rule<CallerRights & { params: { user_id: string } }, object>(
  'Users may change their own `name` and `email`. Everything else needs a key with permission ADMIN and, if a user acts, the role ADMIN.',
  ({ params, ...caller }, patch) =>
    administers(caller) || (mayUpdateSome(caller, params.user_id) && Object.keys(patch).every((field) => PERSONAL_FIELDS.has(field))),
  notAdministering,
  (caller, { user_id }) => mayUpdateSome(caller, user_id),
)

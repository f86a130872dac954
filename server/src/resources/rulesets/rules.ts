import { type Permission, permits, type Role, ranks } from '../../core/access.ts'
import { needsPermission, needsRole } from '../../core/denial.ts'
import { rule } from '../../http/rule.ts'

interface Writer {
  permission: Permission | null
  actor: { role: Role } | null
}

const mayWrite = ({ actor, permission }: Writer) => (actor ? ranks(actor.role, 'STORYTELLER') : permits(permission, 'ADMIN'))

/** Rulesets belong to the company, and storytellers write them. */
export const mayWriteRules = rule<Writer>(
  'STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user.',
  mayWrite,
  ({ actor }) => (actor ? needsRole('STORYTELLER') : needsPermission('ADMIN')),
  (caller) => mayWrite(caller),
)

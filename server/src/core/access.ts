import { Enum } from './fields.ts'

/** The permissions of an API key in a company, weakest first. */
export const PERMISSIONS = ['USER', 'ADMIN', 'OWNER'] as const
export type Permission = (typeof PERMISSIONS)[number]
export const Permission = (description: string) => Enum('Permission', PERMISSIONS, description)

/** The roles of an end user in the games of a company, weakest first. */
export const ROLES = ['PLAYER', 'STORYTELLER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const Role = (description: string) => Enum('Role', ROLES, description)

/** The scopes of a user token: reading only, or everything that its user may do. */
export const TOKEN_SCOPES = ['READ', 'PLAY'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]
export const TokenScope = (description: string) => Enum('TokenScope', TOKEN_SCOPES, description, 'PLAY')

// Two orders, never one: ADMIN is in both and means something different in each.
const atLeast =
  <T>(order: readonly T[]) =>
  (held: T | null, needed: T) =>
    held !== null && order.indexOf(held) >= order.indexOf(needed)

/** Returns true if the permission that is held includes the one that is needed. */
export const permits = atLeast<Permission>(PERMISSIONS)

/** Returns true if the role that is held includes the one that is needed. */
export const ranks = atLeast<Role>(ROLES)

/**
 * The requirements of an operation that administers a company: its users, roles, settings, grants and audit log. The key needs this permission,
 * and an acting user the role ADMIN. For reading and playing a USER key is enough: the acting user's role decides, whichever key names them.
 */
export const administering = <Key extends Permission>(key: Key) => ({ key, role: 'ADMIN' }) as const

/** Returns true if a caller meets these requirements with at least an ADMIN key. */
export function administers({ permission, actor }: { permission: Permission | null; actor: { role: Role } | null }): boolean {
  const { key, role } = administering('ADMIN')
  return permits(permission, key) && (!actor || ranks(actor.role, role))
}

/**
 * Returns true if the caller sees the private fields of every user, and may write external ids: a key without an acting user, or an ADMIN. Others see
 * only their own.
 */
export const knowsIdentities = ({ actor }: { actor: { role: Role } | null }): boolean => !actor || ranks(actor.role, 'ADMIN')

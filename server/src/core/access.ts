import { Enum } from './fields.ts'

/** What an API key may do in a company, least first. */
export const PERMISSIONS = ['USER', 'ADMIN', 'OWNER'] as const
export type Permission = (typeof PERMISSIONS)[number]
export const Permission = (description: string) => Enum('Permission', PERMISSIONS, description)

/** What an end-user may do in a company's games, least first. */
export const ROLES = ['PLAYER', 'STORYTELLER', 'ADMIN'] as const
export type Role = (typeof ROLES)[number]
export const Role = (description: string) => Enum('Role', ROLES, description)

// Two orders, never one: ADMIN is in both, and is not the same in both.
const atLeast =
  <T>(order: readonly T[]) =>
  (held: T | null, needed: T) =>
    held !== null && order.indexOf(held) >= order.indexOf(needed)

/** Whether a permission includes another: each includes all that are less. */
export const permits = atLeast<Permission>(PERMISSIONS)

/** The same of roles. */
export const ranks = atLeast<Role>(ROLES)

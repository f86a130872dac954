import type { Me, Permission, Role } from '@guildhall/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/**
 * The rights of the caller in the company, as far as they can be foreseen. The service decides; this only decides which controls are shown. Requests are made on behalf of the acting
 * user, unless a developer chooses to use their own permission.
 */
export interface Rights {
  /** The permission of the developer in the company; USER for a player's session. */
  permission: Permission
  /** The options that say on whose behalf a request is made. */
  options: { onBehalfOf?: string }
  /** Sees e-mail addresses and external ids of others, and may create players. */
  knowsIdentities: boolean
  /** May change users and roles, and read grants and the audit log. */
  administers: boolean
  /** May change the company and its grants. */
  owns: boolean
  /** May write rulesets. */
  writesRules: boolean
  /** May create sign-in links: developers only. */
  sendsLinks: boolean
  /** A developer who acts in their own name, and not on behalf of the acting user. */
  isOwn: boolean
  /** The acting user's role is too low, and the developer's own permission would allow more. */
  couldUseOwn: boolean
  /** The developer's own permission would allow to change the company. */
  couldOwn: boolean
}

export function rightsOf(me: Me, permission: Permission, user: { id: string; role: Role }, wantsOwn: boolean): Rights {
  const isOwn = Boolean(me.developer) && wantsOwn
  const couldUseOwn = Boolean(me.developer) && user.role !== 'ADMIN'
  const isAdmin = isOwn || user.role === 'ADMIN'
  return {
    permission,
    options: me.developer && !isOwn ? { onBehalfOf: user.id } : {},
    knowsIdentities: isAdmin,
    administers: isAdmin && permission !== 'USER',
    owns: isAdmin && permission === 'OWNER',
    writesRules: isOwn ? permission !== 'USER' : user.role !== 'PLAYER',
    sendsLinks: Boolean(me.developer),
    isOwn,
    couldUseOwn,
    couldOwn: couldUseOwn && permission === 'OWNER',
  }
}

export const RightsContext = createContext<Rights | undefined>(undefined)

export function useRights(): Rights {
  const rights = useContext(RightsContext)
  if (!rights) throw new Error('This part needs the rights of the company page.')
  return rights
}

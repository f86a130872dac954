import { permits, type Role } from '../../core/access.ts'
import type { Caller } from '../../http/operation.ts'

type Who = Pick<Caller, 'permission' | 'actor'>

/** Users are managed with an ADMIN key, and, where somebody acts, by an ADMIN. */
export const managesUsers = ({ permission, actor }: Who) => permits(permission, 'ADMIN') && (!actor || actor.role === 'ADMIN')

/** Any key links new players; other roles are given by who manages users. */
export const mayCreate = (who: Who, role: Role) => role === 'PLAYER' || managesUsers(who)

/** Whether there is anything in a user that the caller may change. */
export const mayTouch = (who: Who, user_id: string | undefined) => managesUsers(who) || who.actor?.id === user_id?.toLowerCase()

const OWN = new Set(['name', 'email'])

/** Own name and email are everyone's to change. */
export const mayChange = (who: Who, user_id: string | undefined, fields: string[]) =>
  managesUsers(who) || (mayTouch(who, user_id) && fields.every((field) => OWN.has(field)))

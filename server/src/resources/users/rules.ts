import { administers, type Role } from '../../core/access.ts'
import type { Caller } from '../../http/operation.ts'

type Who = Pick<Caller, 'permission' | 'actor'>

/** Any key links new players; other roles are given by a caller who administers the company. */
export const mayCreate = (who: Who, role: Role) => role === 'PLAYER' || administers(who)

/** Whether there is anything in a user that the caller may change. */
export const mayTouch = (who: Who, user_id: string | undefined) => administers(who) || who.actor?.id === user_id?.toLowerCase()

const OWN = new Set(['name', 'email'])

/** Own name and email are everyone's to change. */
export const mayChange = (who: Who, user_id: string | undefined, fields: string[]) =>
  administers(who) || (mayTouch(who, user_id) && fields.every((field) => OWN.has(field)))

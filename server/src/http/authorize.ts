import type { FastifyRequest } from 'fastify'
import { permits, type Role, ranks } from '../core/access.ts'
import { forbidden, notFound } from '../core/problem.ts'
import type { Caller, Operation } from './operation.ts'
import { allPlaces, type Places } from './places.ts'
import { idsOf } from './visit.ts'

/** May this caller, and the user it acts for, do this here? Decided on values alone, in the order of the refusals. */
export function authorize(
  { needs }: Operation,
  { identity, visit, params }: Pick<FastifyRequest, 'identity' | 'visit' | 'params'>,
): Caller {
  const { developer, company, actor } = identity
  const anyCompany = developer.is_global_admin
  if (needs.key === 'GLOBAL_ADMIN' && !anyCompany) forbidden()
  if (needs.key === 'GLOBAL_ADMIN' || needs.key === 'KEY') return { developer, permission: null, actor: null }

  const permission = anyCompany ? 'OWNER' : identity.permission
  const open = company === 'live' || (company === 'archived' && needs.archived)
  // To all but operators a company that is unknown, closed or not theirs looks the same.
  if (anyCompany && !open) notFound('Company')
  if (!permission || !open || (company === 'archived' && permission !== 'OWNER')) return forbidden()
  if (visit.actor_id !== undefined && !actor) notFound('User')
  if (!permits(permission, needs.key)) forbidden()
  if (actor && needs.role && !ranks(actor.role, needs.role)) forbidden()
  const caller = { developer, permission, actor }
  if (needs.may && !needs.may(caller, params as Record<string, string>)) forbidden()
  return caller
}

/** The rules beyond rank, which need the body or the places of the path. */
export function askRules({ needs: { mayWith, mayHere } }: Operation, request: FastifyRequest, places: Places | null, body: unknown): void {
  const { caller } = request
  if (mayWith?.(caller, idsOf(request), body as never) === false) forbidden()
  if (places && mayHere?.({ ...caller, ...places } as never, body as never) === false) forbidden()
}

/**
 * Before a reply is given again, permission and role are checked, and entities are not. So the rules of places are asked only
 * of who has a lesser role than when it was first given: what a storyteller was told is not for the player they are now.
 */
export function askAgain(op: Operation, request: FastifyRequest, body: unknown, then: Role | null): void {
  const fell = then !== null && !ranks(request.caller.actor?.role ?? null, then)
  askRules(op, request, fell ? allPlaces(op, request) : null, body)
}

import type { FastifyRequest } from 'fastify'
import { permits, ranks } from '../../core/access.ts'
import { forbidden, notFound } from '../../core/problem.ts'
import type { Caller, Operation } from '../operation.ts'
import { standingOf } from './idempotency.ts'
import { allPlaces, type Places } from './path-resources.ts'
import { idsOf } from './target.ts'

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
export function askRules({ needs: { mayWith, mayHere } }: Operation, request: FastifyRequest, places: Places, body: unknown): void {
  const { caller } = request
  if (mayWith?.(caller, idsOf(request), body as never) === false) forbidden()
  if (mayHere?.({ ...caller, ...places } as never, body as never) === false) forbidden()
}

/**
 * Before a stored reply is replayed, the operation's rules are asked as of now: what a storyteller was told is not for the player
 * they are now. That path resources were archived since does not matter. Nor do the rules while the caller's standing is what the
 * work itself left: whoever gives a campaign away loses the right to, and still gets the reply to that.
 */
export function askAgain(op: Operation, request: FastifyRequest, body: unknown, standing: Buffer | null): void {
  if (!standing?.equals(standingOf(request.identity))) askRules(op, request, allPlaces(op, request), body)
}

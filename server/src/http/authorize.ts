import type { FastifyRequest } from 'fastify'
import { permits, ranks } from '../core/access.ts'
import { forbidden, notFound } from '../core/problem.ts'
import type { Caller, Operation } from './operation.ts'

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

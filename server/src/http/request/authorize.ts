import { knowsIdentities, permits, ranks } from '../../core/access.ts'
import { needsPermission, needsRole } from '../../core/denial.ts'
import { forbidden, notFound } from '../../core/problem.ts'
import type { Caller } from '../caller.ts'
import { nounOf, type Plan } from '../plan.ts'
import { standingOf } from './idempotency.ts'
import type { PathRowsByName, SessionState } from './session-state.ts'

/** Decides on credential, permission, role and the early part of the rule, before the body is read. */
export function authorize(
  { needs, writes }: Plan,
  { identity, target }: Pick<SessionState, 'identity' | 'target'>,
  params: Record<string, string>,
): Caller {
  const { developer, token, session, company, actor } = identity
  const isGlobalAdmin = developer.is_global_admin
  if (needs.key === 'GLOBAL_ADMIN' && !isGlobalAdmin) forbidden({ reason: 'global_admin' })
  if (needs.key === 'KEY' && token) forbidden({ reason: 'api_key_required' })
  if (needs.key === 'GLOBAL_ADMIN' || needs.key === 'KEY' || (needs.key === 'ANY' && !token))
    return { developer, token, session, permission: null, actor: null }
  if (needs.key === 'SESSION' && !session) forbidden({ reason: 'console_session_required' })
  if (needs.key === 'SESSION' && token && !actor) notFound('User')
  // A caller who was archived, or lost access to the company, may still sign out.
  if (needs.key === 'SESSION') return { developer, token, session, permission: null, actor }

  const permission = isGlobalAdmin ? 'OWNER' : identity.permission
  const isOpen = company === 'live' || (company === 'archived' && needs.archived)
  // To all but operators, a company that is unknown, closed or not theirs looks the same.
  if (isGlobalAdmin && !isOpen) notFound('Company')
  if (!permission || !isOpen || (company === 'archived' && permission !== 'OWNER')) return forbidden({ reason: 'company_access' })
  if (target.actor_id !== undefined && !actor) notFound('User')
  const needed = needs.key === 'ANY' ? 'USER' : needs.key
  if (!permits(permission, needed)) forbidden(needsPermission(needed))
  if (token && needs.refusesTokens) forbidden({ reason: 'api_key_required' })
  if (token?.scope === 'READ' && writes) forbidden({ reason: 'read_only_token' })
  if (actor && needs.role && !ranks(actor.role, needs.role)) forbidden(needsRole(needs.role))
  const caller = { developer, token, session, permission, actor }
  if (needs.may?.early && !needs.may.early(caller, params)) forbidden(needs.may.why({ ...caller, params } as never))
  return caller
}

/**
 * Asks the operation's rule, which may need the path resources and the body, and then those who guard the path. An external id is unique in the
 * company, so writing one could find out about hidden resources: only callers who see everything may.
 */
export function askRule(
  { needs: { may }, gates, writesExternalId }: Plan,
  { caller }: SessionState,
  params: object,
  pathRows: PathRowsByName,
  body: unknown,
): void {
  if (writesExternalId && Object.hasOwn(body as object, 'external_id') && !knowsIdentities(caller)) forbidden(needsRole('ADMIN'))
  const context = { ...caller, params, ...pathRows } as never
  if (may && !may(context, body as never)) forbidden(may.why(context, body as never))
  for (const { writers } of gates) if (!writers.may(context)) forbidden(writers.may.why(context))
}

/** The path resources, archived or not. One that does not exist, or that the acting user must not see, is 404. */
export function pathRowsOf({ through }: Plan, { identity }: SessionState): PathRowsByName {
  const rows: PathRowsByName = {}
  for (const { name } of through) rows[name] = identity.pathRows[name] ?? notFound(nounOf(name))
  return rows
}

/**
 * The path resources, each of them live. Only the subject of an archive operation may be archived already, and a restore may be below an archived parent (409
 * later). For a caller whom the rule rejects, an archived resource does not exist: 404, as for GET; so the rules of these operations must not depend on the
 * body.
 */
export function livePathRowsOf(plan: Plan, session: SessionState, params: object): PathRowsByName {
  const rows = pathRowsOf(plan, session)
  for (const resource of plan.through) {
    if (!rows[resource.name]?.archived) continue
    const mayBeArchived = plan.act === 'restore' || (plan.act === 'archive' && resource === plan.subject)
    const isRejected = () => plan.needs.may?.({ ...session.caller, params, ...rows } as never) === false
    if (!mayBeArchived || isRejected()) notFound(nounOf(resource.name))
  }
  return rows
}

/**
 * Authorizes a replay by the caller's rights of today: a former storyteller must not get the reply that a storyteller got. Path resources that were
 * archived since do not matter. The rule is skipped if the caller's standing is still the one right after the work: a user who gives a campaign
 * away loses the right to do so, and still gets the reply.
 */
export function authorizeReplay(plan: Plan, session: SessionState, params: object, body: unknown, standing: Buffer | null): void {
  if (!standing?.equals(standingOf(session.identity))) askRule(plan, session, params, pathRowsOf(plan, session), body)
}

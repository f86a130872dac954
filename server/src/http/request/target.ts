import type { FastifyRequest } from 'fastify'
import { isId } from '../../core/ids.ts'
import { invalid, notFound } from '../../core/problem.ts'
import type { TokenOwner } from '../../core/user-token.ts'
import { type PathParam, type Plan, paramOf } from '../plan.ts'
import { isRepeated, repeatedFault } from './headers.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import type { RequestTarget, SessionState } from './session-state.ts'

type Params = Record<string, string>

/** An id in lower case, as ids are stored, or null if the text is not an id. */
const asId = (text: unknown): string | null => (isId(text) ? text.toLowerCase() : null)

/** A parameter as part of a path: ids in upper and lower case are the same, texts are not. */
const canonicalParam = ({ params }: Plan, name: string, value: string) =>
  params.some((param) => param.name === name && param.text) ? encodeURIComponent(value) : (asId(value) ?? value)

/** An id that a token cannot reach is as good as none: its own company and user are the only ones. */
const reachable = (id: string | null, own: string | undefined) => (own === undefined || id === own ? id : null)

/** The ids that a request names. With a user token, its user acts unless the request names one. */
export function targetOf(plan: Plan, request: FastifyRequest, owner?: TokenOwner): RequestTarget {
  const params = request.params as Params
  const { 'idempotency-key': key } = request.headers
  const target: RequestTarget = {}
  if (plan.inCompany) {
    target.company_id = reachable(asId(params.company_id), owner?.company_id)
    const actor = (plan.actor === 'path' ? params.user_id : actorHeader(request)) ?? owner?.user_id
    if (actor !== undefined) target.actor_id = reachable(asId(actor), owner?.user_id)
    if (plan.through.length > 0) target.through = plan.through.map((resource) => ({ resource, id: asId(params[paramOf(resource)]) }))
  }
  if (owner && (plan.needs.key === 'ANY' || plan.needs.key === 'SESSION')) {
    target.company_id = owner.company_id
    target.actor_id = owner.user_id
    target.isLeaving = plan.needs.key === 'SESSION'
  }
  if (key !== undefined && plan.takesIdempotencyKey) {
    const path = plan.fill((name) => canonicalParam(plan, name, params[name] as string))
    const isSentTwice = isRepeated(request, 'idempotency-key')
    target.idempotency = { ...idempotencyKeyOf(String(key), target.actor_id, plan.method, path), isSentTwice }
  }
  return target
}

/** A repeated On-Behalf-Of names no user; `refuseOtherActor` rejects it once the caller is authorized. */
const actorHeader = (request: FastifyRequest) => (isRepeated(request, 'on-behalf-of') ? undefined : request.headers['on-behalf-of'])

/** In a company, On-Behalf-Of names one user, and where the path names the acting user, the same one. Elsewhere the header is ignored. */
export function refuseOtherActor(plan: Plan, request: FastifyRequest): void {
  const { 'on-behalf-of': header } = request.headers
  if (header === undefined || !plan.inCompany) return
  if (isRepeated(request, 'on-behalf-of')) invalid([repeatedFault('On-Behalf-Of')])
  if (plan.actor === 'path' && asId(header) !== request.session.target.actor_id)
    invalid([{ field: 'On-Behalf-Of', message: 'must be the user of the path' }])
}

/** The ids and texts of the path. A malformed one names nothing that exists: 404. */
export function idsOf(plan: Plan, request: FastifyRequest): Params {
  const ids: Params = {}
  for (const param of plan.params) ids[param.name] = paramValue(plan, param, (request.params as Params)[param.name]) ?? notFound(param.noun)
  return ids
}

function paramValue({ method }: Plan, { text }: PathParam, value: string | undefined): string | null {
  if (!text) return asId(value)
  const faults = text.faultsIn(value)
  // A PUT would create the resource that the text names, so its client learns the fault of the name.
  if (faults.length > 0 && method === 'PUT') invalid(faults)
  return faults.length > 0 ? null : (value as string)
}

/** The tenant whose data a request writes: the company of the path, or the developer where the path names no company. */
export const tenantOf = ({ target, caller }: Pick<SessionState, 'target' | 'caller'>) => target.company_id ?? caller.developer.id

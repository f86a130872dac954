import type { FastifyRequest } from 'fastify'
import { isId } from '../../core/ids.ts'
import { invalid, notFound } from '../../core/problem.ts'
import { fillPath, nounOf, type Operation, type Place, paramOf, takesBody } from '../operation.ts'
import { isRepeated, repeatedFault } from './headers.ts'
import { type Once, onceOf } from './idempotency.ts'

/** What a request names before anything is known of it. Undefined: not named; null: named, but not an id. */
export interface Visit {
  company_id?: string | null
  actor_id?: string | null
  /** What the path leads through. */
  places?: { place: Place; id: string | null }[]
  once?: Once
}

type Params = Record<string, string>

/** An id in the one form ids are stored in, or null where it is none. */
const asId = (text: unknown): string | null => (isId(text) ? text.toLowerCase() : null)

/** Below /users/{user_id}/ the path's user acts; on the user itself, it is the subject. */
const actsInPath = ({ path }: Operation) => /\/users\/{user_id}\/(?!restore$)/.test(path)

export function visitOf(op: Operation, request: FastifyRequest): Visit {
  const params = request.params as Params
  const { 'idempotency-key': key } = request.headers
  const visit: Visit = {}
  if (params.company_id === undefined && !takesBody(op)) return visit
  if (params.company_id !== undefined) {
    visit.company_id = asId(params.company_id)
    const actor = actsInPath(op) ? params.user_id : actorHeader(request)
    if (actor !== undefined) visit.actor_id = asId(actor)
    if (op.within) visit.places = op.within.map((place) => ({ place, id: asId(params[paramOf(place)]) }))
  }
  if (key !== undefined && takesBody(op)) {
    // However the ids were spelled, it is the same path.
    const path = fillPath(op.path, (name) => asId(params[name]) ?? (params[name] as string))
    visit.once = { ...onceOf(String(key), visit.actor_id, op.method, path), repeated: isRepeated(request, 'idempotency-key') }
  }
  return visit
}

/** A repeated On-Behalf-Of names nobody; refuseOtherActor rejects it once the caller is authorized. */
const actorHeader = (request: FastifyRequest) => (isRepeated(request, 'on-behalf-of') ? undefined : request.headers['on-behalf-of'])

/** In a company the header names one user, and where the path names the actor, that user. Elsewhere it has no meaning. */
export function refuseOtherActor(op: Operation, request: FastifyRequest): void {
  const { 'on-behalf-of': behalf } = request.headers
  const { company_id, actor_id } = request.visit
  if (behalf === undefined || company_id === undefined) return
  if (isRepeated(request, 'on-behalf-of')) invalid([repeatedFault('On-Behalf-Of')])
  if (actsInPath(op) && asId(behalf) !== actor_id) invalid([{ field: 'On-Behalf-Of', message: 'must be the user of the path' }])
}

/** The ids of the path; a malformed one names nothing that exists. */
export function idsOf(request: FastifyRequest): Params {
  const ids: Params = {}
  for (const [name, value] of Object.entries(request.params as Params)) ids[name] = asId(value) ?? notFound(nounOf(name))
  return ids
}

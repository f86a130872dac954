import type { FastifyRequest } from 'fastify'
import { conflict, notFound } from '../core/problem.ts'
import { isSubject, nounOf, type Operation, restores, type Whereabouts } from './operation.ts'

/**
 * What the path leads through, each there and live, or 404. Only the subject of a DELETE may be archived already, and
 * whoever restores is told later what to restore first.
 */
export function placesOf(op: Operation, { identity }: FastifyRequest): Record<string, Whereabouts> {
  const places: Record<string, Whereabouts> = {}
  for (const place of op.within ?? []) {
    const found = identity.found[place.name]
    const mayBeArchived = restores(op) || (op.method === 'DELETE' && isSubject(op, place))
    if (!found || (found.archived && !mayBeArchived)) return notFound(nounOf(place.name))
    places[place.name] = found
  }
  return places
}

/** Asked after the work, which is then undone: what else stands against a restore comes first. */
export function refuseArchivedParent(op: Operation, places: Record<string, Whereabouts>): void {
  if (!restores(op)) return
  for (const place of op.within ?? []) {
    if (places[place.name]?.archived && !isSubject(op, place))
      conflict('parent_archived', `The ${place.name} this belongs to is archived: restore that first.`)
  }
}

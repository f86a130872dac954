import type { FastifyRequest } from 'fastify'
import { conflict, notFound } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { sql } from '../../db/sql.ts'
import { isSubject, nounOf, type Operation, type Place, restores, type Whereabouts } from '../operation.ts'

export type Places = Record<string, Whereabouts>

/** What the path leads through, archived or not: each is there for the acting user, or 404. */
export function allPlaces(op: Operation, { identity }: FastifyRequest): Places {
  const places: Places = {}
  for (const { name } of op.within ?? []) places[name] = identity.found[name] ?? notFound(nounOf(name))
  return places
}

/**
 * The resources that the path leads through, each of them live. Only the subject of a DELETE may be archived already, and a restore may be
 * under an archived parent (409 later). For a caller whom the operation's rule refuses, what is archived does not exist: 404, as for GET.
 */
export function livePlaces(op: Operation, request: FastifyRequest): Places {
  const places = allPlaces(op, request)
  for (const place of op.within ?? []) {
    if (!places[place.name]?.archived) continue
    const mayBeArchived = restores(op) || (op.method === 'DELETE' && isSubject(op, place))
    const refused = () => op.needs.mayHere?.({ ...request.caller, ...places } as never, {} as never) === false
    if (!mayBeArchived || refused()) notFound(nounOf(place.name))
  }
  return places
}

/**
 * Keeps what the write is made under from being archived before it is committed: it was live when we looked, and if it is no more,
 * nothing is written.
 */
export function holdParents(tx: Tx, op: Operation, company_id: string, places: Places): void {
  const parents = parentsOf(op)
  if (parents.length === 0 || archivedOf(parents, places)) return
  const rows = parents.map(({ name, table }) => ({
    id: places[name]?.id,
    from: sql`${sql.id(table as string)} ${sql.id(name)}`,
    row: sql.id(name),
  }))
  const held = sql`(
    SELECT true FROM ${sql.join(
      rows.map(({ from }) => from),
      ', ',
    )}
    WHERE ${sql.join(
      rows.map(({ row, id }) => sql`${row}.company_id = ${company_id} AND ${row}.id = ${id} AND ${row}.date_archived IS NULL`),
      ' AND ',
    )} FOR KEY SHARE)`
  demand(tx, held, () => refuse(op, parents[0] as Place))
}

/** Who restores under what is archived is told so last: what else stands against it comes first. */
export function refuseUnderArchived(op: Operation, places: Places): void {
  const archived = archivedOf(parentsOf(op), places)
  if (archived) refuse(op, archived)
}

const parentsOf = (op: Operation) => (op.within ?? []).filter((place) => place.table && !isSubject(op, place))
const archivedOf = (parents: readonly Place[], places: Places) => parents.find(({ name }) => places[name]?.archived)

const refuse = (op: Operation, { name }: Place) =>
  restores(op) ? conflict('parent_archived', `The ${name} this belongs to is archived: restore that first.`) : notFound(nounOf(name))

import type { FastifyRequest } from 'fastify'
import { conflict, notFound } from '../core/problem.ts'
import type { Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { isSubject, nounOf, type Operation, type Place, restores, type Whereabouts } from './operation.ts'

export type Places = Record<string, Whereabouts>

/** What the path leads through, archived or not: each is there for the acting user, or 404. */
export function allPlaces(op: Operation, { identity }: FastifyRequest): Places {
  const places: Places = {}
  for (const { name } of op.within ?? []) places[name] = identity.found[name] ?? notFound(nounOf(name))
  return places
}

/**
 * The same, each of them live. Only the subject of a DELETE may be archived already, and whoever restores is told later
 * what to restore first.
 */
export function livePlaces(op: Operation, request: FastifyRequest): Places {
  const places = allPlaces(op, request)
  for (const place of op.within ?? []) {
    const mayBeArchived = restores(op) || (op.method === 'DELETE' && isSubject(op, place))
    if (places[place.name]?.archived && !mayBeArchived) notFound(nounOf(place.name))
  }
  return places
}

/**
 * Keeps what the write is made under from being archived before it is committed, and tells after the work whether it was live:
 * what else stands against it comes first. The statement goes ahead of the work, and nobody waits for it alone.
 */
export function holdParents(tx: Tx, op: Operation, company_id: string, places: Places): () => Promise<void> {
  const parents = (op.within ?? []).filter((place) => place.table && !isSubject(op, place))
  if (parents.length === 0) return async () => {}
  const archived = parents.find(({ name }) => places[name]?.archived)
  if (archived) return async () => refuse(op, archived)
  const rows = parents.map(({ name, table }) => ({
    id: places[name]?.id,
    from: sql`${sql.id(table as string)} ${sql.id(name)}`,
    row: sql.id(name),
  }))
  const held = tx.query(sql`
    SELECT 1 AS one FROM ${sql.join(
      rows.map(({ from }) => from),
      ', ',
    )}
    WHERE ${sql.join(
      rows.map(({ row, id }) => sql`${row}.company_id = ${company_id} AND ${row}.id = ${id} AND ${row}.date_archived IS NULL`),
      ' AND ',
    )} FOR KEY SHARE`)
  held.catch(() => {})
  return async () => {
    if ((await held).length === 0) refuse(op, parents[0] as Place)
  }
}

const refuse = (op: Operation, { name }: Place) =>
  restores(op) ? conflict('parent_archived', `The ${name} this belongs to is archived: restore that first.`) : notFound(nounOf(name))

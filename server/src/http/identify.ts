import type { FastifyRequest } from 'fastify'
import type { Permission, Role } from '../core/access.ts'
import { hashApiKey, looksLikeApiKey } from '../core/api-key.ts'
import { unauthorized } from '../core/problem.ts'
import type { Db } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Kept, keptFor } from './idempotency.ts'
import type { Actor, Developer, Whereabouts } from './operation.ts'
import type { Visit } from './visit.ts'

/** What the database knows of the names in a visit. */
export interface Identity {
  developer: Developer
  company: 'live' | 'archived' | null
  permission: Permission | null
  actor: Actor | null
  /** What was found of the path's places, by their names. */
  found: Record<string, Whereabouts | null>
  /** The reply kept for this Idempotency-Key. */
  kept: Kept | null
}

/** What is found of a visit's names; what it did not name is not asked for, and not there. */
interface Row extends Developer, Partial<Kept> {
  company_id?: string | null
  company?: 'live' | 'archived'
  permission?: Permission | null
  actor_id?: string | null
  actor_name?: string
  actor_role?: Role
  [place: string]: unknown
}

/** Columns to read besides the developer's, and where they come from. */
interface Part {
  columns: Sql
  join: Sql
}
const NOTHING: Part = { columns: sql``, join: sql`` }

const inCompany = (id: string): Part => ({
  columns: sql`, c.id AS company_id, CASE WHEN c.date_archived IS NULL THEN 'live' ELSE 'archived' END AS company, g.permission`,
  join: sql`LEFT JOIN companies c ON c.id = ${id} AND c.date_purged IS NULL LEFT JOIN grants g ON g.company_id = c.id AND g.id = d.id`,
})
const actingAs = (id: string): Part => ({
  columns: sql`, u.id AS actor_id, u.name AS actor_name, u.role AS actor_role`,
  join: sql`LEFT JOIN users u ON u.company_id = c.id AND u.id = ${id} AND u.date_archived IS NULL`,
})

/** A path with a malformed id leads nowhere, and need not be asked for. */
function leadingThrough(places: NonNullable<Visit['places']>): Part {
  const joins = places.flatMap(({ place, id }) => (id ? [place.join(id)] : []))
  if (joins.length < places.length) return NOTHING
  return {
    columns: sql.join(
      places.map(({ place: { name, row } }) => sql`, ${row} AS ${sql.id(name)}`),
      '',
    ),
    join: sql.join(joins, ' '),
  }
}

/**
 * Whose key is this, what may it do in the company, who acts and where, and was this very request answered before? One
 * statement tells, and none is spent on a key that cannot be one.
 */
export async function identify(db: Db, request: FastifyRequest): Promise<Identity> {
  const { company_id, actor_id, places, once } = request.visit
  const key = request.headers['x-api-key']
  if (key === undefined || key === '') return unauthorized('API key not provided')
  if (typeof key !== 'string' || !looksLikeApiKey(key)) return unauthorized()

  const company = company_id ? inCompany(company_id) : NOTHING
  const actor = company_id && actor_id ? actingAs(actor_id) : NOTHING
  const within = company_id && actor_id && places ? leadingThrough(places) : NOTHING
  const kept = once ? keptFor(company_id ? sql`${company_id}` : sql`d.id`, sql`d.id`, once.key_hash, db.now()) : NOTHING
  const [row] = await db.query<Row>(sql`
    SELECT d.id, d.name, d.is_global_admin, k.id AS key_id${company.columns}${actor.columns}${within.columns}${kept.columns}
    FROM api_keys k JOIN developers d ON d.id = k.developer_id ${company.join} ${actor.join} ${within.join} ${kept.join}
    WHERE k.key_hash = ${hashApiKey(key)} AND (k.date_expires IS NULL OR k.date_expires > ${db.now()})`)
  if (!row) return unauthorized()
  const { id, name, is_global_admin, key_id, actor_id: acting, actor_name, actor_role } = row
  return {
    developer: { id, name, is_global_admin, key_id },
    company: (row.company_id && row.company) || null,
    permission: row.permission ?? null,
    actor: acting ? ({ id: acting, company_id, name: actor_name, role: actor_role } as Actor) : null,
    found: Object.fromEntries((places ?? []).map(({ place }) => [place.name, (row[place.name] ?? null) as Whereabouts | null])),
    kept: row.body_hash ? (row as unknown as Kept) : null,
  }
}

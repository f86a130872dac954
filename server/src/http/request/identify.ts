import type { FastifyRequest } from 'fastify'
import type { Permission, Role } from '../../core/access.ts'
import { hashApiKey, looksLikeApiKey } from '../../core/api-key.ts'
import { unauthorized } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Developer, Whereabouts } from '../operation.ts'
import { type Kept, keptFor } from './idempotency.ts'
import type { Visit } from './target.ts'

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
  /** All of this but the reply, in one word: the same word, the same identity. */
  seal: string
}

/** What is found of a visit's names; what it did not name is not asked for, and not there. */
interface Row extends Developer, Partial<Kept> {
  company_id?: string | null
  company?: 'live' | 'archived'
  permission?: Permission | null
  actor_id?: string | null
  actor_name?: string
  actor_role?: Role
  seal: string
  [place: string]: unknown
}

/** What to read of a visit's names, and where it comes from. */
interface Part {
  columns: [name: string, value: Sql][]
  join: Sql
}
const NOTHING: Part = { columns: [], join: sql`` }
const list = (pieces: Sql[]) => sql.join(pieces, ', ')

const DEVELOPER: Part['columns'] = [
  ['id', sql`d.id`],
  ['name', sql`d.name`],
  ['is_global_admin', sql`d.is_global_admin`],
  ['key_id', sql`k.id`],
]
const COMPANY: Part['columns'] = [
  ['company_id', sql`c.id`],
  ['company', sql`CASE WHEN c.date_archived IS NULL THEN 'live' ELSE 'archived' END`],
  ['permission', sql`g.permission`],
]
const ACTOR: Part['columns'] = [
  ['actor_id', sql`u.id`],
  ['actor_name', sql`u.name`],
  ['actor_role', sql`u.role`],
]
const inCompany = (id: string): Part => ({
  columns: COMPANY,
  join: sql`LEFT JOIN companies c ON c.id = ${id} AND c.date_purged IS NULL LEFT JOIN grants g ON g.company_id = c.id AND g.id = d.id`,
})
const actingAs = (id: string): Part => ({
  columns: ACTOR,
  join: sql`LEFT JOIN users u ON u.company_id = c.id AND u.id = ${id} AND u.date_archived IS NULL`,
})

/** A path with a malformed id leads nowhere, and need not be asked for. */
function leadingThrough(places: NonNullable<Visit['places']>): Part {
  const joins = places.flatMap(({ place, id }) => (id ? [place.join(id)] : []))
  if (joins.length < places.length) return NOTHING
  return { columns: places.map(({ place: { name, row } }) => [name, row]), join: sql.join(joins, ' ') }
}

/** Who would come by this key, as the statements about them begin; there is no such row for a key that is none. */
function caller({ company_id, actor_id, places }: Visit, key_hash: Buffer, now: Date) {
  const company = company_id ? inCompany(company_id) : NOTHING
  const actor = company_id && actor_id ? actingAs(actor_id) : NOTHING
  const within = company_id && actor_id && places ? leadingThrough(places) : NOTHING
  const columns = [...DEVELOPER, ...company.columns, ...actor.columns, ...within.columns]
  return {
    columns: () => list(columns.map(([name, value]) => sql`${value} AS ${sql.id(name)}`)),
    seal: sql`ROW(${list(columns.map(([, value]) => value))})::text`,
    from: sql`api_keys k JOIN developers d ON d.id = k.developer_id ${company.join} ${actor.join} ${within.join}`,
    where: sql`k.key_hash = ${key_hash} AND (k.date_expires IS NULL OR k.date_expires > ${now})`,
  }
}

/** The key of a request, as it is stored. None is looked for that cannot be one. */
export function keyHashOf({ headers }: FastifyRequest): Buffer {
  const key = headers['x-api-key']
  if (key === undefined || key === '') return unauthorized('API key not provided')
  if (typeof key !== 'string' || !looksLikeApiKey(key)) return unauthorized()
  return hashApiKey(key)
}

/** The caller's fingerprint as the database has it now, as an expression in any statement; null for a key that is not valid. */
export function currentSeal({ visit, keyHash }: FastifyRequest, now: Date): Sql {
  const { seal, from, where } = caller(visit, keyHash, now)
  return sql`(SELECT ${seal} FROM ${from} WHERE ${where})`
}

/** Whether all that was known of a caller is so now, as a condition of any statement. */
export const stillHolds = (request: FastifyRequest, { seal }: Identity, now: Date): Sql => sql`${currentSeal(request, now)} = ${seal}`

/**
 * Whose key is this, what may it do in the company, who acts and where, and was this very request answered before? One
 * statement tells.
 */
export async function identify(db: Db, { visit, keyHash }: FastifyRequest): Promise<Identity> {
  const { company_id, places, once } = visit
  const { columns, seal, from, where } = caller(visit, keyHash, db.now())
  const kept = once && keptFor(company_id ? sql`${company_id}` : sql`d.id`, sql`d.id`, once.key_hash, db.now())
  const [row] = await db.query<Row>(
    sql`SELECT ${columns()}, ${seal} AS seal${kept?.columns ?? sql``} FROM ${from} ${kept?.join ?? sql``} WHERE ${where}`,
  )
  if (!row) return unauthorized()
  const { id, name, is_global_admin, key_id, actor_id: acting, actor_name, actor_role } = row
  return {
    developer: { id, name, is_global_admin, key_id },
    company: (row.company_id && row.company) || null,
    permission: row.permission ?? null,
    actor: acting ? ({ id: acting, company_id, name: actor_name, role: actor_role } as Actor) : null,
    found: Object.fromEntries((places ?? []).map(({ place }) => [place.name, (row[place.name] ?? null) as Whereabouts | null])),
    kept: row.body_hash ? (row as unknown as Kept) : null,
    seal: row.seal,
  }
}

import type { FastifyRequest } from 'fastify'
import type { Permission, Role } from '../../core/access.ts'
import { hashApiKey, looksLikeApiKey } from '../../core/api-key.ts'
import { unauthorized } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Developer } from '../caller.ts'
import type { PathRow } from '../path.ts'
import type { Identity, RequestTarget, SessionState, StoredReply } from './session-state.ts'
import { lookUpReply, storedReplyFor } from './stored-replies.ts'

/** One row of the statement that identifies a caller. Columns that the request does not need are absent. */
interface Row extends Developer, Partial<StoredReply> {
  company_id?: string | null
  company?: 'live' | 'archived'
  permission?: Permission | null
  actor_id?: string | null
  actor_name?: string
  actor_role?: Role
  fingerprint: string
  [pathResource: string]: unknown
}

/** Columns to read about something that the request names, and the join that they need. */
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
  join: sql`LEFT JOIN companies c ON c.id = ${id} AND c.date_purged IS NULL LEFT JOIN grants g ON g.company_id = ${id} AND g.id = d.id`,
})
const actingAs = (company_id: string, id: string): Part => ({
  columns: ACTOR,
  join: sql`LEFT JOIN users u ON u.company_id = ${company_id} AND u.id = ${id} AND u.date_archived IS NULL`,
})

/** The path resources. A path with a malformed id, or without the acting user who has to see them, leads nowhere, and is not looked up. */
function leadingThrough(company_id: string, through: NonNullable<RequestTarget['through']>, hasActor: boolean): Part {
  if (!hasActor && !through.every(({ resource }) => resource.ofCompany)) return NOTHING
  const joins = through.flatMap(({ resource, id }) => (id ? [resource.join(id, company_id)] : []))
  if (joins.length < through.length) return NOTHING
  return { columns: through.map(({ resource: { name, row } }) => [name, row]), join: sql.join(joins, ' ') }
}

/** The parts of a statement about the caller with this key. It yields no row if the key is not valid. */
function callerParts({ company_id, actor_id, through }: RequestTarget, key_hash: Buffer, now: Date) {
  const company = company_id ? inCompany(company_id) : NOTHING
  const actor = company_id && actor_id ? actingAs(company_id, actor_id) : NOTHING
  const path = company_id && through ? leadingThrough(company_id, through, Boolean(actor_id)) : NOTHING
  const columns = [...DEVELOPER, ...company.columns, ...actor.columns, ...path.columns]
  return {
    columns: () => list(columns.map(([name, value]) => sql`${value} AS ${sql.id(name)}`)),
    fingerprint: sql`ROW(${list(columns.map(([, value]) => value))})::text`,
    from: sql`api_keys k JOIN developers d ON d.id = k.developer_id ${company.join} ${actor.join} ${path.join}`,
    where: sql`k.key_hash = ${key_hash} AND (k.date_expires IS NULL OR k.date_expires > ${now})`,
  }
}

/** The hash of a request's API key. A key that is missing or malformed is rejected without asking the database. */
export function keyHashOf({ headers }: FastifyRequest): Buffer {
  const key = headers['x-api-key']
  if (key === undefined || key === '') return unauthorized('API key not provided')
  if (typeof key !== 'string' || !looksLikeApiKey(key)) return unauthorized()
  return hashApiKey(key)
}

/** The caller's current fingerprint, as an expression for any statement; NULL if the key is not valid. */
export function currentFingerprint({ target, keyHash }: Pick<SessionState, 'target' | 'keyHash'>, now: Date): Sql {
  const { fingerprint, from, where } = callerParts(target, keyHash, now)
  return sql`(SELECT ${fingerprint} FROM ${from} WHERE ${where})`
}

/** Reads, in one statement, everything that the request names: the key, the company, the acting user, the path resources, and a stored reply. */
export async function identify(db: Db, { target, keyHash }: Pick<SessionState, 'target' | 'keyHash'>): Promise<Identity> {
  const { company_id, through, idempotency } = target
  const { columns, fingerprint, from, where } = callerParts(target, keyHash, db.now())
  const stored = idempotency && company_id ? storedReplyFor(sql`${company_id}`, sql`d.id`, idempotency.key_hash, db.now()) : undefined
  const [row] = await db.query<Row>(
    sql`SELECT ${columns()}, ${fingerprint} AS fingerprint${stored?.columns ?? sql``} FROM ${from} ${stored?.join ?? sql``} WHERE ${where}`,
  )
  if (!row) return unauthorized()
  const { id, name, is_global_admin, key_id, actor_id, actor_name, actor_role } = row
  // Without a company, replies are stored under the id of the developer, which is known only now.
  const ownReply =
    idempotency && !company_id ? await lookUpReply(db, { company_id: id, developer_id: id, key_hash: idempotency.key_hash }) : null
  return {
    developer: { id, name, is_global_admin, key_id },
    company: (row.company_id && row.company) || null,
    permission: row.permission ?? null,
    actor: actor_id ? ({ id: actor_id, company_id, name: actor_name, role: actor_role } as Actor) : null,
    pathRows: Object.fromEntries((through ?? []).map(({ resource }) => [resource.name, (row[resource.name] ?? null) as PathRow | null])),
    storedReply: row.body_hash ? (row as unknown as StoredReply) : ownReply,
    fingerprint: row.fingerprint,
  }
}

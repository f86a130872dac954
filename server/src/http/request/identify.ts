import type { Permission, Role, TokenScope } from '../../core/access.ts'
import { invalidBearer, tokenExpired, unauthorized } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Developer } from '../caller.ts'
import type { PathRow } from '../path.ts'
import { type Credential, SESSION_ENDED } from './credential.ts'
import type { Identity, RequestTarget, SessionState, StoredReply } from './session-state.ts'
import { lookUpReply, storedReplyFor } from './stored-replies.ts'

/** One row of the statement that identifies a caller. Columns that the request does not need are absent. */
interface Row extends Developer, Partial<StoredReply> {
  token_id?: string
  token_scope?: TokenScope
  session_id?: string
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
/** A token has the permission USER if the developer of its key has any, and is never that of a global admin. */
const TOKEN: Part['columns'] = [
  ['id', sql`d.id`],
  ['name', sql`d.name`],
  ['is_global_admin', sql`false`],
  ['key_id', sql`k.id`],
  ['token_id', sql`t.id`],
  ['token_scope', sql`t.scope`],
]
/** A link of a user is identified like a token, but does nothing except sign in. */
const LINK: Part['columns'] = [...TOKEN.slice(0, -1), ['token_scope', sql`'PLAY'`]]
const SESSION: Part['columns'] = [...DEVELOPER, ['session_id', sql`s.id`]]
const companyColumns = (permission: Sql): Part['columns'] => [
  ['company_id', sql`c.id`],
  ['company', sql`CASE WHEN c.date_archived IS NULL THEN 'live' ELSE 'archived' END`],
  ['permission', permission],
]
const COMPANY = companyColumns(sql`g.permission`)
const COMPANY_OF_TOKEN = companyColumns(sql`CASE WHEN g.permission IS NOT NULL THEN 'USER' END`)
const ACTOR: Part['columns'] = [
  ['actor_id', sql`u.id`],
  ['actor_name', sql`u.name`],
  ['actor_role', sql`u.role`],
]
const inCompany = (id: string, columns: Part['columns']): Part => ({
  columns,
  join: sql`LEFT JOIN companies c ON c.id = ${id} AND c.date_purged IS NULL LEFT JOIN grants g ON g.company_id = ${id} AND g.id = d.id`,
})
const actingAs = (company_id: string, id: string, isLeaving = false): Part => ({
  columns: ACTOR,
  join: sql`LEFT JOIN users u ON u.company_id = ${company_id} AND u.id = ${id} AND ${isLeaving ? sql`true` : sql`u.date_archived IS NULL`}`,
})

/** The path resources. A path with a malformed id, or without the acting user who has to see them, leads nowhere, and is not looked up. */
function leadingThrough(company_id: string, through: NonNullable<RequestTarget['through']>, hasActor: boolean): Part {
  if (!hasActor && !through.every(({ resource }) => resource.ofCompany)) return NOTHING
  const joins = through.flatMap(({ resource, id }) => (id ? [resource.join(id, company_id)] : []))
  if (joins.length < through.length) return NOTHING
  return { columns: through.map(({ resource: { name, row } }) => [name, row]), join: sql.join(joins, ' ') }
}

/** The tables that a credential is found in, and the conditions under which it is valid. Tokens, sessions and links end with the key that issued them. */
function credentialPart({ kind, hash, owner }: Credential, now: Date) {
  const isLive = sql`(k.date_expires IS NULL OR k.date_expires > ${now})`
  if (kind === 'KEY') return { columns: DEVELOPER, company: COMPANY, from: sql`api_keys k`, where: sql`k.key_hash = ${hash} AND ${isLive}` }
  if (!owner)
    return {
      columns: SESSION,
      company: COMPANY,
      from: sql`console_sessions s JOIN api_keys k ON k.id = s.key_id`,
      where: sql`s.secret_hash = ${hash} AND s.kind = ${kind} AND s.date_expires > ${now} AND ${isLive}`,
    }
  const isOwned = sql`t.company_id = ${owner.company_id} AND t.user_id = ${owner.user_id} AND t.date_expires > ${now} AND ${isLive}`
  if (kind === 'LINK')
    return {
      columns: LINK,
      company: COMPANY_OF_TOKEN,
      from: sql`sign_in_links t JOIN api_keys k ON k.id = t.key_id`,
      where: sql`t.code_hash = ${hash} AND ${isOwned}`,
    }
  return {
    columns: TOKEN,
    company: COMPANY_OF_TOKEN,
    from: sql`user_tokens t JOIN api_keys k ON k.id = t.key_id`,
    where: sql`t.token_hash = ${hash} AND ${isOwned}`,
  }
}

/** The parts of a statement about the caller with this credential. It yields no row if the credential is not valid. */
function callerParts({ company_id, actor_id, isLeaving, through }: RequestTarget, presented: Credential, now: Date) {
  const credential = credentialPart(presented, now)
  const company = company_id ? inCompany(company_id, credential.company) : NOTHING
  const actor = company_id && actor_id ? actingAs(company_id, actor_id, isLeaving) : NOTHING
  const path = company_id && through ? leadingThrough(company_id, through, Boolean(actor_id)) : NOTHING
  const columns = [...credential.columns, ...company.columns, ...actor.columns, ...path.columns]
  return {
    columns: () => list(columns.map(([name, value]) => sql`${value} AS ${sql.id(name)}`)),
    fingerprint: sql`ROW(${list(columns.map(([, value]) => value))})::text`,
    from: sql`${credential.from} JOIN developers d ON d.id = k.developer_id ${company.join} ${actor.join} ${path.join}`,
    where: credential.where,
  }
}

export const LINK_ENDED = 'The sign-in link was used already, has expired or was revoked. Ask for a new one.'

/** Rejects a credential that is not valid. A token that expired a short while ago is still known, so that its client learns to get a new one. */
async function refuse(db: Db, { kind, hash, owner }: Credential): Promise<never> {
  if (kind === 'LINK') return unauthorized(LINK_ENDED)
  if (kind === 'SESSION') return unauthorized(SESSION_ENDED)
  if (!owner) return unauthorized()
  const expired = await db.query(sql`
    SELECT 1 AS one FROM user_tokens t WHERE t.company_id = ${owner.company_id} AND t.token_hash = ${hash} AND t.date_expires <= ${db.now()}`)
  return expired.length ? tokenExpired() : invalidBearer('Unauthorized user token')
}

/** The caller's current fingerprint, as an expression for any statement; NULL if the credential is not valid. */
export function currentFingerprint({ target, credential }: Pick<SessionState, 'target' | 'credential'>, now: Date): Sql {
  const { fingerprint, from, where } = callerParts(target, credential, now)
  return sql`(SELECT ${fingerprint} FROM ${from} WHERE ${where})`
}

/** Reads, in one statement, everything that the request names: the credential, the company, the acting user, the path resources, and a stored reply. */
export async function identify(db: Db, { target, credential }: Pick<SessionState, 'target' | 'credential'>): Promise<Identity> {
  const { company_id, through, idempotency } = target
  const { columns, fingerprint, from, where } = callerParts(target, credential, db.now())
  const stored = idempotency && company_id ? storedReplyFor(sql`${company_id}`, sql`d.id`, idempotency.key_hash, db.now()) : undefined
  const [row] = await db.query<Row>(
    sql`SELECT ${columns()}, ${fingerprint} AS fingerprint${stored?.columns ?? sql``} FROM ${from} ${stored?.join ?? sql``} WHERE ${where}`,
  )
  if (!row) return refuse(db, credential)
  const { id, name, is_global_admin, key_id, token_id, actor_id, actor_name, actor_role } = row
  const session_id = row.session_id ?? (credential.kind === 'SESSION' ? token_id : undefined)
  // Without a company, replies are stored under the id of the developer, which is known only now.
  const ownReply =
    idempotency && !company_id ? await lookUpReply(db, { company_id: id, developer_id: id, key_hash: idempotency.key_hash }) : null
  return {
    developer: { id, name, is_global_admin, key_id },
    token: token_id ? { id: token_id, scope: row.token_scope as TokenScope } : null,
    session: session_id ? { id: session_id } : null,
    company: (row.company_id && row.company) || null,
    permission: row.permission ?? null,
    actor: actor_id ? ({ id: actor_id, company_id, name: actor_name, role: actor_role } as Actor) : null,
    pathRows: Object.fromEntries((through ?? []).map(({ resource }) => [resource.name, (row[resource.name] ?? null) as PathRow | null])),
    storedReply: row.body_hash ? (row as unknown as StoredReply) : ownReply,
    fingerprint: row.fingerprint,
  }
}

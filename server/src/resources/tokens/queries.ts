import type { Listed } from '../../core/page.ts'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import { newOwnedSecret } from '../../core/user-token.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor, Caller, Developer } from '../../http/caller.ts'
import type { Site } from '../../http/site.ts'
import { MAX_TOKENS, type Me, type TokenCreate, UserToken } from './schema.ts'

const tokens = table('user_tokens', UserToken, {
  noun: 'Token',
  partOf: { users: 'user_id' },
  indexesAcrossCompanies: ['user_tokens_by_expiry'],
})

/** The condition that a token works: neither it nor the key that issued it has ended. Any other token counts as deleted. */
const isLive = (db: Db) => sql`date_expires > ${db.now()}
  AND EXISTS (SELECT FROM api_keys k WHERE k.id = user_tokens.key_id AND (k.date_expires IS NULL OR k.date_expires > ${db.now()}))`

const scopeOf = ({ company_id, id }: Actor) => ({ company_id, user_id: id })

export const listTokens = (db: Db, actor: Actor, listed: Listed) => tokens.list(db, scopeOf(actor), listed, { where: [isLive(db)] })
export const getToken = (db: Db, actor: Actor, id: string) => tokens.get(db, { ...scopeOf(actor), id }, isLive(db))
export const deleteToken = (db: Tx, actor: Actor, id: string) => tokens.remove(db, { ...scopeOf(actor), id }, isLive(db))

/** A global admin reaches every company, but a token has only the permission that was granted there: without a grant it could do nothing. */
export async function refuseWithoutGrant(db: Db, company_id: string, { id, is_global_admin }: Developer): Promise<void> {
  if (!is_global_admin) return
  const granted = await db.query(sql`SELECT 1 AS one FROM grants WHERE company_id = ${company_id} AND id = ${id}`)
  if (!granted.length) forbidden({ reason: 'company_access' })
}

/** Locks the user, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(db: Tx, { company_id, id }: Actor, kind: UserToken['kind']): Promise<void> {
  await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM user_tokens WHERE company_id = ${company_id} AND user_id = ${id} AND kind = ${kind} AND ${isLive(db)}`)
  if (count >= MAX_TOKENS)
    conflict(
      'too_many_tokens',
      `The user already has ${MAX_TOKENS} live ${kind === 'TOKEN' ? 'tokens' : 'console sessions'}, which is the maximum. Delete one, or revoke all of them.`,
    )
}

/** The token itself is only in the reply, never in the table or the event. */
export async function createToken(db: Tx, developer: Developer, actor: Actor, { expires_in, ...body }: TokenCreate) {
  await refuseWithoutGrant(db, actor.company_id, developer)
  const { secret, ...created } = await insertToken(db, developer, actor, { ...body, kind: 'TOKEN', expires_in })
  return { ...created, reply: { ...created.after, token: secret } }
}

async function insertToken(
  db: Tx,
  { key_id }: Developer,
  actor: Actor,
  { expires_in, ...values }: Pick<UserToken, 'kind' | 'scope' | 'label'> & { expires_in: number },
) {
  await refuseTooMany(db, actor, values.kind)
  const scope = scopeOf(actor)
  const { secret, hash } = newOwnedSecret(values.kind === 'TOKEN' ? 'glu_' : 'gls_', scope)
  const date_expires = new Date(db.now().getTime() + expires_in * 1000).toISOString()
  const { after } = await tokens.insert(db, { ...values, ...scope, key_id, date_last_used: null, date_expires, token_hash: hash })
  return { before: null, after, secret }
}

/** Makes a console session of a user, which acts exactly like a token with scope PLAY, except that its secret is accepted in the cookie only. */
export const insertUserSession = (db: Tx, developer: Developer, actor: Actor, expires_in: number) =>
  insertToken(db, developer, actor, { kind: 'SESSION', scope: 'PLAY', label: null, expires_in })

export async function revokeTokens(db: Tx, { company_id, id }: Actor) {
  const revoked = await db.query<UserToken>(sql`
    DELETE FROM user_tokens WHERE company_id = ${company_id} AND user_id = ${id} AND ${isLive(db)} RETURNING ${tokens.columns}`)
  const sideEvents = revoked.map((before) => ({ type: 'user_token.revoked' as const, before, after: null }))
  return { before: null, after: null, reply: { revoked: revoked.length }, sideEvents }
}

/** Reads the caller of an API key, or of a developer's console session. */
async function developerOf(db: Db, { developer: { key_id }, session }: Caller): Promise<Omit<Me, 'public_url'>> {
  const credential = session
    ? sql`(SELECT s.date_expires, s.developer_id FROM console_sessions s WHERE s.id = ${session.id})`
    : sql`(SELECT k.date_expires, k.developer_id FROM api_keys k WHERE k.id = ${key_id})`
  const [found] = await db.query<Pick<Me, 'developer' | 'date_expires'>>(sql`
    SELECT json_build_object('id', d.id, 'name', d.name, 'is_global_admin', d.is_global_admin) AS developer, c.date_expires
    FROM ${credential} c JOIN developers d ON d.id = c.developer_id`)
  if (!found) return notFound('Key')
  const credentialKind = session ? 'SESSION' : 'KEY'
  return {
    kind: 'DEVELOPER',
    credential: credentialKind,
    ...found,
    company: null,
    user: null,
    key_id,
    token_id: null,
    session_id: session?.id ?? null,
    scope: null,
  }
}

/** Reads the caller of a user token, or of a user's console session. */
async function userOf(db: Db, { developer: { key_id }, session }: Caller, { company_id, id }: Actor, token_id: string) {
  const [found] = await db.query<Pick<Me, 'company' | 'user' | 'scope' | 'date_expires'>>(sql`
    SELECT json_build_object('id', c.id, 'name', c.name) AS company, json_build_object('id', u.id, 'name', u.name, 'role', u.role) AS "user",
      t.scope, t.date_expires
    FROM user_tokens t JOIN companies c ON c.id = ${company_id} JOIN users u ON u.company_id = ${company_id} AND u.id = ${id}
    WHERE t.company_id = ${company_id} AND t.id = ${token_id}`)
  if (!found) return notFound('Token')
  const credential = session ? ('SESSION' as const) : ('TOKEN' as const)
  return { kind: 'USER' as const, credential, developer: null, ...found, key_id, token_id, session_id: session?.id ?? null }
}

export async function getMe(db: Db, caller: Caller, { publicUrl }: Site): Promise<Me> {
  const { actor, token } = caller
  const me = await (token && actor ? userOf(db, caller, actor, token.id) : developerOf(db, caller))
  return { ...me, public_url: publicUrl }
}

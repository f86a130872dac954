import type { Listed } from '../../core/page.ts'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import { newUserToken } from '../../core/user-token.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor, Caller, Developer } from '../../http/caller.ts'
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
async function refuseWithoutGrant(db: Db, company_id: string, { id, is_global_admin }: Developer): Promise<void> {
  if (!is_global_admin) return
  const granted = await db.query(sql`SELECT 1 AS one FROM grants WHERE company_id = ${company_id} AND id = ${id}`)
  if (!granted.length) forbidden({ reason: 'company_access' })
}

/** Locks the user, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(db: Tx, { company_id, id }: Actor): Promise<void> {
  await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM user_tokens WHERE company_id = ${company_id} AND user_id = ${id} AND ${isLive(db)}`)
  if (count >= MAX_TOKENS)
    conflict('too_many_tokens', `The user already has ${MAX_TOKENS} live tokens, which is the maximum. Delete one, or revoke all of them.`)
}

/** The token itself is only in the reply, never in the table or the event. */
export async function createToken(db: Tx, developer: Developer, actor: Actor, { expires_in, ...body }: TokenCreate) {
  const scope = scopeOf(actor)
  await refuseWithoutGrant(db, scope.company_id, developer)
  await refuseTooMany(db, actor)
  const { token, token_hash } = newUserToken(scope)
  const date_expires = new Date(db.now().getTime() + expires_in * 1000).toISOString()
  const { after } = await tokens.insert(db, { ...body, ...scope, key_id: developer.key_id, date_last_used: null, date_expires, token_hash })
  return { before: null, after, reply: { ...after, token } }
}

export async function revokeTokens(db: Tx, { company_id, id }: Actor) {
  const revoked = await db.query<UserToken>(sql`
    DELETE FROM user_tokens WHERE company_id = ${company_id} AND user_id = ${id} AND ${isLive(db)} RETURNING ${tokens.columns}`)
  const sideEvents = revoked.map((before) => ({ type: 'user_token.revoked' as const, before, after: null }))
  return { before: null, after: null, reply: { revoked: revoked.length }, sideEvents }
}

/** Reads the caller of an API key. */
async function developerOf(db: Db, { key_id }: Developer): Promise<Me> {
  const [found] = await db.query<Pick<Me, 'developer' | 'date_expires'>>(sql`
    SELECT json_build_object('id', d.id, 'name', d.name, 'is_global_admin', d.is_global_admin) AS developer, k.date_expires
    FROM api_keys k JOIN developers d ON d.id = k.developer_id WHERE k.id = ${key_id}`)
  if (!found) return notFound('Key')
  return { kind: 'DEVELOPER', ...found, company: null, user: null, key_id, token_id: null, scope: null }
}

/** Reads the caller of a user token. */
async function userOf(db: Db, { key_id }: Developer, { company_id, id }: Actor, token_id: string): Promise<Me> {
  const [found] = await db.query<Pick<Me, 'company' | 'user' | 'scope' | 'date_expires'>>(sql`
    SELECT json_build_object('id', c.id, 'name', c.name) AS company, json_build_object('id', u.id, 'name', u.name, 'role', u.role) AS "user",
      t.scope, t.date_expires
    FROM user_tokens t JOIN companies c ON c.id = ${company_id} JOIN users u ON u.company_id = ${company_id} AND u.id = ${id}
    WHERE t.company_id = ${company_id} AND t.id = ${token_id}`)
  if (!found) return notFound('Token')
  return { kind: 'USER', developer: null, ...found, key_id, token_id }
}

export const getMe = (db: Db, { developer, actor, token }: Caller): Promise<Me> =>
  token && actor ? userOf(db, developer, actor, token.id) : developerOf(db, developer)

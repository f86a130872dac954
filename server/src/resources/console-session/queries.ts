import { newConsoleSecret } from '../../core/console-secret.ts'
import { notFound, unauthorized } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor, Caller, Developer } from '../../http/caller.ts'
import { NO_COOKIE } from '../../http/request/console-cookie.ts'
import { LINK_ENDED } from '../../http/request/identify.ts'
import type { Site } from '../../http/site.ts'
import { spendLink } from '../sign-in-links/queries.ts'
import { deleteToken, getMe, insertUserSession } from '../tokens/queries.ts'
import { SESSION_SECONDS, secondsOf } from './rules.ts'
import { ConsoleSession, type ConsoleSessionCreate, type SignInPreview } from './schema.ts'

const sessions = table('console_sessions', ConsoleSession, {
  noun: 'Console session',
  key: ['id'],
  distribution: 'reference',
})

const expiry = (db: Db, seconds: number) => new Date(db.now().getTime() + seconds * 1000).toISOString()

interface Signed {
  before: null
  after: { id: string }
  secret: string
  maxAgeSeconds: number
}

async function insertSession(db: Tx, { id: developer_id, key_id }: Pick<Developer, 'id' | 'key_id'>): Promise<Signed> {
  const { secret, hash } = newConsoleSecret('gls_')
  const date_expires = expiry(db, SESSION_SECONDS)
  const { after } = await sessions.insert(db, { developer_id, key_id, kind: 'SESSION', date_expires, secret_hash: hash })
  return { before: null, after, secret, maxAgeSeconds: SESSION_SECONDS }
}

/** Turns a link into a session. Of requests at the same time, one finds the link; the others wait for it, and find none. */
async function turnIntoSession(db: Tx, id: string): Promise<Signed> {
  const { secret, hash } = newConsoleSecret('gls_')
  const [after] = await db.query<ConsoleSession>(sql`
    UPDATE console_sessions SET kind = 'SESSION', secret_hash = ${hash}, date_expires = ${expiry(db, SESSION_SECONDS)},
      date_modified = ${db.now()}, version = version + 1
    WHERE id = ${id} AND kind = 'LINK' AND date_expires > ${db.now()} RETURNING ${sessions.columns}`)
  return { before: null, after: after ?? unauthorized(LINK_ENDED), secret, maxAgeSeconds: SESSION_SECONDS }
}

async function beginUserSession(db: Tx, developer: Developer, actor: Actor, link_id: string, seconds: number): Promise<Signed> {
  await spendLink(db, actor, link_id)
  return { ...(await insertUserSession(db, developer, actor, seconds)), maxAgeSeconds: seconds }
}

/** Signs in. The secret of the session is only in the cookie, never in the table, the event or the body of the reply. */
export async function signIn(db: Tx, caller: Caller, body: ConsoleSessionCreate, site: Site) {
  const { developer, token, session, actor } = caller
  const { before, after, secret, maxAgeSeconds } = await (token && actor
    ? beginUserSession(db, developer, actor, token.id, secondsOf(body))
    : session
      ? turnIntoSession(db, session.id)
      : insertSession(db, developer))
  const signedIn = { ...caller, session: { id: after.id }, token: token && { ...token, id: after.id } }
  return { before, after, reply: await getMe(db, signedIn, site), cookie: { secret, maxAgeSeconds } }
}

/** Reads whom a link signs in. The link is not used up. */
export async function previewLink(db: Db, { token, session, actor }: Caller): Promise<SignInPreview> {
  const [found] = await db.query<SignInPreview>(
    token && actor
      ? sql`
        SELECT u.name, c.name AS company_name, l.date_expires
        FROM sign_in_links l JOIN companies c ON c.id = l.company_id JOIN users u ON u.company_id = l.company_id AND u.id = l.user_id
        WHERE l.company_id = ${actor.company_id} AND l.id = ${token.id} AND l.date_expires > ${db.now()}`
      : sql`
        SELECT d.name, NULL AS company_name, s.date_expires FROM console_sessions s JOIN developers d ON d.id = s.developer_id
        WHERE s.id = ${session?.id ?? null} AND s.kind = 'LINK' AND s.date_expires > ${db.now()}`,
  )
  return found ?? unauthorized(LINK_ENDED)
}

/** Ends the caller's session. */
export async function signOut(db: Tx, { developer, token, session }: Caller, owner: Actor | null) {
  const id = (session ?? notFound('Console session')).id
  const removed = token && owner ? await deleteToken(db, owner, id) : await sessions.remove(db, { developer_id: developer.id, id })
  return { ...removed, cookie: NO_COOKIE }
}

/** Makes a link with which a developer signs in once. The code is only in the result, never in the table. */
export async function createConsoleLink(db: Tx, developer: Pick<Developer, 'id' | 'key_id'>, seconds: number) {
  const { secret, hash } = newConsoleSecret('gll_')
  const { id: developer_id, key_id } = developer
  const { after } = await sessions.insert(db, { developer_id, key_id, kind: 'LINK', date_expires: expiry(db, seconds), secret_hash: hash })
  return { link: after, code: secret }
}

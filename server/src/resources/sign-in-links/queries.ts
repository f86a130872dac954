import { newConsoleSecret } from '../../core/console-secret.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, unauthorized } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor, Developer } from '../../http/caller.ts'
import { LINK_ENDED } from '../../http/request/identify.ts'
import type { Site } from '../../http/site.ts'
import { refuseWithoutGrant } from '../tokens/queries.ts'
import { MAX_LINKS, SignInLink } from './schema.ts'

const links = table('sign_in_links', SignInLink, {
  noun: 'Link',
  partOf: { users: 'user_id' },
  indexesAcrossCompanies: ['sign_in_links_by_expiry'],
})

/** The condition that a link works: neither it nor the key that created it has ended. Any other link counts as deleted. */
const isLive = (db: Db) => sql`date_expires > ${db.now()}
  AND EXISTS (SELECT FROM api_keys k WHERE k.id = sign_in_links.key_id AND (k.date_expires IS NULL OR k.date_expires > ${db.now()}))`

const scopeOf = ({ company_id, id }: Actor) => ({ company_id, user_id: id })

export const listLinks = (db: Db, actor: Actor, listed: Listed) => links.list(db, scopeOf(actor), listed, { where: [isLive(db)] })
export const getLink = (db: Db, actor: Actor, id: string) => links.get(db, { ...scopeOf(actor), id }, isLive(db))
export const deleteLink = (db: Tx, actor: Actor, id: string) => links.remove(db, { ...scopeOf(actor), id }, isLive(db))

/** Locks the user, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(db: Tx, { company_id, id }: Actor): Promise<void> {
  await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM sign_in_links WHERE company_id = ${company_id} AND user_id = ${id} AND ${isLive(db)}`)
  if (count >= MAX_LINKS)
    conflict('too_many_links', `The user already has ${MAX_LINKS} sign-in links that work, which is the maximum. Delete one.`)
}

/** The path of the console's page that signs in with a code. Browsers send the fragment to nobody, so the code is in no log and no Referer. */
export const signInPath = (code: string) => `/console/#code=${code}`

/** The code is only in the reply, never in the table or the event. */
export async function createLink(db: Tx, developer: Developer, actor: Actor, expires_in: number, site: Site) {
  await refuseWithoutGrant(db, actor.company_id, developer)
  await refuseTooMany(db, actor)
  const scope = scopeOf(actor)
  const { secret, hash } = newConsoleSecret('gll_', scope)
  const date_expires = new Date(db.now().getTime() + expires_in * 1000).toISOString()
  const { after } = await links.insert(db, { ...scope, key_id: developer.key_id, date_expires, code_hash: hash })
  return { before: null, after, reply: { ...after, url: site.linkTo(signInPath(secret)) } }
}

/** Uses a link up. Of requests at the same time, one finds its row; the others wait for it, and find none. */
export async function spendLink(db: Tx, { company_id }: Actor, id: string): Promise<void> {
  const spent = await db.query(sql`
    DELETE FROM sign_in_links WHERE company_id = ${company_id} AND id = ${id} AND date_expires > ${db.now()} RETURNING id`)
  if (!spent.length) unauthorized(LINK_ENDED)
}

import { Refusal } from '../core/refusal.ts'
import type { Database, Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { createConsoleLink } from '../resources/console-session/queries.ts'
import { signInPath } from '../resources/sign-in-links/queries.ts'

export const CONSOLE_LINK_SECONDS = 900

/** Finds the first global admin: the operator, usually. */
export async function findGlobalAdmin(db: Db): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }>(sql`SELECT id FROM developers WHERE is_global_admin ORDER BY id LIMIT 1`)
  return found?.id
}

/** Finds the key that a session of a developer belongs to: the newest one, and one that was not rotated, if there is any. */
async function findKey(db: Db, developer_id: string): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }>(sql`
    SELECT id FROM api_keys WHERE developer_id = ${developer_id} AND (date_expires IS NULL OR date_expires > ${db.now()})
    ORDER BY date_expires IS NULL DESC, id DESC LIMIT 1`)
  return found?.id
}

/** Creates a link with which a developer signs in to the console once. Whoever opens it first may do everything that the developer may. */
export async function newConsoleLink(db: Database, developer_id: string, base: string, seconds = CONSOLE_LINK_SECONDS) {
  const key_id = await findKey(db, developer_id)
  if (!key_id)
    throw new Refusal(`The developer has no API key, and a session belongs to one. Issue a key first: guildhall keys issue ${developer_id}`)
  return db.transaction(async (tx) => {
    const { link, code } = await createConsoleLink(tx, { id: developer_id, key_id }, seconds)
    const origin = { company_id: developer_id, developer_id: null, user_id: null, request_id: null }
    record(tx, [{ type: 'console_link.created', before: null, after: link }], origin)
    return { url: `${base}${signInPath(code)}`, developer_id, date_expires: link.date_expires }
  })
}

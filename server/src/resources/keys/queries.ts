import { newApiKey } from '../../core/api-key.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { ApiKey, DEFAULT_OVERLAP_SECONDS } from './schema.ts'

const keys = table('api_keys', ApiKey, { noun: 'Key', key: ['id'], distribution: 'reference', partOf: { developers: 'developer_id' } })

/** The condition that a key has not expired. An expired key counts as deleted. */
const isValid = (db: Db) => sql`(date_expires IS NULL OR date_expires > ${db.now()})`

export const listKeys = (db: Db, developer_id: string, listed: Listed) => keys.list(db, { developer_id }, listed, { where: [isValid(db)] })

export const getKey = (db: Db, developer_id: string, id: string) => keys.get(db, { developer_id, id }, isValid(db))

/** The key itself is only in the reply, never in the table or the event. */
export async function storeKey(db: Tx, developer_id: string, { key, ...stored }: ReturnType<typeof newApiKey>) {
  const { after } = await keys.insert(db, { developer_id, ...stored })
  return { before: null, after, reply: { ...after, key } }
}

export const issueKey = (db: Tx, developer_id: string) => storeKey(db, developer_id, newApiKey())

/**
 * Issues a new key and lets the old one expire after the overlap. Locks the row of the old key, so that concurrent rotations issue one key.
 * The event belongs to the old key and names its successor.
 */
export async function rotateKey(db: Tx, developer_id: string, id: string, overlap_seconds = DEFAULT_OVERLAP_SECONDS) {
  const now = db.now().getTime()
  const date_expires = new Date(now + overlap_seconds * 1000).toISOString()
  const { before, after } = await keys.update(db, { developer_id, id }, { date_expires }, (old) => {
    if (old.date_expires && Date.parse(old.date_expires) <= now) notFound('Key')
    if (old.date_expires) conflict('already_rotated', 'This key has already been rotated. Rotate your newest key instead.')
  })
  const { reply } = await issueKey(db, developer_id)
  return { before, after: { ...(after as ApiKey), successor_id: reply.id }, reply }
}

export const revokeKey = (db: Tx, developer_id: string, id: string) => keys.remove(db, { developer_id, id }, isValid(db))

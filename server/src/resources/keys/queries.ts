import { newApiKey } from '../../core/api-key.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { ApiKey } from './schema.ts'

const keys = table('api_keys', ApiKey, { noun: 'Key', key: ['id'], distribution: 'reference', partOf: { developers: 'developer_id' } })

/** A key past its overlap is gone for everybody. */
const working = (db: Db) => sql`(date_expires IS NULL OR date_expires > ${db.now()})`

export const listKeys = (db: Db, developer_id: string, listed: Listed) => keys.list(db, { developer_id }, listed, { where: [working(db)] })

export const getKey = (db: Db, developer_id: string, id: string) => keys.get(db, { developer_id, id }, working(db))

/** The reply carries the key; what is stored, and what the event tells, does not. */
export async function storeKey(db: Tx, developer_id: string, { key, ...stored }: ReturnType<typeof newApiKey>) {
  const { after } = await keys.insert(db, { developer_id, ...stored })
  return { before: null, after, reply: { ...after, key } }
}

export const issueKey = (db: Tx, developer_id: string) => storeKey(db, developer_id, newApiKey())

/**
 * A new key beside the old one, which works on for the overlap. Twice at once makes one: the old key's row is the lock.
 * The event is the old key's, and names its successor.
 */
export async function rotateKey(db: Tx, developer_id: string, id: string, overlap_seconds = 3600) {
  const now = db.now().getTime()
  const date_expires = new Date(now + overlap_seconds * 1000).toISOString()
  const { before, after } = await keys.update(db, { developer_id, id }, { date_expires }, (old) => {
    if (old.date_expires && Date.parse(old.date_expires) <= now) notFound('Key')
    if (old.date_expires) conflict('already_rotated', 'This key was rotated already: rotate the newest of your keys.')
  })
  const { reply } = await issueKey(db, developer_id)
  return { before, after: { ...(after as ApiKey), successor_id: reply.id }, reply }
}

export const revokeKey = (db: Tx, developer_id: string, id: string) => keys.remove(db, { developer_id, id }, working(db))

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { conflict, Problem } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Answer } from './answer.ts'
import type { IdempotencyKey, StoredReply } from './session-state.ts'

declareTable('idempotency_keys', undefined, {
  key: ['company_id', 'developer_id', 'key_hash'],
  indexesAcrossCompanies: ['idempotency_keys_by_age'],
})

/** A request with an Idempotency-Key. Company, developer and hash identify its stored reply; `company_id` is the developer's id if the path names no company. */
export interface Claim extends IdempotencyKey {
  company_id: string
  developer_id: string
  body_hash: Buffer
  secret: boolean
}

const LIFETIME_MS = 60 * 60 * 1000
const LOCK_TIMEOUT = '55P03'
const NOT_NULL = '23502'

/** Columns and join that find the reply stored for a key, unless it has expired. */
export const storedReplyFor = (company_id: Sql, developer_id: Sql, key_hash: Buffer, now: Date) => ({
  columns: sql`, i.body_hash, i.status, i.body, i.etag, i.location, i.standing`,
  join: sql`LEFT JOIN idempotency_keys i ON i.company_id = ${company_id} AND i.developer_id = ${developer_id}
    AND i.key_hash = ${key_hash} AND i.date_created > ${new Date(now.getTime() - LIFETIME_MS)}`,
})

export async function lookUpReply(
  db: Db,
  { company_id, developer_id, key_hash }: Pick<Claim, 'company_id' | 'developer_id' | 'key_hash'>,
): Promise<StoredReply | null> {
  const { columns, join } = storedReplyFor(sql`${company_id}`, sql`${developer_id}`, key_hash, db.now())
  const [stored] = await db.query<StoredReply>(sql`SELECT 1 AS one${columns} FROM (SELECT 1) one ${join}`)
  return stored?.body_hash ? stored : null
}

export const isInProgress = (error: unknown) => error instanceof Problem && error.code === 'idempotency_in_progress'
export const inProgress = () =>
  conflict('idempotency_in_progress', 'A request with this Idempotency-Key is still running. Retry after the time in Retry-After.', {
    retry_after: 1,
  })

/** A reply is already stored for this key: by another process, or by a transaction of this one whose COMMIT got no answer. */
export class KeyTaken extends Error {}

/** Claims the key in the transaction of the work, before the work. A duplicate request in another process waits here, on the unique index. */
export function claimKey(tx: Tx, { company_id, developer_id, key_hash, body_hash }: Claim): void {
  const now = tx.now()
  const expired = sql`idempotency_keys.date_created <= ${new Date(now.getTime() - LIFETIME_MS)}`
  // A live key must not be overwritten: the CASE yields NULL, which violates NOT NULL (23502) and aborts the transaction.
  tx.send(
    sql`
      INSERT INTO idempotency_keys (company_id, developer_id, key_hash, body_hash, date_created)
      VALUES (${company_id}, ${developer_id}, ${key_hash}, ${body_hash}, ${now})
      ON CONFLICT (company_id, developer_id, key_hash) DO UPDATE
        SET body_hash = EXCLUDED.body_hash, standing = NULL, status = NULL, body = NULL, etag = NULL, location = NULL,
          date_created = CASE WHEN ${expired} THEN EXCLUDED.date_created END`,
    ({ code, column }) => {
      if (code === LOCK_TIMEOUT) inProgress()
      if (code === NOT_NULL && column === 'date_created') throw new KeyTaken()
    },
  )
}

/** Stores the reply in the transaction of the work, with the caller's standing after it: all of it is committed, or nothing. */
export function storeReply(tx: Tx, claim: Claim, { status, body, etag, location }: Answer, standing: Sql): void {
  const bytes = body === null ? null : claim.secret ? encrypt(claim, Buffer.from(body)) : Buffer.from(body)
  tx.send(sql`
    UPDATE idempotency_keys
    SET status = ${status}, body = ${bytes}, etag = ${etag ?? null}, location = ${location ?? null}, standing = ${standing}, date_created = ${tx.now()}
    WHERE company_id = ${claim.company_id} AND developer_id = ${claim.developer_id} AND key_hash = ${claim.key_hash}`)
}

const MAX_QUOTED_CHARACTERS = 100
const quotable = (key: string) => (key.length > MAX_QUOTED_CHARACTERS ? `${key.slice(0, MAX_QUOTED_CHARACTERS)}…` : key)

export function replay(claim: Claim, { body_hash, status, body, etag, location, standing }: StoredReply): Answer {
  if (!body_hash.equals(claim.body_hash)) {
    conflict(
      'idempotency_key_reused',
      `Idempotency key '${quotable(claim.key)}' was previously used with a different request body. Each unique request must use a unique idempotency key.`,
    )
  }
  const bytes = body && claim.secret ? decrypt(claim, body) : body
  return { status, body: bytes, etag: etag ?? undefined, location: location ?? undefined, replayed: { standing } }
}

// A reply with a secret is encrypted with the raw Idempotency-Key, which is not stored: only the client that sends it again can read the reply.
const secretKey = ({ key, key_hash }: Claim) => Buffer.from(hkdfSync('sha256', key, key_hash, 'guildhall kept reply', 32))

function encrypt(claim: Claim, text: Buffer): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretKey(claim), iv)
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

function decrypt(claim: Claim, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secretKey(claim), bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}

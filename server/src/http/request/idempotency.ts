import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { canonical } from '../../core/json.ts'
import { conflict, Problem } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { OutcomeUnknown } from '../../db/driver/connection-errors.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Answer } from './answer.ts'

declareTable('idempotency_keys', undefined, {
  key: ['company_id', 'developer_id', 'key_hash'],
  indexesAcrossCompanies: ['idempotency_keys_by_age'],
})

/** A kept reply, as it lies in the table. */
export interface Kept {
  body_hash: Buffer
  status: number
  body: Buffer | null
  etag: string | null
  location: string | null
  /** Fingerprint of the caller right after the work; null in rows of earlier versions. */
  standing: Buffer | null
}

/** An Idempotency-Key, and what it is looked up by. */
export interface Once {
  key: string
  key_hash: Buffer
  /** Whether the header was sent more than once: then this key is none that the client sent. */
  repeated?: boolean
}

/** One keyed request: where its reply is kept, and what may unlock it. */
export interface Claim extends Once {
  company_id: string
  developer_id: string
  body_hash: Buffer
  secret: boolean
}

const LIFETIME = 60 * 60 * 1000
const PATIENCE = 5000
const TRIES = 3
const LOCK_TIMEOUT = '55P03'
const NOT_NULL = '23502'

const sha256 = (text: string) => hash('sha256', text, 'buffer')

/** A key's scope is the developer, the acting user, the method and the path. */
export function onceOf(header: string, actor_id: string | null | undefined, method: string, path: string): Once {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return { key, key_hash: sha256(JSON.stringify([actor_id ?? null, method, path, key])) }
}

/** Two callers of the same fingerprint have the same rights on the same path. */
export const standingOf = ({ seal }: { seal: string }) => sha256(seal)

export const bodyHash = (body: unknown) => sha256(canonical(body === undefined ? {} : body))

/** Where a reply kept for a key is found, if it is not too old. */
export const keptFor = (company_id: Sql, developer_id: Sql, key_hash: Buffer, now: Date) => ({
  columns: sql`, i.body_hash, i.status, i.body, i.etag, i.location, i.standing`,
  join: sql`LEFT JOIN idempotency_keys i ON i.company_id = ${company_id} AND i.developer_id = ${developer_id}
    AND i.key_hash = ${key_hash} AND i.date_created > ${new Date(now.getTime() - LIFETIME)}`,
})

async function lookUp(db: Db, { company_id, developer_id, key_hash }: Claim): Promise<Kept | null> {
  const { columns, join } = keptFor(sql`${company_id}`, sql`${developer_id}`, key_hash, db.now())
  const [kept] = await db.query<Kept>(sql`SELECT 1 AS one${columns} FROM (SELECT 1) one ${join}`)
  return kept?.body_hash ? kept : null
}

export const isInProgress = (error: unknown) => error instanceof Problem && error.code === 'idempotency_in_progress'
const inProgress = () =>
  conflict('idempotency_in_progress', 'A request with this Idempotency-Key is still running: try again in a moment.', { retry_after: 1 })

/** Another process has answered this key since we looked. */
class Taken extends Error {}

/** Takes the key inside the transaction of the work, ahead of it. A twin in another process waits here, on the unique index. */
export function claim(tx: Tx, { company_id, developer_id, key_hash, body_hash }: Claim): void {
  const now = tx.now()
  const expired = sql`idempotency_keys.date_created <= ${new Date(now.getTime() - LIFETIME)}`
  // One that is not expired cannot be taken: it would lose its date, which it must have.
  tx.send(
    sql`
      INSERT INTO idempotency_keys (company_id, developer_id, key_hash, body_hash, date_created)
      VALUES (${company_id}, ${developer_id}, ${key_hash}, ${body_hash}, ${now})
      ON CONFLICT (company_id, developer_id, key_hash) DO UPDATE
        SET body_hash = EXCLUDED.body_hash, standing = NULL, status = NULL, body = NULL, etag = NULL, location = NULL,
          date_created = CASE WHEN ${expired} THEN EXCLUDED.date_created END`,
    ({ code, column }) => {
      if (code === LOCK_TIMEOUT) inProgress()
      if (code === NOT_NULL && column === 'date_created') throw new Taken()
    },
  )
}

/** Keeps the reply with the work it answers, and the caller's standing after it: all of it is committed, or nothing. */
export function keep(tx: Tx, claim: Claim, { status, body, etag, location }: Answer, standing: Sql): void {
  const bytes = body === null ? null : claim.secret ? lock(claim, Buffer.from(body)) : Buffer.from(body)
  tx.send(sql`
    UPDATE idempotency_keys
    SET status = ${status}, body = ${bytes}, etag = ${etag ?? null}, location = ${location ?? null}, standing = ${standing}, date_created = ${tx.now()}
    WHERE company_id = ${claim.company_id} AND developer_id = ${claim.developer_id} AND key_hash = ${claim.key_hash}`)
}

const MAX_QUOTED_CHARACTERS = 100
const quotable = (key: string) => (key.length > MAX_QUOTED_CHARACTERS ? `${key.slice(0, MAX_QUOTED_CHARACTERS)}…` : key)

function replay(claim: Claim, { body_hash, status, body, etag, location, standing }: Kept): Answer {
  if (!body_hash.equals(claim.body_hash)) {
    conflict(
      'idempotency_key_reused',
      `Idempotency key '${quotable(claim.key)}' was previously used with a different request body. Each unique request must use a unique idempotency key.`,
    )
  }
  const bytes = body && claim.secret ? unlock(claim, body) : body
  return { status, body: bytes, etag: etag ?? undefined, location: location ?? undefined, replayed: { standing } }
}

// A reply that carries a secret can be read only by who sends the key again: the raw key is not stored.
const secretKey = ({ key, key_hash }: Claim) => Buffer.from(hkdfSync('sha256', key, key_hash, 'guildhall kept reply', 32))

function lock(claim: Claim, text: Buffer): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretKey(claim), iv)
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

function unlock(claim: Claim, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secretKey(claim), bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}

const within = (work: Promise<unknown>, milliseconds: number) =>
  new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, milliseconds))
    const done = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })

/**
 * Runs the work of a keyed request once. Twins in this process wait for the first on a promise, holding no connection;
 * when it has failed, the next of them tries.
 */
export function twins(db: Db) {
  const running = new Map<string, Promise<Answer>>()

  return async function once(claim: Claim, kept: Kept | null, work: () => Promise<Answer>): Promise<Answer> {
    const name = `${claim.company_id} ${claim.developer_id} ${claim.key_hash.toString('base64')}`
    const deadline = Date.now() + PATIENCE
    let failure: unknown
    for (let seen = kept, tries = 0; ; seen = await lookUp(db, claim)) {
      if (seen) return replay(claim, seen)
      if (tries === TRIES) throw failure instanceof Taken ? inProgress() : failure
      const twin = running.get(name)
      if (twin) {
        if (!(await within(twin, deadline - Date.now()))) inProgress()
        continue
      }
      const mine = work()
      running.set(name, mine)
      try {
        return await mine
      } catch (error) {
        // Answered elsewhere meanwhile, or our COMMIT got lost: the table knows, on another connection.
        if (!(error instanceof Taken || error instanceof OutcomeUnknown)) throw error
        failure = error
        tries++
      } finally {
        running.delete(name)
      }
    }
  }
}

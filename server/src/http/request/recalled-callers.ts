import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { DatabaseBusy } from '../../db/driver/connection-errors.ts'
import { sql } from '../../db/sql.ts'
import { type Identity, stillHolds } from './identify.ts'

/**
 * Who callers were the last time. It is never more than a guess: whoever uses it asks the database whether all of it still holds, a
 * read in its own snapshot, a write in its own transaction, and otherwise begins again without it. So a role or a key that changed is never served,
 * and who calls again and again is not asked for alone.
 */
export interface Memory {
  recall(request: FastifyRequest): Identity | undefined
  /** Whether this process has seen the request's Idempotency-Key before; from now on it has. */
  hasSeenKey(request: FastifyRequest): boolean
  remember(request: FastifyRequest): void
  /** What did not hold is not guessed again. */
  forget(request: FastifyRequest): void
  /** The developer a key belonged to when it was last seen, for what needs no proof: the order of turns. */
  developerOf(keyHash: Buffer): string | undefined
  /** Forgets the developer of a key that is not valid. */
  forgetKey(keyHash: Buffer): void
}

const MOST = 5000
const MOST_KEYS = 10_000

const nameOf = ({ visit: { company_id, actor_id, places }, keyHash }: FastifyRequest) =>
  `${keyHash.toString('base64')} ${company_id} ${actor_id} ${places ? places.map(({ place, id }) => `${place.name} ${id}`).join(' ') : ''}`

export function memory(most = MOST): Memory {
  const known = new Map<string, Identity>()
  const keys = new Map<string, true>()
  const developers = new Map<string, string>()
  return {
    recall: (request) => known.get(nameOf(request)),
    hasSeenKey: (request) => {
      if (!request.visit.once) return false
      const key = keyOf(request)
      const isKnown = keys.has(key)
      add(keys, key, true, MOST_KEYS)
      return isKnown
    },
    remember: (request) => {
      add(known, nameOf(request), { ...request.identity, kept: null }, most)
      add(developers, request.keyHash.toString('base64'), request.identity.developer.id, most)
    },
    forget: (request) => void known.delete(nameOf(request)),
    forgetKey: (keyHash) => void developers.delete(keyHash.toString('base64')),
    developerOf: (keyHash) => developers.get(keyHash.toString('base64')),
  }
}

/** The oldest goes, and has to be asked for again. */
function add<T>(to: Map<string, T>, name: string, value: T, most: number): void {
  to.delete(name)
  if (to.size >= most) to.delete(to.keys().next().value as string)
  to.set(name, value)
}

const keyOf = ({ visit: { once } }: FastifyRequest) => once?.key_hash.toString('base64') as string

/** The same database for work that relies on a guess: what it reads is there only if the guess holds. */
export function onGuess(db: Db, request: FastifyRequest): { db: Db; holds(): boolean; doubtful(): boolean } {
  let [asked, empty] = [0, 0]
  const query = async <Row>(asks: Parameters<Db['query']>[0]): Promise<Row[]> => {
    const rows = await db.query<Row>(sql`SELECT * FROM (${asks}) found WHERE ${stillHolds(request, request.identity, db.now())}`)
    asked++
    // Nothing was found, or it does not hold: which of them is for others to find out.
    if (rows.length === 0) empty++
    return rows
  }
  return { db: { query, now: db.now, newId: db.newId }, holds: () => asked > 0 && empty === 0, doubtful: () => empty > 0 }
}

/** Thrown when the caller is no longer what they were when the request was authorized: nothing was written. */
export class CallerChanged extends DatabaseBusy {}

/**
 * Makes the transaction fail if the caller's key, permission, role or path resources changed since they were looked up. Between
 * that moment and the write lie the arrival of the body and the waits for a turn, a connection and a lock.
 */
export const confirm = (tx: Tx, request: FastifyRequest) =>
  demand(tx, stillHolds(request, request.identity, tx.now()), () => {
    throw new CallerChanged()
  })

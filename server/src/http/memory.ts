import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { type Identity, stillHolds } from './identify.ts'

/**
 * Who callers were the last time. It is never more than a guess: whoever uses it asks the database, in the snapshot of the work
 * itself, whether all of it still holds, and otherwise begins again without it. So a role or a key that changed is never served,
 * and who calls again and again is not asked for alone.
 */
export interface Memory {
  recall(request: FastifyRequest): Identity | undefined
  remember(request: FastifyRequest): void
  /** What did not hold is not guessed again. */
  forget(request: FastifyRequest): void
}

const MOST = 5000

const nameOf = ({ visit: { company_id, actor_id, places }, keyHash }: FastifyRequest) =>
  `${keyHash.toString('base64')} ${company_id} ${actor_id} ${places ? places.map(({ place, id }) => `${place.name} ${id}`).join(' ') : ''}`

export function memory(most = MOST): Memory {
  const known = new Map<string, Identity>()
  return {
    // What is kept for an Idempotency-Key is not guessed.
    recall: (request) => (request.visit.once ? undefined : known.get(nameOf(request))),
    remember: (request) => {
      if (request.visit.once) return
      const name = nameOf(request)
      known.delete(name)
      // The oldest goes, and has to be asked for again.
      if (known.size >= most) known.delete(known.keys().next().value as string)
      known.set(name, request.identity)
    },
    forget: (request) => void known.delete(nameOf(request)),
  }
}

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

/** Asks the same ahead of a write, which waits for the answer only before it is committed. */
export function confirm(tx: Tx, request: FastifyRequest): () => Promise<boolean> {
  const answer = tx.query(sql`SELECT 1 AS one WHERE ${stillHolds(request, request.identity, tx.now())}`)
  answer.catch(() => {})
  return async () => (await answer).length > 0
}

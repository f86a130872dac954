import type { FastifyRequest } from 'fastify'
import { canonical } from '../../core/json.ts'
import { invalid } from '../../core/problem.ts'
import type { Database, Tx } from '../../db/client.ts'
import { OutcomeUnknown } from '../../db/driver/connection-errors.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Plan } from '../plan.ts'
import type { Answer } from './answer.ts'
import { repeatedFault } from './headers.ts'
import { sha256Of } from './idempotency-key.ts'
import { currentFingerprint } from './identify.ts'
import type { IdempotencyKey, SessionState, StoredReply } from './session-state.ts'
import { type Claim, inProgress, KeyTaken, lookUpReply, replay } from './stored-replies.ts'
import { tenantOf } from './target.ts'

const MAX_ATTEMPTS = 3
/** The maximum number of duplicates of one developer that wait without a turn. */
export const MAX_WAITING_DUPLICATES = 300

/** The hash of a caller's fingerprint: callers with the same one have the same rights on the same path. */
export const standingOf = ({ fingerprint }: { fingerprint: string }) => sha256Of(fingerprint)

const bodyHash = (body: unknown) => sha256Of(canonical(body === undefined ? {} : body))

const isValid = ({ key, isSentTwice }: IdempotencyKey) => key !== '' && !isSentTwice

/** The claim of a request with an Idempotency-Key, on its body as it was sent. */
export function claimOf({ secret }: Plan, { session, body }: FastifyRequest): Claim {
  const idempotency = session.target.idempotency as IdempotencyKey
  if (idempotency.isSentTwice) invalid([repeatedFault('Idempotency-Key')])
  if (idempotency.key === '') invalid([{ field: 'Idempotency-Key', message: 'must not be empty' }])
  const developer_id = session.caller.developer.id
  return { ...idempotency, company_id: tenantOf(session), developer_id, body_hash: bodyHash(body), secret: secret ?? false }
}

/** The caller's standing after the work. A POST takes no right from its caller; after a PUT or PATCH the database is asked. */
export const standingAfter = ({ method }: Plan, session: SessionState, tx: Tx): Sql =>
  method === 'POST' ? sql`${standingOf(session.identity)}` : sql`sha256(convert_to(${currentFingerprint(session, tx.now())}, 'UTF8'))`

/** Resolves to false if the work does not settle in time. */
const settlesWithin = (work: Promise<unknown>, milliseconds: number) =>
  new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, milliseconds))
    const done = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })

const nameOf = ({ company_id, developer_id, key_hash }: Pick<Claim, 'company_id' | 'developer_id' | 'key_hash'>) =>
  `${company_id} ${developer_id} ${key_hash.toString('base64')}`

/**
 * Runs the work of requests with an Idempotency-Key once. Duplicate requests in this process wait for the first one on a promise, holding no connection;
 * if it fails, the next one tries.
 */
export class IdempotentRequests {
  readonly #db: Database
  readonly #running = new Map<string, Promise<Answer>>()
  readonly #waitingOf = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Lets a request wait, before it takes a turn, while another one with the same key runs in this process. */
  async waitForDuplicate(session: SessionState): Promise<void> {
    const idempotency = session.target.idempotency as IdempotencyKey
    if (!isValid(idempotency)) return
    const { id: developer_id } = session.caller.developer
    const name = nameOf({ ...idempotency, company_id: tenantOf(session), developer_id })
    const deadline = Date.now() + this.#db.maxWaitMs
    // If the first fails, one of those that waited runs, and the others wait for that one.
    for (let duplicate = this.#running.get(name); duplicate; duplicate = this.#running.get(name)) {
      const waiting = this.#waitingOf.get(developer_id) ?? 0
      if (waiting >= MAX_WAITING_DUPLICATES) inProgress()
      this.#waitingOf.set(developer_id, waiting + 1)
      const isSettled = await settlesWithin(duplicate, deadline - Date.now())
      const left = (this.#waitingOf.get(developer_id) as number) - 1
      if (left > 0) this.#waitingOf.set(developer_id, left)
      else this.#waitingOf.delete(developer_id)
      if (!isSettled) inProgress()
    }
  }

  async run(claim: Claim, stored: StoredReply | null, work: () => Promise<Answer>): Promise<Answer> {
    const name = nameOf(claim)
    const deadline = Date.now() + this.#db.maxWaitMs
    let failure: unknown
    let attempts = 0
    for (let known = stored; ; known = await lookUpReply(this.#db, claim)) {
      if (known) return replay(claim, known)
      if (attempts === MAX_ATTEMPTS) {
        if (failure instanceof KeyTaken) inProgress()
        throw failure
      }
      const duplicate = this.#running.get(name)
      if (duplicate) {
        if (!(await settlesWithin(duplicate, deadline - Date.now()))) inProgress()
        continue
      }
      const answer = work()
      this.#running.set(name, answer)
      try {
        return await answer
      } catch (error) {
        // Another process has answered, or our COMMIT was lost: the table shows which, on another connection.
        if (!(error instanceof KeyTaken || error instanceof OutcomeUnknown)) throw error
        failure = error
        attempts++
      } finally {
        this.#running.delete(name)
      }
    }
  }
}

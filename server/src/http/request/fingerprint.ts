import { assertInTransaction } from '../../db/assert-in-transaction.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { currentFingerprint } from './identify.ts'
import type { SessionState } from './session-state.ts'

/** The caller is not, or may not be, what they were when they were identified. Nothing was written, and the work is attempted again. */
export class CallerChanged extends Error {}

/** Syntax error and feature not supported: the statement cannot be a subquery. */
const UNPLANNABLE = new Set(['42601', '0A000'])

const matches = (session: SessionState, now: Date) => sql`${currentFingerprint(session, now)} = ${session.identity.fingerprint}`

/**
 * Runs a read for a recalled caller. Each statement returns its rows only if the caller's fingerprint is still the same in the snapshot of that
 * statement. If one returns no row, either there is none or the caller changed; and a read without a statement checks nothing. Then the read is repeated for the
 * confirmed caller.
 * A subquery keeps its order here, because the outer query neither joins nor sorts; a test verifies this.
 */
export async function readGuarded<T>(session: SessionState, db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  let [statements, withoutRows] = [0, 0]
  const query = async <Row>(statement: Parameters<Db['query']>[0]): Promise<Row[]> => {
    const rows = await db.query<Row>(sql`SELECT * FROM (${statement}) found WHERE ${matches(session, db.now())}`)
    statements++
    if (rows.length === 0) withoutRows++
    return rows
  }
  let result: T
  try {
    result = await read({ query, now: db.now, newId: db.newId })
  } catch (error) {
    const isDoubtful = withoutRows > 0 || UNPLANNABLE.has((error as { code?: string }).code ?? '')
    throw isDoubtful ? new CallerChanged('The caller was not checked', { cause: error }) : error
  }
  if (statements === 0 || withoutRows > 0) throw new CallerChanged('The caller was not confirmed')
  return result
}

/**
 * Makes the transaction fail if the caller's key, permission, role or path resources changed since they were identified. In between lie the
 * arrival of the body and the waits for a turn, a connection and a lock.
 */
export const assertFingerprint = (session: SessionState, tx: Tx) =>
  assertInTransaction(tx, matches(session, tx.now()), () => {
    throw new CallerChanged()
  })

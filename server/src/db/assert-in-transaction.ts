import type { Tx } from './client.ts'
import { type Sql, sql } from './sql.ts'

const DIVISION_BY_ZERO = '22012'

/**
 * Fails the transaction unless the condition holds. The statement is sent without waiting for its answer: it travels with the work, which is
 * rolled back if it fails. SQL has no statement that fails on a condition, so this one divides by it. `refuse` throws the error to report.
 */
export function assertInTransaction(tx: Tx, condition: Sql, refuse: () => never): void {
  tx.send(sql`SELECT 1 / coalesce(${condition}, false)::integer AS one`, ({ code }) => {
    if (code === DIVISION_BY_ZERO) refuse()
  })
}

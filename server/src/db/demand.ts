import type { Tx } from './client.ts'
import { type Sql, sql } from './sql.ts'

const DIVISION_BY_ZERO = '22012'

/**
 * Lets the transaction fail unless something is so. Nobody waits for it: it travels with the work, which is
 * undone. SQL has no statement that fails on a condition; dividing by it does.
 */
export function demand(tx: Tx, so: Sql, refuse: () => never): void {
  tx.send(sql`SELECT 1 / coalesce(${so}, false)::integer AS one`, ({ code }) => {
    if (code === DIVISION_BY_ZERO) refuse()
  })
}

import type { Tx } from './client.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Runs a statement together with others: `run` puts the given prefix in front of its statement. PostgreSQL gets all of them as one statement. Citus runs the parts
 * of a statement one after the other and checks the references of each at once, so there the others follow, without waiting for an answer.
 */
export function together<T>(tx: Tx, others: Sql[], run: (prefix: Sql) => T): T {
  if (!tx.isDistributed) return run(sql.with(others))
  const result = run(sql``)
  for (const other of others) tx.send(other)
  return result
}

/** Returns a subquery to use as a value in an insert or update. Citus allows none there, so it is run first and its value is used. */
export async function asValue(tx: Tx, subquery: Sql): Promise<unknown> {
  if (!tx.isDistributed) return sql`(${subquery})`
  const [row] = await tx.query<{ value: unknown }>(sql`SELECT value::text FROM (${subquery}) AS found (value)`)
  return row?.value ?? null
}

import type { Tx } from './client.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Rows to insert, given as columns: as arrays, so that their number does not change the statement, or, for Citus, as values. A column of arrays has them as texts,
 * because arrays of different lengths cannot be in one array.
 */
export function rowsOf(tx: Tx, types: readonly string[], columns: unknown[][]): Sql {
  const [first = []] = columns
  const listed = (piece: (type: string, i: number) => Sql) => sql.join(types.map(piece), ', ')
  if (tx.isDistributed) {
    const rows = first.map((_, row) => sql`(${listed((type, i) => sql`${columns[i]?.[row]}::${sql.raw(type)}`)})`)
    return sql`VALUES ${sql.join(rows, ', ')}`
  }
  const isArray = (type: string) => type.endsWith('[]')
  const elements = listed((type, i) => sql`${columns[i]}::${sql.raw(isArray(type) ? 'text[]' : `${type}[]`)}`)
  if (!types.some(isArray)) return sql`SELECT * FROM unnest(${elements})`
  const names = types.map((_, i) => sql.id(`c${i}`))
  return sql`SELECT ${listed((type, i) => sql`${names[i]}::${sql.raw(type)}`)} FROM unnest(${elements}) AS given (${sql.join(names, ', ')})`
}

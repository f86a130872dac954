import type pg from 'pg'
import { knowsIdentities } from '../core/access.ts'
import { Problem } from '../core/problem.ts'
import type { Db } from './client.ts'
import { type Sql, sql } from './sql.ts'
import { and, type TableSpec } from './table-spec.ts'

const UNIQUE_VIOLATION = '23505'

/** The problem of a value that another row has. `holder` selects the id of that row, as far as the writer may see it. */
export class Duplicate extends Problem {
  readonly holder: Sql
  /** The value is an external id, which may belong to a row of another campaign. */
  readonly isExternal: boolean
  constructor(message: string, holder: Sql, isExternal: boolean) {
    super(409, 'duplicate', message)
    this.holder = holder
    this.isExternal = isExternal
  }
}

/**
 * Explains an error that is a violated unique index of a table. `rowOf` returns the values that were written, and `conditions` select the rows that
 * the writer may see.
 */
export function refuseDuplicate(
  { conflicts, from }: TableSpec,
  { code, constraint }: Pick<pg.DatabaseError, 'code' | 'constraint'>,
  rowOf: () => Record<string, unknown>,
  conditions: Sql[],
): void {
  const index = code === UNIQUE_VIOLATION && conflicts[constraint ?? '']
  if (!index) return
  const row = rowOf()
  const equal = ['company_id', ...index.columns].map((column) => sql`${sql.id(column)} = ${row[column]}`)
  throw new Duplicate(
    index.message,
    sql`SELECT id FROM ${from} WHERE ${and([...equal, sql`date_archived IS NULL`, ...conditions])} LIMIT 1`,
    index.columns.includes('external_id'),
  )
}

/**
 * Adds the id of the row that has the value to a duplicate. The transaction that found it has failed, so this is a read of its own. A user who
 * may not write external ids can still meet one in a restore, and the row that has it may be in a campaign that they do not see.
 */
export async function withHolder(db: Db, error: unknown, caller: Parameters<typeof knowsIdentities>[0]): Promise<unknown> {
  if (!(error instanceof Duplicate) || (error.isExternal && !knowsIdentities(caller))) return error
  const [holder] = await db.query<{ id: string }>(error.holder).catch(() => [])
  return holder ? new Problem(409, 'duplicate', error.message, { id: holder.id }) : error
}

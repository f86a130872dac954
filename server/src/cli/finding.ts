import type { Sql } from '../db/sql.ts'

/** The result of one check. */
export interface Finding {
  check: string
  state: 'good' | 'warning' | 'wrong'
  found: string
  /** The instruction to fix the problem. */
  remedy?: string
}

export const good = (check: string, found: string): Finding => ({ check, state: 'good', found })
export const warning = (check: string, found: string, remedy: string): Finding => ({ check, state: 'warning', found, remedy })
export const wrong = (check: string, found: string, remedy: string): Finding => ({ check, state: 'wrong', found, remedy })

/** Runs a statement of a check. */
export type Query = <Row>(query: string | Sql) => Promise<Row[]>

import { sql } from '../../db/sql.ts'
import type { Place } from '../../http/operation.ts'
import type { Company } from './schema.ts'

/** What the company decides for its games; every path in a company leads through it. */
export const settings: Place<'settings', Company['settings']> = {
  name: 'settings',
  of: 'company_id',
  join: () => sql``,
  row: sql`c.settings`,
}

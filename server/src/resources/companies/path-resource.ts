import { sql } from '../../db/sql.ts'
import { jsonOf, type PathResource } from '../../http/path.ts'
import type { Company } from './schema.ts'

/** The settings of the path's company, for rules that depend on them. */
export const settings: PathResource<'settings', Company['settings']> = {
  name: 'settings',
  param: 'company_id',
  ofCompany: true,
  join: () => sql``,
  row: jsonOf(sql`c.settings`),
}

import { sql } from '../../db/sql.ts'
import { COMPANY, jsonOf, pathResource } from '../../http/path.ts'

/** A ruleset whose versions a path leads to. */
export const ruleset = pathResource(COMPANY, 'rulesets', {
  name: 'ruleset',
  ofCompany: true,
  table: 'rulesets',
  join: (id, company_id) => sql`LEFT JOIN rulesets ruleset ON ruleset.company_id = ${company_id} AND ruleset.id = ${id}`,
  row: jsonOf<{ id: string }>(sql`CASE WHEN ruleset.id IS NOT NULL
    THEN json_build_object('id', ruleset.id, 'archived', ruleset.date_archived IS NOT NULL) END`),
})

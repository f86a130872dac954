import { declareInvariant } from '../../db/invariants.ts'
import { sql } from '../../db/sql.ts'

declareInvariant({
  check: 'rulesets',
  violations: () => sql`
    SELECT r.company_id, r.id FROM rulesets r
      LEFT JOIN ruleset_versions p ON p.company_id = r.company_id AND p.id = r.published_version_id
      LEFT JOIN ruleset_versions d ON d.company_id = r.company_id AND d.id = r.draft_version_id
    WHERE (r.published_version_id IS NOT NULL AND (p.ruleset_id IS DISTINCT FROM r.id OR p.status <> 'PUBLISHED'))
      OR (r.draft_version_id IS NOT NULL AND (d.ruleset_id IS DISTINCT FROM r.id OR d.status <> 'DRAFT'))
    UNION ALL
    SELECT c.company_id, c.id FROM campaigns c JOIN ruleset_versions v ON v.company_id = c.company_id AND v.id = c.ruleset_version_id
    WHERE v.status = 'DRAFT' OR NOT v.used
    UNION ALL
    SELECT v.company_id, v.id FROM ruleset_versions v LEFT JOIN ruleset_documents t ON t.company_id = v.company_id AND t.id = v.id
    WHERE t.ruleset_id IS DISTINCT FROM v.ruleset_id`,
  holds: 'every ruleset has its versions, every version its document, and every campaign a version that was published',
})

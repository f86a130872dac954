import { declareInvariant } from '../../db/invariants.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** Finds the balances in a table that differ from the sum of their entries, in the campaigns whose experience belongs to such holders. Entries of 0 need no balance. */
const mismatches = (table: Sql, holder: Sql, experience_per: Sql) => sql`
  SELECT company_id, campaign_id, holder_id, b.earned, b.spent, e.earned AS entries_earned, e.spent AS entries_spent
  FROM (SELECT company_id, campaign_id, ${holder} AS holder_id, earned, spent FROM ${table}) b
  FULL JOIN (
    SELECT x.company_id, x.campaign_id, x.${holder} AS holder_id,
      sum(CASE WHEN x.kind IN ('AWARD', 'GAIN') OR (x.kind = 'REVERSAL' AND x.delta < 0) THEN x.delta ELSE 0 END) AS earned,
      sum(CASE WHEN x.kind = 'SPEND' OR (x.kind = 'REVERSAL' AND x.delta > 0) THEN -x.delta ELSE 0 END) AS spent
    FROM experience_entries x JOIN campaigns c ON c.company_id = x.company_id AND c.id = x.campaign_id AND c.experience_per = ${experience_per}
    GROUP BY 1, 2, 3
  ) e USING (company_id, campaign_id, holder_id)
  WHERE coalesce(b.earned, 0) IS DISTINCT FROM e.earned OR coalesce(b.spent, 0) IS DISTINCT FROM e.spent`

/** Finds the balances of users and of characters that differ from the sum of their entries. */
export const experienceMismatches = sql`
  ${mismatches(sql.id('experience_balances'), sql.id('user_id'), sql.text('USER'))}
  UNION ALL ${mismatches(sql.id('experience_character_balances'), sql.id('character_id'), sql.text('CHARACTER'))}`

declareInvariant({ check: 'experience', violations: () => experienceMismatches, holds: 'every balance is the sum of its entries' })

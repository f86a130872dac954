import { conflict, notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { sheetOf } from '../characters/ruled-sheet.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { type Surroundings, selectSurroundings } from '../characters/surroundings.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { costsOf } from './rules.ts'
import type { Costs, CostsQuery } from './schema.ts'

type Row = CharacterRow & { surroundings: Surroundings }

/** Reads what it costs to raise the traits of a character. */
export async function readCosts(db: Db, context: InCampaign & { character: { id: string } }, query: CostsQuery): Promise<Costs> {
  const { actor, campaign, character } = context
  const { company_id } = actor
  if (!campaign.ruleset_version_id) return conflict('no_ruleset', 'The campaign has no ruleset, which would name the prices.')
  const [row] = await db.query<Row>(sql`
    SELECT type, traits, choices, conditions, ${selectSurroundings(context, sql`characters`)} AS surroundings FROM characters
    WHERE company_id = ${company_id} AND id = ${character.id} AND date_archived IS NULL`)
  if (!row) return notFound('Character')
  const ruleset = await publishedRuleset(db, { company_id, id: campaign.ruleset_version_id })
  return costsOf(ruleset, sheetOf(row, row.surroundings), query)
}

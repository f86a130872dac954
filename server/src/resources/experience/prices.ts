import { isRefused, type Price, priceOf } from '@guildhall/rules/ruleset/price'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { readSurroundings, sheetOf } from '../characters/ruled-sheet.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { balanceOf } from './balances.ts'
import { refuseTooMuch, refuseUnpriced } from './price-rules.ts'
import type { Spend } from './schema.ts'

/**
 * Computes the price of raising a trait of a character that the caller has locked, or returns null without a ruleset. A price may depend on the experience of the
 * character, so the balance is locked here: after the character, like by every spend.
 */
export async function priceIn(
  db: Tx,
  context: CampaignContext,
  character: CharacterRow,
  { name, to }: NonNullable<Spend['trait']>,
): Promise<Price | null> {
  const { actor, campaign } = context
  if (!campaign.ruleset_version_id) return null
  const ruleset = await publishedRuleset(db, { company_id: actor.company_id, id: campaign.ruleset_version_id })
  const { table, is } = balanceOf(context, { user_id: character.user_id as string, character_id: character.id })
  db.send(sql`SELECT 1 FROM ${table} WHERE ${is} FOR NO KEY UPDATE`)
  const surroundings = await readSurroundings(db, context, character.id)
  const price = priceOf(ruleset, sheetOf(character, surroundings), name, to)
  if (isRefused(price)) return refuseUnpriced(price, ruleset, name)
  refuseTooMuch(price)
  return price
}

import { forbidden } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { SecretRow } from '../../events/record.ts'
import { type SheetOwner, secretSheetOf } from '../characters/hidden-sheets.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { seesSheet } from '../characters/rules.ts'
import type { CharacterRow } from '../characters/schema.ts'

/** Experience is spent on a sheet, so the acting user must see it: the reply shows the traits. */
export function refuseHiddenSheet(context: CampaignContext, character: CharacterRow): void {
  if (!seesSheet(context, character)) forbidden({ reason: 'hidden_sheet' })
}

/** The sheet of a character that the caller has not locked, archived or not. */
export async function findSheet(db: Db, { actor }: CampaignContext, id: string): Promise<SecretRow | undefined> {
  const [row] = await db.query<SheetOwner>(
    sql`SELECT sheet_visibility, user_id FROM characters WHERE company_id = ${actor.company_id} AND id = ${id}`,
  )
  return row && secretSheetOf(row)
}

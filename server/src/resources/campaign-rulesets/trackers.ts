import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Sheet } from '@guildhall/rules/ruleset/sheet'
import type { Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { campaignSheet, writeRuled } from '../trackers/ruled.ts'
import { plannedChanges, ruledTrackers } from '../trackers/ruled-plan.ts'
import { MAX_VALUE, TrackerRow } from '../trackers/schema.ts'

/** A character, or the campaign itself, with its sheet. */
interface Owner {
  character_id: string | null
  sheet: Sheet
}

/** The new names of trackers, after all versions between. */
function renamedIn(steps: Ruleset[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { document } of steps.slice(1)) {
    const { rename = {} } = document.upgrade ?? {}
    for (const [from, to] of names) if (Object.hasOwn(rename, to)) names.set(from, rename[to] as string)
    for (const [from, to] of Object.entries(rename)) if (![...names.values()].includes(to)) names.set(from, to)
  }
  return names
}

/** Gives trackers of the ruleset their new names, unless another tracker of the same owner has that name. */
async function renameTrackers(tx: Tx, { actor, campaign }: InCampaign, steps: Ruleset[]): Promise<void> {
  for (const [from, to] of renamedIn(steps))
    await tx.query(sql`
      UPDATE trackers SET key = ${to}, version = version + 1, date_modified = ${tx.now()}
      WHERE company_id = ${actor.company_id} AND campaign_id = ${campaign.id} AND by_ruleset AND key = ${from} AND NOT EXISTS (
        SELECT FROM trackers other WHERE other.company_id = ${actor.company_id} AND other.parent_id = trackers.parent_id AND other.key = ${to})`)
}

/** Makes trackers free that no ruleset defines any more. Their limits are widened to the value, where they were past it. */
export function releaseTrackers(tx: Tx, { actor, campaign }: InCampaign, kept: string[]): void {
  const low = sql`least(minimum, value, start, ${sql.number(MAX_VALUE - 1)})`
  tx.send(sql`
    UPDATE trackers SET by_ruleset = false, minimum = ${low}, maximum = greatest(maximum, value, start, ${low} + 1),
      version = version + 1, date_modified = ${tx.now()}
    WHERE company_id = ${actor.company_id} AND campaign_id = ${campaign.id} AND by_ruleset AND key <> ALL (${kept}::text[])`)
}

/** Makes the trackers of a campaign and of its characters those of a ruleset. Values of trackers that are there stay. */
export async function adoptTrackers(tx: Tx, context: InCampaign, ruleset: Ruleset, steps: Ruleset[], characters: Owner[]): Promise<void> {
  const { actor, campaign } = context
  await renameTrackers(tx, context, steps)
  releaseTrackers(tx, context, Object.keys(ruleset.document.trackers ?? {}))
  const existing = await tx.query<TrackerRow>(sql`
    SELECT ${columnsOf(TrackerRow)} FROM trackers WHERE company_id = ${actor.company_id} AND campaign_id = ${campaign.id} ORDER BY id`)
  const byOwner = Map.groupBy(existing, ({ character_id }) => character_id)
  const owners: Owner[] = [{ character_id: null, sheet: await campaignSheet(tx, context) }, ...characters]
  const plans = owners.map(({ character_id, sheet }) => {
    const ruled = ruledTrackers(ruleset, sheet, character_id ? 'character' : 'campaign')
    const { added, changed } = plannedChanges(ruled, byOwner.get(character_id) ?? [])
    return { added: added.map((one) => ({ ...one, character_id })), changed }
  })
  await writeRuled(
    tx,
    context,
    plans.flatMap(({ added }) => added),
    plans.flatMap(({ changed }) => changed),
  )
}

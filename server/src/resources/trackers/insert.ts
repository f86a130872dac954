import { timeOf } from '../../core/ids.ts'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import type { TrackerRow } from './schema.ts'

/** A statement takes 65,535 values, and a change of the ruleset may give thousands of characters their trackers. */
const MAX_INSERTED = 1000

/** A tracker that does not exist yet. */
export type NewTracker = Pick<
  TrackerRow,
  'character_id' | 'key' | 'label' | 'value' | 'minimum' | 'maximum' | 'start' | 'style' | 'visibility' | 'movable_by' | 'by_ruleset'
>

const valuesOf = (row: TrackerRow) => sql`
  (${row.company_id}::uuid, ${row.id}::uuid, ${row.campaign_id}::uuid, ${row.character_id}::uuid, ${row.key}::text, ${row.label}::text,
    ${row.value}::integer, ${row.minimum}::integer, ${row.maximum}::integer, ${row.start}::integer, ${row.style}::text, ${row.visibility}::text,
    ${row.movable_by}::text, ${row.by_ruleset}::boolean, 0, ${row.date_created}::timestamptz, ${row.date_modified}::timestamptz)`

/**
 * Inserts trackers in their order, and does not wait for it. Each has its values in the statement: a distributed database then knows where they belong. The
 * database computes the generated column parent_id.
 */
export function insertTrackers(tx: Tx, { actor, campaign }: InCampaign, added: NewTracker[]): TrackerRow[] {
  const inserted = added.map((one): TrackerRow => {
    const id = tx.newId()
    const date = timeOf(id).toISOString()
    const [company_id, campaign_id] = [actor.company_id, campaign.id]
    const stored = { version: 1, hidden_changes: 0, date_created: date, date_modified: date }
    return { ...one, ...stored, id, company_id, campaign_id, parent_id: one.character_id ?? campaign_id }
  })
  for (let i = 0; i < inserted.length; i += MAX_INSERTED)
    tx.send(sql`
      INSERT INTO trackers (company_id, id, campaign_id, character_id, key, label, value, minimum, maximum, start, style, visibility, movable_by, by_ruleset,
        hidden_changes, date_created, date_modified)
      VALUES ${sql.join(inserted.slice(i, i + MAX_INSERTED).map(valuesOf), ', ')}`)
  return inserted
}

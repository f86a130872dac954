import { type Static, Type } from '@guildhall/rules/type'
import type { Db } from '../../db/client.ts'
import { excerptColumnsOf } from '../../db/columns.ts'
import { list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { declareSettled, settledTotal } from '../../db/settled.ts'
import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { changesCut, shownChanges } from '../../events/changes.ts'
import type { Changes } from '../../events/record.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from '../characters/path-resource.ts'
import { seesSheet } from '../characters/rules.ts'
import { SHEET_FIELDS, SHEET_VISIBILITIES } from '../characters/schema.ts'
import { fieldChangesOf } from './rules.ts'
import { HistoryEntry, type HistoryQuery } from './schema.ts'

const withoutSheet = (changes: Sql) => sql`${changes} - ${sql.text(`{${SHEET_FIELDS}}`)}::text[]`
// If other fields belong to the sheet one day, a migration has to forget these numbers.
declareTable('history_counts', undefined, { partOf: { characters: 'character_id' } })
const counts = declareSettled(
  {
    counts: 'history_counts',
    rows: 'events',
    where: sql`r.resource_type = 'character'`,
    by: {
      character_id: sql`r.resource_id`,
      visibility: sql`coalesce(r.visibility, 'OPEN')`,
      sheet_visibility: sql`coalesce(r.sheet_visibility, 'EVERYONE')`,
      beyond_sheet: sql`${withoutSheet(sql`r.changes`)} <> '{}'`,
    },
    // Purging empties and deletes events, and nobody reads the history any more.
    matters: sql`EXISTS (SELECT FROM characters x
      JOIN campaigns c ON c.company_id = x.company_id AND c.id = x.campaign_id AND c.date_purged IS NULL
      JOIN companies o ON o.id = x.company_id AND o.date_purged IS NULL
      WHERE x.company_id = counted.company_id AND x.id = counted.character_id AND x.date_purged IS NULL)`,
  },
  { check: 'histories', holds: 'the total of every history matches its events' },
)

const EntryRow = Type.Omit(HistoryEntry, ['truncated'])
const columns = (changes: Sql) =>
  sql.join(
    Object.keys(EntryRow.properties).map((name) => (name === 'changes' ? sql`${changes} AS changes` : sql.id(name))),
    ', ',
  )
const shown = excerptColumnsOf(EntryRow, 'page', { changes: changesCut })
const extras = { page: 'page', join: shownChanges }

/**
 * Lists the events of a character that the acting user may see. The traits and details in them are visible to users who see the sheet today
 * and could see it then; an event that has nothing else is left out for all others.
 */
export async function listHistory(
  db: Db,
  context: { actor: Actor; campaign: CampaignAccess },
  character: CharacterAccess & { id: string },
  query: Static<typeof HistoryQuery>,
) {
  const readable = SHEET_VISIBILITIES.filter(
    (sheet_visibility) => character.seesSheet && seesSheet(context, { ...character, sheet_visibility }),
  )
  const { company_id } = context.actor
  const isReadable = (sheet_visibility: Sql) => sql`${sheet_visibility} = ANY (${readable}::text[])`
  /** The conditions on an event or a number of events. */
  const seenBy = (visibility: Sql, showsSheet: Sql, isBeyondSheet: Sql) => [
    seen(sightIn(context), visibility),
    sql`(${showsSheet} OR ${isBeyondSheet})`,
  ]
  const showsSheet = isReadable(sql`coalesce(events.sheet_visibility, 'EVERYONE')`)
  const rest = withoutSheet(sql`events.changes`)
  const where = [
    sql`company_id = ${company_id}`,
    sql`resource_id = ${character.id}`,
    sql`resource_type = 'character'`,
    ...seenBy(sql`coalesce(visibility, 'OPEN')`, showsSheet, sql`${rest} <> '{}'`),
  ]
  const counted = [
    sql`k.company_id = ${company_id}`,
    sql`k.character_id = ${character.id}`,
    ...seenBy(sql`k.visibility`, isReadable(sql`k.sheet_visibility`), sql`k.beyond_sheet`),
  ]
  type Row = Omit<Static<typeof HistoryEntry>, 'changes'> & { changes: Changes }
  const source = {
    columns: columns(sql`CASE WHEN ${showsSheet} THEN events.changes ELSE ${rest} END`),
    shown,
    from: sql`events`,
    where,
    extras,
    total: settledTotal(counts, { company_id, counted, from: sql`events`, where, id: sql`events.id` }),
  }
  const { items, ...page } = await list<Row>(db, source, query)
  return { ...page, items: items.map(({ changes, ...entry }) => ({ ...entry, changes: fieldChangesOf(changes) })) }
}

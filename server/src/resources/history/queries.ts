import { type Static, Type } from 'typebox'
import type { Db } from '../../db/client.ts'
import { excerptColumnsOf } from '../../db/columns.ts'
import { list } from '../../db/list.ts'
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
  const showsSheet = sql`coalesce(events.sheet_visibility, 'EVERYONE') = ANY (${readable}::text[])`
  const withoutSheet = sql`events.changes - ${SHEET_FIELDS}::text[]`
  const where = [
    sql`company_id = ${context.actor.company_id}`,
    sql`resource_id = ${character.id}`,
    sql`resource_type = 'character'`,
    seen(sightIn(context), sql`coalesce(visibility, 'OPEN')`),
    sql`(${showsSheet} OR ${withoutSheet} <> '{}')`,
  ]
  type Row = Omit<Static<typeof HistoryEntry>, 'changes'> & { changes: Changes }
  const source = {
    columns: columns(sql`CASE WHEN ${showsSheet} THEN events.changes ELSE ${withoutSheet} END`),
    shown,
    from: sql`events`,
    where,
    extras,
  }
  const { items, ...page } = await list<Row>(db, source, query)
  return { ...page, items: items.map(({ changes, ...entry }) => ({ ...entry, changes: fieldChangesOf(changes) })) }
}

import { type Static, Type } from 'typebox'
import type { Db } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { list } from '../../db/list.ts'
import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { changesCut, shownChanges } from '../../events/changes.ts'
import type { Changes } from '../../events/record.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import { fieldChangesOf } from './rules.ts'
import { HistoryEntry, type HistoryQuery } from './schema.ts'

const EntryRow = Type.Omit(HistoryEntry, ['truncated'])
const columns = columnsOf(EntryRow)
const shown = excerptColumnsOf(EntryRow, 'page', { changes: changesCut })
const extras = { page: 'page', join: shownChanges }

/** Lists the events of a character that the acting user may see. */
export async function listHistory(
  db: Db,
  context: { actor: Actor; campaign: CampaignAccess },
  character_id: string,
  query: Static<typeof HistoryQuery>,
) {
  const where = [
    sql`company_id = ${context.actor.company_id}`,
    sql`resource_id = ${character_id}`,
    sql`resource_type = 'character'`,
    seen(sightIn(context), sql`coalesce(visibility, 'OPEN')`),
  ]
  type Row = Omit<Static<typeof HistoryEntry>, 'changes'> & { changes: Changes }
  const { items, ...page } = await list<Row>(db, { columns, shown, from: sql`events`, where, extras }, query)
  return { ...page, items: items.map(({ changes, ...entry }) => ({ ...entry, changes: fieldChangesOf(changes) })) }
}

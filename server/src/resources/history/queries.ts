import { type Static, Type } from 'typebox'
import type { Db } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { list } from '../../db/list.ts'
import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { changesCut, shownChanges } from '../../events/changes.ts'
import type { Changes } from '../../events/record.ts'
import { sightIn } from '../campaigns/place.ts'
import type { Here } from '../characters/queries.ts'
import { moved } from './rules.ts'
import { HistoryEntry, type HistoryQuery } from './schema.ts'

const EntryRow = Type.Omit(HistoryEntry, ['truncated'])
const columns = columnsOf(EntryRow)
const shown = excerptColumnsOf(EntryRow, 'page', { changes: changesCut })
const beside = { page: 'page', join: shownChanges }

/** What the event log has of a character, as far as those who look may see it. */
export async function historyOf(db: Db, here: Here, character_id: string, query: Static<typeof HistoryQuery>) {
  const where = [
    sql`company_id = ${here.actor.company_id}`,
    sql`resource_id = ${character_id}`,
    sql`resource_type = 'character'`,
    seen(sightIn(here), sql`coalesce(visibility, 'OPEN')`),
  ]
  type Row = Omit<Static<typeof HistoryEntry>, 'changes'> & { changes: Changes }
  const { items, ...page } = await list<Row>(db, { columns, shown, from: sql`events`, where, beside }, { sort: '-date_created', ...query })
  return { ...page, items: items.map(({ changes, ...entry }) => ({ ...entry, changes: moved(changes) })) }
}

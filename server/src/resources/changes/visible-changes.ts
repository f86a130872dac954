import { knowsIdentities } from '../../core/access.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { shownChanges } from '../../events/changes.ts'
import type { Changes } from '../../events/record.ts'
import type { Viewer } from '../campaigns/across.ts'
import { SHEET_FIELDS } from '../characters/schema.ts'
import { User } from '../users/schema.ts'
import type { FeedEvent, ReaderRights } from './rules.ts'
import type { Found } from './selection.ts'

/** The changes of an event in their listed form. */
interface Listed {
  changes: Changes
  isCut: boolean
  /** There are no changes, whatever the listed form leaves out. */
  isEmpty: boolean
}

/** The changes of an event: all of them, and those that every reader of the event may see. */
export interface Shown {
  all: Listed
  open: Listed
}

const PRIVATE_FIELDS = Object.entries(User.properties).flatMap(([name, field]) => ('x-private' in field ? [name] : []))
/** The fields of a roll that may show values of a sheet. The roll itself shows them to those who see the sheet now. */
const ROLL_FIELDS = ['text', 'notation', 'formula', 'values', 'terms', 'dice', 'pool']

/** Reads the changes of some events. Fields are left out before the rest is cut, so that the cut shows nothing about them. */
export async function readChanges(db: Db, company_id: string, ids: string[]): Promise<Map<string, Shown>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Listed & { id: string; isOpen: boolean }>(sql`
    SELECT page.id, page."isOpen", shown.changes, shown.changes <> page.changes AS "isCut", page.changes = '{}' AS "isEmpty"
    FROM (
      SELECT e.id, form."isOpen", CASE WHEN NOT form."isOpen" THEN e.changes
        WHEN e.resource_type = 'character' THEN e.changes - ${SHEET_FIELDS}::text[]
        WHEN e.resource_type = 'user' THEN e.changes - ${PRIVATE_FIELDS}::text[]
        ELSE e.changes - ${ROLL_FIELDS}::text[] END AS changes
      FROM events e CROSS JOIN (VALUES (false), (true)) AS form ("isOpen")
      WHERE e.company_id = ${company_id} AND e.id = ANY (${ids}::uuid[])
        AND (NOT form."isOpen" OR e.resource_type IN ('character', 'user', 'dice_roll'))
    ) page ${shownChanges}`)
  const found = new Map(rows.flatMap((row) => (row.isOpen ? [] : [[row.id, { all: row, open: row }]])))
  for (const row of rows) {
    const shown = found.get(row.id)
    if (row.isOpen && shown) shown.open = row
  }
  return found
}

/** True if there may be fields in an event that the reader may not see, although they may see the event. */
function hidesFields(viewer: Viewer, event: FeedEvent, found: Found | undefined, rights: ReaderRights): boolean {
  const { resource_type, resource_id, sheet_visibility, campaign_id } = event
  if (resource_type === 'user') return !knowsIdentities(viewer) && resource_id !== rights.user_id
  if (resource_type !== 'character') return resource_type === 'dice_roll'
  const sheet = found?.resource
  if (!sheet || sheet.traits === null) return true
  const isStoryteller = rights.seesAll || (campaign_id !== null && rights.campaigns.get(campaign_id)?.isStoryteller)
  return !(sheet_visibility === null || isStoryteller || (sheet_visibility === 'PLAYER' && sheet.user_id === rights.user_id))
}

/** The changes that the reader may see; null if all of them are on a hidden sheet. */
export function visibleChanges(
  viewer: Viewer,
  rights: ReaderRights,
  event: FeedEvent,
  found: Found | undefined,
  shown: Shown | undefined,
): Listed | null {
  if (!shown) return null
  if (!hidesFields(viewer, event, found, rights)) return shown.all
  const isOnHiddenSheet = event.resource_type === 'character' && shown.open.isEmpty && !shown.all.isEmpty
  return isOnHiddenSheet ? null : shown.open
}

import type { Permission } from '../../core/access.ts'
import { NOBODY } from '../../core/ids.ts'
import { invalid } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type CursorOwner, markOf, NO_MARK, openCursor, type Place, sealCursor } from '../../events/cursor.ts'
import type { Actor, Developer } from '../../http/caller.ts'
import type { Viewer } from '../campaigns/across.ts'
import { pageOf, tellScan } from './page.ts'
import { readEvents } from './read-events.ts'
import { scanSizeFor } from './scan.ts'
import type { ChangesQuery, ChangesReply, FeedItem } from './schema.ts'

/** A page reads on over what its reader may not see. This limit is a safety net: only a page that meets it says `more` for what may not be there. */
const MAX_PAGE_MS = 5000

/** The caller of a request for changes. */
export interface FeedCaller {
  company_id: string
  developer: Developer
  permission: Permission | null
  actor: Actor | null
}

/** A reply, with the position that its cursor hides. */
export type ChangesPage = ChangesReply & { position: number }

interface State {
  epoch: string
  cursor_key: Buffer
  /** The first position of the company. */
  first: number
  /** Its last one; 0 before the first event. */
  last: Place
  /** The role of the acting user now: that of the request may be as old as its wait. */
  role: Actor['role'] | null
}

type StateRow = Omit<State, 'first' | 'last'> & { first: number | null; last: number | null; event_id: string | null }

export const ownerOf = ({ company_id, actor, developer }: FeedCaller): CursorOwner => ({
  company_id,
  reader_id: actor ? `user ${actor.id}` : `developer ${developer.id}`,
})

export async function readState(db: Db, { company_id, actor }: FeedCaller): Promise<State> {
  const [row] = await db.query<StateRow>(sql`
    SELECT s.epoch, s.cursor_key, h.first, h.last, f.event_id, u.role FROM feed_state s
    LEFT JOIN feed_heads h ON h.company_id = ${company_id}
    LEFT JOIN feed f ON f.company_id = ${company_id} AND f.position = h.last
    LEFT JOIN users u ON u.company_id = ${company_id} AND u.id = ${actor?.id ?? NOBODY} AND u.date_archived IS NULL`)
  const { first, last, event_id, ...state } = row as StateRow
  return { ...state, first: first ?? 1, last: { position: last ?? 0, mark: event_id === null ? NO_MARK : markOf(event_id) } }
}

/** Tells a reader whose position is not known any more to read everything again. */
export const resetItem = (company_id: string, id: string, now: Date): FeedItem => ({
  id,
  type: 'feed.reset',
  timestamp: now.toISOString(),
  company_id,
  campaign_id: null,
  actor: null,
  request_id: null,
  reason: null,
  data: {
    change: 'RESYNC',
    resource_type: 'company',
    id: company_id,
    version: null,
    path: null,
    changes: null,
    resource: null,
    truncated: false,
  },
})

/** The place of a cursor; null if its reader has to read everything again. A text that is no cursor of theirs is an error of the field that it was sent in. */
export function placeOf({ epoch, cursor_key, first, last }: State, caller: FeedCaller, text: string, field: string): Place | null {
  const opened = openCursor(cursor_key, ownerOf(caller), text)
  if (!opened) return invalid([{ field, message: 'must be a cursor from a reply to you, unchanged' }])
  const { position, mark } = opened
  return opened.isOf(epoch) && position >= first - 1 && position <= last.position ? { position, mark } : null
}

/** Lists the changes after a cursor. */
export async function listChanges(db: Db, caller: FeedCaller, query: ChangesQuery): Promise<ChangesPage> {
  const { company_id, actor, permission } = caller
  const { after, limit, types, campaign_id } = query
  const state = await readState(db, caller)
  const { epoch, cursor_key, last, role } = state
  const cursorAt = (at: Place) => sealCursor(cursor_key, ownerOf(caller), epoch, at)
  const pageAtEnd = (items: FeedItem[]) => ({ items, cursor: cursorAt(last), more: false, position: last.position })
  const reset = () => pageAtEnd([resetItem(company_id, db.newId(), db.now())])
  if (after === undefined) return pageAtEnd([])
  const place = placeOf(state, caller, after, 'after')
  if (!place) return reset()
  const scan = await readEvents(db, company_id, place, scanSizeFor(limit))
  if (!scan.continues(place) || (scan.hasGap && place.position < (await readState(db, caller)).first - 1)) return reset()
  const viewer: Viewer = { company_id, permission, actor: actor && { ...actor, role: role ?? actor.role } }
  const extent = { items: limit + 2, milliseconds: MAX_PAGE_MS }
  const part = await tellScan(db, viewer, scan, { limit: extent.items, types, campaign_id }, extent)
  // The role may have been lost before the last scan.
  if (part.isLong && (await readState(db, caller)).role !== role) return listChanges(db, caller, query)
  const { told, end, more } = pageOf(part, limit)
  return { items: told.map(({ item }) => item), cursor: cursorAt(end), more, position: end.position }
}

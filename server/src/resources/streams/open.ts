import { detached } from '../../core/detached.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { markOf, mayBeSame, NO_MARK, type Place, sealCursor } from '../../events/cursor.ts'
import type { Connection, Stream } from '../../http/streams/connection.ts'
import { eventFrame } from '../../http/streams/frames.ts'
import { type FeedCaller, ownerOf, placeOf, readState, resetItem } from '../changes/queries.ts'
import type { Follower } from './follower.ts'
import { hubOf } from './hub.ts'

/** The changes that a client asks for, and the last frame that it received. */
export interface StreamRequest {
  after?: string | undefined
  types?: string[] | undefined
  campaign_id?: string | undefined
  lastEventId: string | undefined
}

/** The mark of the event that is at a position now. */
async function markAt(db: Db, company_id: string, position: number): Promise<bigint> {
  const [row] = await db.query<{ event_id: string }>(
    sql`SELECT event_id FROM feed WHERE company_id = ${company_id} AND position = ${position}`,
  )
  return row ? markOf(row.event_id) : NO_MARK
}

/** Opens a stream of the changes that a caller may see. */
export async function openChanges(db: Db, caller: FeedCaller, hasToken: boolean, asked: StreamRequest): Promise<Stream> {
  const { company_id, actor, developer } = caller
  const state = await readState(db, caller)
  const { epoch, cursor_key, last } = state
  const owner = ownerOf(caller)
  const cursorAt = (place: Place) => sealCursor(cursor_key, owner, epoch, place)
  const sent = asked.lastEventId ?? asked.after
  const from = sent === undefined ? last : placeOf(state, caller, sent, asked.lastEventId ? 'Last-Event-ID' : 'after')
  const isKnown =
    from !== null && mayBeSame(from.mark, from.position === last.position ? last.mark : await markAt(db, company_id, from.position))
  const start = isKnown ? from : last
  const reset = isKnown ? undefined : eventFrame(cursorAt(last), resetItem(company_id, db.newId(), db.now()))
  let place = () => start
  return {
    // A client that is disconnected before it has the reset gets it again.
    id: reset ? (sent as string) : cursorAt(start),
    bookmark: () => cursorAt(place()),
    start: (connection: Connection, database) => {
      if (reset) connection.send(reset)
      const follower: Follower = {
        connection,
        company_id,
        user_id: actor?.id ?? null,
        developer_id: developer.id,
        hasToken,
        types: asked.types,
        campaign_id: asked.campaign_id,
        epoch,
        place: start,
        cursorAt,
      }
      place = () => follower.place
      detached(() => hubOf(database).follow(follower, start.position < last.position))
    },
  }
}

import { invalid } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { openCursor, sealCursor } from '../../events/cursor.ts'
import type { Connection, Stream } from '../../http/streams/connection.ts'
import { eventFrame } from '../../http/streams/frames.ts'
import { type FeedCaller, ownerOf, readState, resetItem } from '../changes/queries.ts'
import type { Follower } from './follower.ts'
import { hubOf } from './hub.ts'

/** The changes that a client asks for, and the last frame that it received. */
export interface StreamRequest {
  after?: string | undefined
  types?: string[] | undefined
  campaign_id?: string | undefined
  lastEventId: string | undefined
}

/** Opens a stream of the changes that a caller may see. */
export async function openChanges(db: Db, caller: FeedCaller, hasToken: boolean, asked: StreamRequest): Promise<Stream> {
  const { company_id, actor, developer } = caller
  const state = await readState(db, caller)
  const { epoch, cursor_key } = state
  const [first, last] = [state.first ?? 1, state.last ?? 0]
  const owner = ownerOf(caller)
  const cursorAt = (position: number) => sealCursor(cursor_key, owner, { epoch, position })
  const sent = asked.lastEventId ?? asked.after
  const opened = sent === undefined ? undefined : openCursor(cursor_key, owner, sent)
  if (opened === null)
    return invalid([{ field: asked.lastEventId ? 'Last-Event-ID' : 'after', message: 'must be a cursor from a reply to you, unchanged' }])
  const isReset = opened !== undefined && (!opened.isOf(epoch) || opened.position < first - 1 || opened.position > last)
  const start = opened && !isReset ? opened.position : last
  const reset = isReset ? eventFrame(cursorAt(last), resetItem(company_id, db.newId(), db.now())) : undefined
  let position = () => start
  return {
    // A client that is disconnected before it has the reset gets it again.
    id: reset ? (sent as string) : cursorAt(start),
    bookmark: () => cursorAt(position()),
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
        position: start,
        cursorAt,
      }
      position = () => follower.position
      hubOf(database).follow(follower, start < last)
    },
  }
}

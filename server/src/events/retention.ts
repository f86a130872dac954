import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import './tables.ts'

/** Positions that are deleted in one transaction. */
const BATCH = 5000

interface Old {
  company_id: string
  first: number
}

/** The feeds whose first position is older than a time: one row of each is looked at. */
const oldFeeds = (db: Pick<Database, 'query'>, before: Date) =>
  db.query<Old>(sql`
    SELECT h.company_id, h.first FROM feed_heads h JOIN feed f ON f.company_id = h.company_id AND f.position = h.first
    WHERE f.date_created <= ${before}`)

/** Deletes the positions of all feeds that are older than a time. A reader who is further behind is told to read everything again. Returns how many were deleted. */
export async function purgeFeed(db: Pick<Database, 'query' | 'transaction'>, before: Date): Promise<number> {
  let total = 0
  for (let feeds = await oldFeeds(db, before); feeds.length > 0; feeds = await oldFeeds(db, before)) {
    for (const { company_id, first } of feeds) total += await db.transaction((tx) => deleteBatch(tx, company_id, first, before))
  }
  return total

  async function deleteBatch(tx: Parameters<Parameters<Database['transaction']>[0]>[0], company_id: string, first: number, before: Date) {
    const deleted = await tx.query<{ position: number }>(sql`
      DELETE FROM feed WHERE company_id = ${company_id} AND position < ${first + BATCH} AND date_created <= ${before} RETURNING position`)
    const last = deleted.reduce((max, { position }) => Math.max(max, position), first - 1)
    await tx.query(sql`UPDATE feed_heads SET first = greatest(first, ${last + 1}) WHERE company_id = ${company_id} RETURNING company_id`)
    return deleted.length
  }
}

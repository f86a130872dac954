import { sql } from '../src/db/sql.ts'
import { sequenceAll } from './follower.ts'
import { db, write } from './harness.ts'

/** Notes the end of the feed of a company. The function that it returns puts the feed back to it, as a copy of the files of the database does. */
export async function copyOfFeed(company_id: string): Promise<() => Promise<void>> {
  await sequenceAll()
  const [head] = await db.query<{ last: number }>(sql`SELECT last FROM feed_heads WHERE company_id = ${company_id}`)
  const after = sql`company_id = ${company_id} AND position > ${head?.last}`
  return async () => {
    await sequenceAll()
    await write(sql`DELETE FROM events WHERE company_id = ${company_id} AND id IN (SELECT event_id FROM feed WHERE ${after})`)
    await write(sql`DELETE FROM feed WHERE ${after}`)
    await write(sql`UPDATE feed_heads SET last = ${head?.last} WHERE company_id = ${company_id}`)
  }
}

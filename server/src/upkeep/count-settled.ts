import { idAt, NOBODY } from '../core/ids.ts'
import type { Database, Tx } from '../db/client.ts'
import { DatabaseUnavailable } from '../db/driver/connection-errors.ts'
import { countRows } from '../db/settled.ts'
import { sql } from '../db/sql.ts'
import { settled } from '../resources/declarations.ts'

/** Rows older than this are settled: longer than a transaction takes, and than the clocks of processes may differ. */
const SETTLED_MS = 5 * 60_000
/** A company is counted again after this many events. Until then, its readers count them. */
const MANY_EVENTS = 1000
/** The number of rows of each kind that one transaction counts. It is small enough for the time limit of a statement, however large the rows are. */
const MAX_ROWS = 5000

/**
 * The id up to which the next transaction counts, or undefined if there are no rows. It is that of an existing row: a clock that is ahead of the others does no harm
 * while nobody writes.
 */
async function endOf(tx: Tx, company_id: string, after: string, before: string): Promise<{ id: string; isLast: boolean } | undefined> {
  const [cuts, lasts]: [string[], string[]] = [[], []]
  for (const { rows } of settled()) {
    const inRange = sql`FROM ${sql.id(rows)} r WHERE r.company_id = ${company_id} AND r.id > ${after} AND r.id <= ${before}`
    const [found] = await tx.query<{ cut: string | null; last: string | null }>(sql`
      SELECT (SELECT r.id ${inRange} ORDER BY r.id OFFSET ${sql.number(MAX_ROWS - 1)} LIMIT 1) AS cut,
        (SELECT r.id ${inRange} ORDER BY r.id DESC LIMIT 1) AS last`)
    if (found?.cut) cuts.push(found.cut)
    if (found?.last) lasts.push(found.last)
  }
  const [first, last] = [cuts.sort()[0], lasts.sort().at(-1)]
  return last === undefined ? undefined : { id: first ?? last, isLast: first === undefined }
}

/** Counts the next rows of a company, in one transaction. Returns true if there may be more. */
async function countNext(tx: Tx, company_id: string, time: Date): Promise<boolean> {
  // Another process that counts the same company has locked it.
  const [mark] = await tx.query<{ up_to: string; position: number }>(
    sql`SELECT up_to, position FROM count_marks WHERE company_id = ${company_id} FOR UPDATE SKIP LOCKED`,
  )
  if (!mark) return false
  const end = await endOf(tx, company_id, mark.up_to, idAt(time))
  if (end) for (const one of settled()) tx.send(countRows(one, company_id, mark.up_to, end.id))
  // The position that the feed had at that time, or the last one. If this process dies before the last rows are counted, the next run finds the company again.
  const position =
    end?.isLast === false
      ? sql`position`
      : sql`coalesce((
        SELECT f.position - 1 FROM feed f WHERE f.company_id = ${company_id} AND f.position > ${mark.position} AND f.date_created > ${time}
        ORDER BY f.position LIMIT 1),
      (SELECT h.last FROM feed_heads h WHERE h.company_id = ${company_id}), 0)`
  tx.send(sql`UPDATE count_marks SET up_to = ${end?.id ?? mark.up_to}, position = ${position} WHERE company_id = ${company_id}`)
  return end?.isLast === false
}

type CountedDb = Pick<Database, 'query' | 'transaction' | 'now'> & { isStopping?: () => boolean }

/** Counts the rows of a company that were made before a time. */
export async function countCompany(db: CountedDb, company_id: string, time: Date): Promise<void> {
  // In a transaction of its own: a process that inserts the same mark would wait until the first rows are counted.
  await db.transaction(async (tx) =>
    tx.send(
      sql`INSERT INTO count_marks (company_id, up_to, position) VALUES (${company_id}, ${NOBODY}, 0) ON CONFLICT (company_id) DO NOTHING`,
    ),
  )
  while (!db.isStopping?.() && (await db.transaction((tx) => countNext(tx, company_id, time))));
}

/** The companies that have grown by many events since they were last counted, or that were never counted. */
const dueCompanies = (db: CountedDb) =>
  db.query<{ company_id: string }>(sql`
    SELECT h.company_id FROM feed_heads h JOIN companies c ON c.id = h.company_id AND c.date_purged IS NULL
      LEFT JOIN count_marks m ON m.company_id = h.company_id
    WHERE h.last - coalesce(m.position, 0) >= ${sql.number(MANY_EVENTS)} OR (m.company_id IS NULL AND h.unplaced >= ${sql.number(MANY_EVENTS)})`)

/** The time before which rows are settled, by the clock of this process or of the database, whichever is behind. */
async function settledTime(db: CountedDb): Promise<Date> {
  const [row] = await db.query<{ now: string }>(sql`SELECT clock_timestamp() AS now`)
  return new Date(Math.min(db.now().getTime(), Date.parse((row as { now: string }).now)) - SETTLED_MS)
}

/** Counts the settled rows of all companies that need it. Any number of processes may do it at once, and be killed at any moment: a row is counted once. */
export async function countSettled(db: CountedDb): Promise<void> {
  const time = await settledTime(db)
  let fault: unknown
  for (const { company_id } of await dueCompanies(db)) {
    if (db.isStopping?.()) return
    await countCompany(db, company_id, time).catch((error) => {
      // The fault of one company does not stop the others.
      if (error instanceof DatabaseUnavailable) throw error
      fault = error
    })
  }
  if (fault !== undefined) throw fault
}

import { detached } from '../../core/detached.ts'
import { NOBODY } from '../../core/ids.ts'
import type { Database, Tx } from '../../db/client.ts'
import { companiesWithRows, MAX_COMPANIES } from '../../db/companies-with-rows.ts'
import { DatabaseUnavailable } from '../../db/driver/connection-errors.ts'
import { sql } from '../../db/sql.ts'
import { lagOf } from '../../events/lag.ts'
import type { QueuedRow } from './tally-queue.ts'
import { additionStatements, sumsOf } from './tally-sums.ts'

/** The number of queued rows of one transaction. */
const MAX_ROWS = 2000

/** Moves queued rows into the tallies, in one transaction, except those that another process is moving. Returns how many. */
async function foldCompanies(tx: Tx, ids: string[]): Promise<number> {
  const ofCompanies = tx.isDistributed ? sql`company_id = ${ids[0]}` : sql`company_id = ANY (${ids}::uuid[])`
  const taken = sql`SELECT id FROM tally_queue WHERE ${ofCompanies} ORDER BY company_id, id LIMIT ${sql.number(MAX_ROWS)} FOR UPDATE SKIP LOCKED`
  const rows = await tx.query<QueuedRow>(sql`
    DELETE FROM tally_queue WHERE ${ofCompanies} AND id IN (${taken})
    RETURNING company_id, id, campaign_id, character_id, user_id, visibility, day, counts, faces, traits`)
  if (rows.length > 0) for (const statement of additionStatements(tx, sumsOf(rows))) tx.send(statement)
  return rows.length
}

type FoldedDb = Pick<Database, 'query' | 'transaction' | 'isDistributed'>

/** The result of one run. */
interface Fold {
  rows: number
  /** The company to go on after, if there were too many for one run. */
  after: string
  /** The error of a company whose rows could not be added. */
  fault?: unknown
}

/** Adds queued rows to the tallies. Any number of processes may do it at once, and be killed at any moment: a row is counted once. */
export async function foldTallies(db: FoldedDb, after = NOBODY): Promise<Fold> {
  const ids = await companiesWithRows(db, 'tally_queue', after)
  const done: Fold = { rows: 0, after: ids.length === MAX_COMPANIES ? (ids.at(-1) as string) : NOBODY }
  const fold = async (some: string[]) => {
    done.rows += await db.transaction((tx) => foldCompanies(tx, some))
  }
  if (ids.length === 0) return done
  if (!db.isDistributed && ids.length > 1) {
    try {
      await fold(ids)
      return done
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      // One by one, so that the fault of one company does not stop all others.
    }
  }
  for (const id of ids)
    await fold([id]).catch((error) => {
      if (error instanceof DatabaseUnavailable) throw error
      done.fault = error
    })
  return done
}

/** The queue is looked at this often. */
const CHECK_MS = 500
/** Rows may wait this long, so that the rolls of an evening share the writes of their tallies: a roll alone changes ten rows, and so do a hundred. */
const MAX_AGE_S = 5
/** More rows do not wait, because every reader adds up those of its company. */
const MANY_ROWS = 500

/** True if there are many rows, or old ones. */
async function isDue(db: Database): Promise<boolean> {
  const [queue] = await db.query<{ rows: number; oldest: string | null }>(sql`
    SELECT count(*)::integer AS rows, min(id::text) AS oldest FROM (SELECT id FROM tally_queue LIMIT ${sql.number(MANY_ROWS)}) queue`)
  if (!queue?.oldest) return false
  return queue.rows === MANY_ROWS || lagOf([{ id: queue.oldest }], db.now()) >= MAX_AGE_S
}

/** Adds queued rows to the tallies until it is stopped. */
export function startFolding(db: Database, failed: (error: unknown) => void): () => Promise<void> {
  let isStopped = false
  let after = NOBODY
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    if (after === NOBODY && !(await isDue(db))) return CHECK_MS
    const { rows, fault, ...done } = await foldTallies(db, after)
    after = done.after
    if (fault !== undefined) failed(fault)
    return rows >= MAX_ROWS || after !== NOBODY ? 0 : CHECK_MS
  }
  const schedule = (ms: number) => {
    if (isStopped) return
    timer = detached(() => setTimeout(start, ms))
  }
  const start = () => {
    running = run()
      .catch((error) => {
        failed(error)
        return CHECK_MS
      })
      .then(schedule)
  }
  schedule(CHECK_MS)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}

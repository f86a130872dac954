import { NOBODY } from '../core/ids.ts'
import type { Database, Tx } from '../db/client.ts'
import { companiesWithRows, MAX_COMPANIES } from '../db/companies-with-rows.ts'
import { DatabaseUnavailable } from '../db/driver/connection-errors.ts'
import { rowsOf } from '../db/rows.ts'
import { type Sql, sql } from '../db/sql.ts'
import { inOrder, type Waiting } from './order.ts'
import './tables.ts'

/** The number of events of one transaction. */
const MAX_EVENTS = 5000

/** A company whose feed has got longer, and its last position. */
export interface Advance {
  company_id: string
  last: number
}

/** The result of one run of the sequencer. */
export interface Run {
  /** The feeds that got longer. */
  advances: Advance[]
  /** The number of events that got a position. */
  events: number
  /** The company to go on after, if there were too many for one run. */
  after?: string
  /** The error of a company whose events could not get positions. */
  fault?: unknown
  /** True if events may be left: another process has locked their feed, the feed is new, or there are too many. */
  isIncomplete: boolean
}

const NOTHING: Run = { advances: [], events: 0, isIncomplete: false }

/** The condition on the companies of a transaction. On Citus a transaction has one, as a value, so that its statements go to one shard. */
const ofCompanies = (tx: Tx, ids: string[]): Sql =>
  tx.isDistributed ? sql`company_id = ${ids[0]}` : sql`company_id = ANY (${ids}::uuid[])`

/**
 * Locks the feeds of some companies, except those that another process has locked. This is a statement of its own: the next one sees every event that
 * was committed before the lock was free, so that two changes of one row, which its row lock put in order, cannot get positions in the wrong order.
 */
async function lockFeeds(tx: Tx, ids: string[]): Promise<Advance[]> {
  const locked = await tx.query<Advance>(
    sql`SELECT company_id, last FROM feed_heads WHERE ${ofCompanies(tx, ids)} ORDER BY company_id FOR UPDATE SKIP LOCKED`,
  )
  const missing = ids.filter((id) => !locked.some(({ company_id }) => company_id === id))
  if (missing.length === 0) return locked
  // The first event of a company. Its feed is locked the next time.
  const columns = [missing, missing.map(() => 1), missing.map(() => 0)]
  tx.send(
    sql`INSERT INTO feed_heads (company_id, first, last) ${rowsOf(tx, ['uuid', 'bigint', 'bigint'], columns)} ON CONFLICT (company_id) DO NOTHING`,
  )
  return locked
}

const takeWaiting = (tx: Tx, ids: string[]) => {
  const first = sql`SELECT id FROM outbox WHERE ${ofCompanies(tx, ids)} ORDER BY company_id, id LIMIT ${sql.number(MAX_EVENTS)}`
  return tx.query<Waiting>(
    sql`DELETE FROM outbox WHERE ${ofCompanies(tx, ids)} AND id IN (${first}) RETURNING company_id, id, resource_id, version`,
  )
}

/** Gives the waiting events of some companies their positions, in one transaction: all of them get one, or none. */
async function sequenceCompanies(tx: Tx, ids: string[]): Promise<Run> {
  const heads = await lockFeeds(tx, ids)
  const isLocked = heads.length < ids.length
  if (heads.length === 0) return { ...NOTHING, isIncomplete: isLocked }
  const taken = Map.groupBy(
    await takeWaiting(
      tx,
      heads.map(({ company_id }) => company_id),
    ),
    ({ company_id }) => company_id,
  )
  const advanced: Advance[] = []
  const placed: (Waiting & { position: number })[] = []
  for (const { company_id, last } of heads) {
    const events = inOrder(taken.get(company_id) ?? [])
    if (events.length === 0) continue
    placed.push(...events.map((event, i) => ({ ...event, position: last + 1 + i })))
    advanced.push({ company_id, last: last + events.length })
  }
  if (placed.length === 0) return { ...NOTHING, isIncomplete: isLocked }
  const now = tx.now()
  const feed = [
    placed.map(({ company_id }) => company_id),
    placed.map(({ position }) => position),
    placed.map(({ id }) => id),
    placed.map(() => now),
  ]
  tx.send(sql`
    INSERT INTO feed (company_id, position, event_id, date_created) ${rowsOf(tx, ['uuid', 'bigint', 'uuid', 'timestamptz'], feed)}`)
  const head = [advanced.map(({ company_id }) => company_id), advanced.map(({ last }) => last), advanced.map(() => 1)]
  tx.send(sql`
    INSERT INTO feed_heads (company_id, last, first) ${rowsOf(tx, ['uuid', 'bigint', 'bigint'], head)}
    ON CONFLICT (company_id) DO UPDATE SET last = excluded.last`)
  return { advances: advanced, events: placed.length, isIncomplete: isLocked || placed.length === MAX_EVENTS }
}

type SequencedDb = Pick<Database, 'query' | 'transaction' | 'isDistributed' | 'now' | 'newId'>

/** Sequences companies together, or one by one: on Citus, and if together they fail, so that the fault of one does not stop all others. */
async function sequenceEach(db: SequencedDb, ids: string[]): Promise<Run[]> {
  const together = () => db.transaction((tx) => sequenceCompanies(tx, ids))
  const isFaulty = (error: unknown): Run => {
    if (ids.length === 1 || error instanceof DatabaseUnavailable) throw error
    return { ...NOTHING, isIncomplete: true, fault: error }
  }
  if (!db.isDistributed || ids.length === 1) {
    const done = await together().catch(isFaulty)
    if (done.fault === undefined) return [done]
  }
  const runs: Run[] = []
  for (const id of ids) runs.push(await db.transaction((tx) => sequenceCompanies(tx, [id])).catch(isFaulty))
  return runs
}

/**
 * Gives every committed event that has none a position in the feed of its company: dense, and never lower than one that a reader may have seen. Any number
 * of processes may do it at once, and be killed at any moment.
 */
export async function runSequencer(db: SequencedDb, after = NOBODY): Promise<Run> {
  const ids = await companiesWithRows(db, 'outbox', after)
  // The next run begins again with the first company.
  const isPartial = after !== NOBODY
  if (ids.length === 0) return { ...NOTHING, isIncomplete: isPartial }
  const runs = await sequenceEach(db, ids)
  const isFull = ids.length === MAX_COMPANIES
  const fault = runs.find((run) => run.fault !== undefined)?.fault
  return {
    advances: runs.flatMap(({ advances }) => advances),
    events: runs.reduce((sum, { events }) => sum + events, 0),
    ...(isFull && { after: ids.at(-1) as string }),
    ...(fault !== undefined && { fault }),
    isIncomplete: isFull || isPartial || runs.some(({ isIncomplete }) => isIncomplete),
  }
}

/** Runs the sequencer once, and returns the feeds that got longer. */
export const sequence = async (db: SequencedDb): Promise<Advance[]> => (await runSequencer(db)).advances

import type { Database } from '../db/client.ts'
import { purgeFeed } from '../events/retention.ts'
import type { MaintenanceDb } from './batches.ts'
import { countSettled } from './count-settled.ts'
import {
  purgeArchivedRows,
  purgeCampaigns,
  purgeCharacters,
  purgeCompanies,
  purgeCreations,
  purgeDeliveries,
  purgeKeys,
  purgeLinks,
  purgeReplies,
  purgeSecrets,
  purgeSessions,
  purgeTokens,
} from './purge.ts'
import { purgeUsers } from './purge-users.ts'

const HOUR_MS = 3_600_000
const REPLY_LIFETIME_MS = HOUR_MS
const RESTORABLE_MS = 30 * 24 * HOUR_MS
/** How long the feed can be followed back. */
const FEED_MS = 30 * 24 * HOUR_MS
const EXPIRED_TOKEN_MS = 24 * HOUR_MS
const INTERVAL_MS = 60_000

type Step = (db: MaintenanceDb, now: number) => Promise<number>
const whenNoLongerRestorable =
  (purge: (db: MaintenanceDb, before: Date) => Promise<number>): Step =>
  (db, now) =>
    purge(db, new Date(now - RESTORABLE_MS))

const purgeOldReplies: Step = (db, now) => purgeReplies(db, new Date(now - REPLY_LIFETIME_MS))

/** An expired token is kept for a while, so that a client which sends it learns that it has expired, and not that it is unknown. */
const purgeExpiredTokens: Step = (db, now) => purgeTokens(db, new Date(now - EXPIRED_TOKEN_MS))

/** The steps of a run. Each fails on its own; a failure does not stop the next one. */
const STEPS = {
  replies: purgeOldReplies,
  keys: purgeKeys,
  tokens: purgeExpiredTokens,
  sessions: purgeSessions,
  links: purgeLinks,
  creations: purgeCreations,
  secrets: purgeSecrets,
  deliveries: whenNoLongerRestorable(purgeDeliveries),
  characters: whenNoLongerRestorable(purgeCharacters),
  things: whenNoLongerRestorable(purgeArchivedRows),
  users: whenNoLongerRestorable(purgeUsers),
  campaigns: whenNoLongerRestorable(purgeCampaigns),
  companies: whenNoLongerRestorable(purgeCompanies),
  positions: (db, now) => purgeFeed(db, new Date(now - FEED_MS)),
} satisfies Record<string, Step>

/** The number of rows of each kind that a run removed. */
type Removed = Record<keyof typeof STEPS, number>

/** Removes expired rows. Safe to run in several processes at once, and to kill at any moment. */
export async function runMaintenance(db: MaintenanceDb, onError?: (error: unknown) => void): Promise<Removed> {
  const now = db.now().getTime()
  const removed = Object.fromEntries(Object.keys(STEPS).map((kind) => [kind, 0])) as Removed
  for (const [kind, step] of Object.entries(STEPS)) {
    try {
      removed[kind as keyof Removed] = await step(db, now)
    } catch (error) {
      if (!onError) throw error
      onError(error)
    }
  }
  return removed
}

interface Listener {
  done(removed: Removed, ms: number): void
  failed(error: unknown): void
}

/**
 * Runs maintenance about once a minute, until the returned function is called. The interval is random, so that processes which were started
 * together do not run it at the same time. Replies and counts have timers of their own, so that a large purge does not delay them.
 */
export function startMaintenance(db: Database, { done, failed }: Listener): () => Promise<void> {
  let isStopped = false
  const maintained: MaintenanceDb = { ...db, isStopping: () => isStopped }
  const running: { [name: string]: Promise<void> | undefined } = {}
  const repeat = (name: string, work: () => Promise<unknown>) =>
    setInterval(
      () => {
        running[name] ??= work()
          .catch(failed)
          .then(() => {
            running[name] = undefined
          })
      },
      INTERVAL_MS * (0.8 + Math.random() * 0.4),
    ).unref()
  const timers = [
    repeat('maintenance', async () => {
      const start = performance.now()
      done(await runMaintenance(maintained, failed), performance.now() - start)
    }),
    repeat('replies', () => purgeOldReplies(maintained, db.now().getTime())),
    repeat('counts', () => countSettled(maintained)),
  ]
  return async () => {
    isStopped = true
    for (const timer of timers) clearInterval(timer)
    await Promise.all(Object.values(running))
  }
}

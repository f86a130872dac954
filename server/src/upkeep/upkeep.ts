import type { Database } from '../db/client.ts'
import type { Upkept } from './batches.ts'
import { archivedCampaigns, archivedCharacters, archivedCompanies, archivedThings, expiredKeys, expiredReplies } from './purge.ts'
import { archivedUsers } from './purge-users.ts'

const HOUR = 3_600_000
const RESTORABLE_FOR = 30 * 24 * HOUR
const EVERY = 60_000

/** What each run of the upkeep removed. */
export interface Removed {
  replies: number
  keys: number
  things: number
  characters: number
  users: number
  campaigns: number
  companies: number
}

/** Each apart from the others: what is in the way of one is not in that of the next. */
const STEPS: [keyof Removed, (db: Upkept, now: number) => Promise<number>][] = [
  ['replies', (db, now) => expiredReplies(db, new Date(now - HOUR))],
  ['keys', (db) => expiredKeys(db)],
  ['characters', (db, now) => archivedCharacters(db, new Date(now - RESTORABLE_FOR))],
  ['things', (db, now) => archivedThings(db, new Date(now - RESTORABLE_FOR))],
  ['users', (db, now) => archivedUsers(db, new Date(now - RESTORABLE_FOR))],
  ['campaigns', (db, now) => archivedCampaigns(db, new Date(now - RESTORABLE_FOR))],
  ['companies', (db, now) => archivedCompanies(db, new Date(now - RESTORABLE_FOR))],
]

/** Removes what has had its time. Safe in several processes at once, and at any moment it is killed. */
export async function upkeep(db: Upkept, failed?: (error: unknown) => void): Promise<Removed> {
  const now = db.now().getTime()
  const removed: Removed = { replies: 0, keys: 0, things: 0, characters: 0, users: 0, campaigns: 0, companies: 0 }
  for (const [what, remove] of STEPS) {
    try {
      removed[what] = await remove(db, now)
    } catch (error) {
      if (!failed) throw error
      failed(error)
    }
  }
  return removed
}

interface Listener {
  done(removed: Removed, ms: number): void
  failed(error: unknown): void
}

/**
 * Runs it now and then, until told to stop. Processes that were started together do not all come at once. Replies have a turn of
 * their own: a large purge is not to keep them waiting.
 */
export function startUpkeep(db: Database, { done, failed }: Listener): () => Promise<void> {
  let stopped = false
  const upkept = { ...db, stopping: () => stopped }
  const under: { [work: string]: Promise<void> | undefined } = {}
  const every = (name: string, work: () => Promise<unknown>) =>
    setInterval(
      () => {
        under[name] ??= work().then(() => {
          under[name] = undefined
        }, failed)
      },
      EVERY * (0.8 + Math.random() * 0.4),
    ).unref()
  const timers = [
    every('upkeep', async () => {
      const begun = performance.now()
      done(await upkeep(upkept, failed), performance.now() - begun)
    }),
    every('replies', () => expiredReplies(upkept, new Date(db.now().getTime() - HOUR))),
  ]
  return async () => {
    stopped = true
    for (const timer of timers) clearInterval(timer)
    await Promise.all(Object.values(under))
  }
}

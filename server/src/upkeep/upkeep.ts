import type { Database } from '../db/client.ts'
import {
  archivedCampaigns,
  archivedCharacters,
  archivedCompanies,
  archivedThings,
  archivedUsers,
  expiredKeys,
  expiredReplies,
} from './purge.ts'

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

/** Removes what has had its time. Safe in several processes at once, and at any moment it is killed. */
export async function upkeep(db: Database): Promise<Removed> {
  const now = db.now().getTime()
  const archived = new Date(now - RESTORABLE_FOR)
  return {
    replies: await expiredReplies(db, new Date(now - HOUR)),
    keys: await expiredKeys(db),
    companies: await archivedCompanies(db, archived),
    campaigns: await archivedCampaigns(db, archived),
    characters: await archivedCharacters(db, archived),
    things: await archivedThings(db, archived),
    users: await archivedUsers(db, archived),
  }
}

interface Listener {
  done(removed: Removed, ms: number): void
  failed(error: unknown): void
}

/** Runs it now and then, until told to stop. Processes that were started together do not all come at once. */
export function startUpkeep(db: Database, { done, failed }: Listener): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    const begun = performance.now()
    await upkeep(db).then((removed) => done(removed, performance.now() - begun), failed)
  }
  const timer = setInterval(
    () => {
      running = running.then(run)
    },
    EVERY * (0.8 + Math.random() * 0.4),
  )
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

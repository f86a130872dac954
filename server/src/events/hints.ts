import pg from 'pg'
import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { noteEnding } from './endings.ts'
import type { Advance } from './sequencer.ts'
import { watchOf } from './watch.ts'

const CHANNEL = 'guildhall_feed'
/** PostgreSQL rejects a longer text. */
const MAX_BYTES = 7900
const RECONNECT_MS = 2000

/**
 * Tells other processes which feeds got longer. Nothing waits for it, and no request does it in its transaction: there, a lock of the whole database would be held
 * until the commit.
 */
export function sendHint(db: Database, advances: Advance[]): void {
  const text = advances.map(({ company_id, last }) => `${company_id}:${last}`).join(',')
  // Too many for one hint: readers find them by polling.
  if (text.length > MAX_BYTES) return
  db.query(sql`SELECT pg_notify(${CHANNEL}, ${text})`).catch(() => {})
}

/** Tells all processes that streams may have to end, with an empty hint. Called after the commit: they look at the database. Nothing fails without it. */
export async function sendEnding(db: Database): Promise<void> {
  noteEnding(db)
  await db.query(sql`SELECT pg_notify(${CHANNEL}, '')`).catch(() => {})
}

const advancesIn = (text: string): Advance[] =>
  text.split(',').map((part) => {
    const [company_id = '', last = '0'] = part.split(':')
    return { company_id, last: Number(last) }
  })

/** Listens for hints, on a connection of its own that is opened again when it is lost. A pooler in transaction mode would pass none on. */
export function receiveHints(url: string, db: Database): () => Promise<void> {
  const watch = watchOf(db)
  let isStopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const connect = async () => {
    client = new pg.Client({ connectionString: url, application_name: 'guildhall-feed', keepAlive: true, connectionTimeoutMillis: 5000 })
    const lose = () => {
      watch.hasHints = false
      client?.removeAllListeners('end')
      client?.end().catch(() => {})
      if (!isStopped) timer = setTimeout(() => void connect(), RECONNECT_MS)
    }
    client.once('end', lose)
    client.on('error', () => {})
    client.on('notification', ({ payload }) => (payload ? watch.advanced(advancesIn(payload)) : noteEnding(db)))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      watch.hasHints = true
    } catch {
      lose()
    }
  }
  void connect()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}

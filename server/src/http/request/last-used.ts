import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

/** Collects when each API key was last used, and writes it at intervals, so that a request costs no statement. */
export interface LastUsed {
  note(key_id: string, time: Date): void
  flush(): Promise<void>
}

export function lastUsed(db: Database): LastUsed {
  let used = new Map<string, Date>()
  return {
    note: (key_id, time) => void used.set(key_id, time),
    async flush() {
      if (used.size === 0) return
      const batch = used
      used = new Map()
      const ids = [...batch.keys()]
      const times = ids.map((id) => batch.get(id)?.toISOString())
      const written = db.transaction(async (tx) => {
        // Locks the rows in one order, so that two processes cannot deadlock.
        await tx.query(sql`SELECT id FROM api_keys WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
        await tx.query(sql`
          UPDATE api_keys k SET date_last_used = u.at
          FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at)
          WHERE k.id = u.id AND (k.date_last_used IS NULL OR k.date_last_used < u.at)`)
      })
      await written.catch((error) => {
        used = new Map([...batch, ...used])
        throw error
      })
    },
  }
}

const WRITE_INTERVAL_MS = 10_000

/** Writes the collected uses at intervals, and a last time when the service stops. */
export function writeKeyUse(app: FastifyInstance, lastUsed: LastUsed): void {
  const onError = (error: unknown) => app.log.warn({ err: error }, 'could not write the last use of API keys')
  const timer = setInterval(() => lastUsed.flush().catch(onError), WRITE_INTERVAL_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await lastUsed.flush().catch(() => {})
  })
}

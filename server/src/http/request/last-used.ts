import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

/** Remembers when each API key was last used, and writes it now and then: a request costs no statement for it. */
export interface LastUsed {
  note(key_id: string, at: Date): void
  flush(): Promise<void>
}

export function lastUsed(db: Database): LastUsed {
  let used = new Map<string, Date>()
  return {
    note: (key_id, at) => void used.set(key_id, at),
    async flush() {
      if (used.size === 0) return
      const batch = used
      used = new Map()
      const ids = [...batch.keys()]
      const times = ids.map((id) => batch.get(id)?.toISOString())
      const written = db.transaction(async (tx) => {
        // In one order, so that two processes never wait for each other in a circle.
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

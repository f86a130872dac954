import type { FastifyInstance } from 'fastify'
import type { Database, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

/** Collects when each API key and user token was last used, and writes it at intervals, so that a request costs no statement. */
export interface LastUsed {
  note(key_id: string, time: Date): void
  noteToken(token_id: string, company_id: string, time: Date): void
  flush(): Promise<void>
}

type Uses = Map<string, Date>
const columnsOf = (uses: Uses) => ({ ids: [...uses.keys()], times: [...uses.values()].map((time) => time.toISOString()) })

/** Locks the rows in one order, so that two processes cannot deadlock. */
async function writeKeys(tx: Tx, uses: Uses): Promise<void> {
  const { ids, times } = columnsOf(uses)
  await tx.query(sql`SELECT id FROM api_keys WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
  await tx.query(sql`
    UPDATE api_keys k SET date_last_used = u.at
    FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at)
    WHERE k.id = u.id AND (k.date_last_used IS NULL OR k.date_last_used < u.at)`)
}

/** Writes the uses of the tokens of one company, because a transaction changes rows of one company only. */
async function writeTokens(tx: Tx, company_id: string, uses: Uses): Promise<void> {
  const { ids, times } = columnsOf(uses)
  await tx.query(sql`
    SELECT id FROM user_tokens WHERE company_id = ${company_id} AND id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
  await tx.query(sql`
    UPDATE user_tokens t SET date_last_used = u.at
    FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at)
    WHERE t.company_id = ${company_id} AND t.id = u.id AND (t.date_last_used IS NULL OR t.date_last_used < u.at)`)
}

export function lastUsed(db: Database): LastUsed {
  let keys: Uses = new Map()
  let tokens = new Map<string, Uses>()

  async function flushKeys(): Promise<void> {
    if (keys.size === 0) return
    const batch = keys
    keys = new Map()
    await db
      .transaction((tx) => writeKeys(tx, batch))
      .catch((error) => {
        keys = new Map([...batch, ...keys])
        throw error
      })
  }

  async function flushTokens(): Promise<void> {
    const batches = tokens
    tokens = new Map()
    for (const [company_id, batch] of batches) {
      // If the database fails, the rest is left out: the next use of each token is noted again.
      await db.transaction((tx) => writeTokens(tx, company_id, batch))
    }
  }

  return {
    note: (key_id, time) => void keys.set(key_id, time),
    noteToken(token_id, company_id, time) {
      const uses = tokens.get(company_id) ?? new Map()
      tokens.set(company_id, uses.set(token_id, time))
    },
    async flush() {
      await flushKeys()
      await flushTokens()
    },
  }
}

const WRITE_INTERVAL_MS = 10_000

/** Writes the collected uses at intervals, and a last time when the service stops. */
export function writeKeyUse(app: FastifyInstance, lastUsed: LastUsed): void {
  const onError = (error: unknown) => app.log.warn({ err: error }, 'could not write the last use of API keys and user tokens')
  const timer = setInterval(() => lastUsed.flush().catch(onError), WRITE_INTERVAL_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await lastUsed.flush().catch(() => {})
  })
}

import type pg from 'pg'
import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

// A copy of a database must not call the endpoints of the original: its webhooks wait until somebody enables them. Nothing is recorded for that, because nobody did it.

const DISABLED =
  "status = 'DISABLED', disabled_reason = 'RESTORED', version = version + 1, date_modified = date_trunc('milliseconds', now())"

/** Disables all webhooks, in the transaction of a restore. */
export async function disableRestoredWebhooks(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('webhooks') IS NOT NULL AS exists")
  // A backup of an earlier version has no webhooks.
  if (rows[0]?.exists) await client.query(`UPDATE webhooks SET ${DISABLED} WHERE status = 'ENABLED'`)
}

/** Disables all webhooks of a database that was copied to another server. */
export const disableCopiedWebhooks = (db: Database): Promise<unknown> =>
  db.transaction((tx) => tx.query(sql`UPDATE webhooks SET ${sql.raw(DISABLED)} WHERE status = 'ENABLED' RETURNING 1 AS one`))

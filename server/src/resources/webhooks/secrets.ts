import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { newWebhookSecret, secretText } from '../../outbound/sign.ts'

declareTable('webhook_secrets', undefined, { partOf: { webhooks: 'webhook_id' } })

interface OfWebhook {
  company_id: string
  id: string
}

/** Creates the secret of a webhook, and returns it as it is shown once. */
export function issueSecret(tx: Tx, { company_id, id }: OfWebhook): string {
  const secret = newWebhookSecret()
  tx.send(sql`
    INSERT INTO webhook_secrets (company_id, id, webhook_id, secret, date_created)
    VALUES (${company_id}, ${tx.newId()}, ${id}, ${secret}, ${tx.now()})`)
  return secretText(secret)
}

/** Replaces the secret of a webhook, which its caller has locked. The old one signs, too, until the overlap is over; without an overlap, all others end at once. */
export async function rotateSecret(tx: Tx, { company_id, id }: OfWebhook, overlapSeconds: number): Promise<string> {
  const now = tx.now()
  const expiring = await tx.query(sql`
    SELECT 1 AS one FROM webhook_secrets WHERE company_id = ${company_id} AND webhook_id = ${id} AND date_expires > ${now}`)
  if (expiring.length && overlapSeconds > 0)
    conflict(
      'rotating',
      'The secret was rotated already, and the old one still signs. Wait until it expires, or rotate with an overlap of 0, which ends both.',
    )
  tx.send(sql`
    UPDATE webhook_secrets SET date_expires = ${new Date(now.getTime() + overlapSeconds * 1000)}
    WHERE company_id = ${company_id} AND webhook_id = ${id} AND (date_expires IS NULL OR date_expires > ${now})`)
  return issueSecret(tx, { company_id, id })
}

/** The secrets that sign now, the current one first. */
export async function signingSecrets(db: Db, { company_id, id }: OfWebhook) {
  return db.query<{ secret: Buffer; date_created: string; date_expires: string | null }>(sql`
    SELECT secret, date_created, date_expires FROM webhook_secrets
    WHERE company_id = ${company_id} AND webhook_id = ${id} AND (date_expires IS NULL OR date_expires > ${db.now()})
    ORDER BY date_expires DESC NULLS FIRST`)
}

import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'

/** Other processes leave a webhook alone for this long after its process was last heard of. */
export const LEASE_MS = 20_000

/** A webhook that this process delivers for now. */
export interface Lease {
  company_id: string
  id: string
  lease: string
}

/** A webhook with something to do, and the tenant from whose share it takes: the developer who has been an OWNER of its company for longest. */
interface Due extends Pick<Lease, 'company_id' | 'id'> {
  tenant_id: string
}

/** The condition that no process has the webhook of a row `r`. A lease that is over belonged to a process that died. */
const isFree = (now: Date): Sql => sql`(r.lease IS NULL OR r.date_leased <= ${now})`

/**
 * Finds webhooks with something to do that no process has: of some companies, or of all. The first ones of all tenants come before the second ones, and those that were not
 * delivered for longest before the others, so that webhooks that always have something to do keep none waiting for more than a round. Each is then claimed by a statement
 * of its own, because rows can be locked on one machine of a cluster only.
 */
export const findDue = (db: Db, now: Date, limit: number, companies?: string[]): Promise<Due[]> =>
  db.query<Due>(sql`
    SELECT company_id, id, tenant_id FROM (
      SELECT due.*, row_number() OVER (PARTITION BY tenant_id ORDER BY date_leased NULLS FIRST, id) AS turn FROM (
        SELECT r.company_id, r.id, r.date_leased, coalesce(owner.id, r.company_id) AS tenant_id FROM webhook_runs r
        JOIN webhooks w ON w.company_id = r.company_id AND w.id = r.id AND w.status = 'ENABLED' AND w.date_archived IS NULL
        JOIN companies c ON c.id = r.company_id AND c.date_archived IS NULL
        LEFT JOIN feed_heads h ON h.company_id = r.company_id
        LEFT JOIN LATERAL (
          SELECT (array_agg(g.id ORDER BY g.date_created, g.id))[1] AS id FROM grants g
          WHERE g.company_id = r.company_id AND g.permission = 'OWNER' GROUP BY g.company_id
        ) owner ON true
        WHERE ${companies ? sql`r.company_id = ANY (${companies}::uuid[])` : sql`true`} AND ${isFree(now)}
          AND (r.date_due <= ${now} OR (r.follows AND h.last > r.position) OR r.lease IS NOT NULL)
      ) due
    ) found ORDER BY turn, date_leased NULLS FIRST, id LIMIT ${limit}`)

/** Claims a webhook. Null if another process was faster. */
export async function claim(tx: Tx, { company_id, id }: Due, now: Date, leaseMs: number): Promise<Lease | null> {
  const lease = randomUUID()
  const claimed = await tx.query(sql`
    UPDATE webhook_runs r SET lease = ${lease}, date_leased = ${new Date(now.getTime() + leaseMs)}
    WHERE r.company_id = ${company_id} AND r.id = ${id} AND ${isFree(now)} RETURNING 1 AS one`)
  return claimed.length ? { company_id, id, lease } : null
}

/** The condition that a row `r` of webhook_runs is still leased to this process. */
export const isHeld = ({ company_id, id, lease }: Lease, now: Date): Sql =>
  sql`r.company_id = ${company_id} AND r.id = ${id} AND r.lease = ${lease} AND r.date_leased > ${now}`

/** Keeps a webhook for longer. */
export const renew = (tx: Tx, held: Lease, now: Date, leaseMs: number): void =>
  tx.send(sql`UPDATE webhook_runs r SET date_leased = ${new Date(now.getTime() + leaseMs)} WHERE ${isHeld(held, now)}`)

/** Gives a webhook back, and says when somebody has to look at it again. The end of the lease stays: it decides whose turn it is. */
export const release = (
  tx: Tx,
  { company_id, id, lease }: Lease,
  { now, dueAt, follows }: { now: Date; dueAt: Date | null; follows: boolean },
): void =>
  tx.send(sql`
    UPDATE webhook_runs SET lease = NULL, date_leased = ${now}, date_due = ${dueAt}, follows = ${follows}
    WHERE company_id = ${company_id} AND id = ${id} AND lease = ${lease}`)

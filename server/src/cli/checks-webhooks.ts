import { sql } from '../db/sql.ts'
import { type Finding, good, type Query, warning, wrong } from './finding.ts'

const MAX_OVERDUE_S = 60

interface Counts {
  enabled: number
  failing: number
  disabled: number
  overdue: number
}

/**
 * Checks that somebody delivers, and counts the endpoints that do not accept anything. A webhook is overdue if the time of its next attempt is over, if events wait
 * that it follows, or if the process that had it died and nobody took it over.
 */
export async function checkWebhooks(query: Query, now: () => Date): Promise<Finding> {
  const time = now()
  const before = new Date(time.getTime() - MAX_OVERDUE_S * 1000)
  const [row] = await query<Counts>(sql`
    SELECT count(*) FILTER (WHERE w.status = 'ENABLED')::int AS enabled,
      count(*) FILTER (WHERE w.status = 'ENABLED' AND r.date_failing_since IS NOT NULL)::int AS failing,
      count(*) FILTER (WHERE w.disabled_reason IN ('FAILING', 'GONE'))::int AS disabled,
      count(*) FILTER (WHERE w.status = 'ENABLED' AND (r.lease IS NULL OR r.date_leased < ${time}::timestamptz)
        AND (r.date_due < ${before}::timestamptz OR (r.lease IS NOT NULL AND r.date_leased < ${before}::timestamptz) OR (r.follows AND EXISTS (
          SELECT FROM feed f WHERE f.company_id = r.company_id AND f.position > r.position AND f.date_created < ${before}::timestamptz))))::int AS overdue
    FROM webhooks w JOIN webhook_runs r ON r.company_id = w.company_id AND r.id = w.id
    JOIN companies c ON c.id = w.company_id
    WHERE w.date_archived IS NULL AND c.date_archived IS NULL`)
  const { enabled = 0, failing = 0, disabled = 0, overdue = 0 } = row ?? {}
  if (overdue)
    return wrong(
      'webhooks',
      `${overdue} of ${enabled} have had something to send for more than ${MAX_OVERDUE_S} s, and no process sends it`,
      'Start the service without WEBHOOKS=off, or guildhall deliver. If it runs, its log says why it cannot.',
    )
  const found = `${enabled} enabled, ${failing} of them with an endpoint that fails; ${disabled} disabled because of theirs`
  if (failing || disabled)
    return warning('webhooks', found, 'guildhall webhooks list COMPANY names them. Their owners can repair and enable them.')
  return good('webhooks', enabled ? `${enabled} enabled, and every endpoint accepts what it is sent` : 'none is enabled')
}

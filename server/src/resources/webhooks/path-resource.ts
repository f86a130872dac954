import { sql } from '../../db/sql.ts'
import { COMPANY, jsonOf, pathResource } from '../../http/path.ts'
import type { Webhook } from './schema.ts'

/** A webhook whose deliveries a path leads to. */
export const webhook = pathResource(COMPANY, 'webhooks', {
  name: 'webhook',
  ofCompany: true,
  table: 'webhooks',
  join: (id, company_id) => sql`LEFT JOIN webhooks webhook ON webhook.company_id = ${company_id} AND webhook.id = ${id}`,
  row: jsonOf<Pick<Webhook, 'id' | 'status'>>(sql`CASE WHEN webhook.id IS NOT NULL
    THEN json_build_object('id', webhook.id, 'status', webhook.status, 'archived', webhook.date_archived IS NOT NULL) END`),
})

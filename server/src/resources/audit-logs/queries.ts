import type { Static } from '@guildhall/rules/type'
import type { Db } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { changesCut, shownChanges } from '../../events/changes.ts'
import { totalOfEvents, uncountEvents } from '../../events/total.ts'
import { type AuditLog, type AuditLogQuery, AuditLogRow } from './schema.ts'

declareTable('events', AuditLogRow, {
  // The event of the purge itself stays, even if another process still deletes the rest.
  partOf: { campaigns: { column: 'campaign_id', when: sql`type <> 'campaign.purged'` } },
  afterDeleting: uncountEvents,
})

const columns = columnsOf(AuditLogRow)
const shown = excerptColumnsOf(AuditLogRow, 'page', { changes: changesCut })
const extras = { page: 'page', join: shownChanges }

export function listAuditLogs(db: Db, company_id: string, query: Static<typeof AuditLogQuery>) {
  const { type, resource_type, resource_id, developer_id, user_id, request_id, from, to } = query
  // An event type begins with its resource type, which is the leading column of the index.
  const equal = { company_id, resource_type: resource_type ?? type?.split('.')[0], type, resource_id, developer_id, user_id, request_id }
  const where = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => sql`${sql.id(key)} = ${value}`)
  where.push(...between(sql`id`, from, to))
  // Any filter is one condition more.
  const total = where.length === 1 ? totalOfEvents(company_id) : undefined
  return list<Static<typeof AuditLog>>(db, { columns, shown, from: sql`events`, where, extras, total }, query)
}

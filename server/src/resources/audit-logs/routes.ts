import { administering } from '../../core/access.ts'
import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { listAuditLogs } from './queries.ts'
import { AuditLog, AuditLogQuery } from './schema.ts'

export const auditLogs = [
  operation({
    id: 'auditLogs.list',
    method: 'GET',
    path: '/companies/{company_id}/audit-logs',
    needs: administering('ADMIN'),
    summary: 'List what was changed in a company, by whom',
    query: AuditLogQuery,
    reply: [200, Paged(AuditLog)],
    run: ({ db, params, query }) => listAuditLogs(db, params.company_id, query),
  }),
]

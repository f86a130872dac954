import { administering } from '../../core/access.ts'
import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { listAuditLogs } from './queries.ts'
import { AuditLog, AuditLogQuery } from './schema.ts'

export const auditLogs = resource(
  {
    'Audit logs': 'Every change made in a company, with the caller and the values before and after',
  },
  [
    operation({
      id: 'auditLogs.list',
      method: 'GET',
      path: below(COMPANY, 'audit-logs'),
      needs: administering('ADMIN'),
      summary: 'List the changes made in a company',
      query: AuditLogQuery,
      reply: [200, Paged(AuditLog)],
      run: ({ db, params, query }) => listAuditLogs(db, params.company_id, query),
    }),
  ],
)

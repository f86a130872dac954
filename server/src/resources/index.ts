// The whole API, in import order: a resource may use only those above it.

import { admin } from './admin/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { companies } from './companies/routes.ts'
import { developers } from './developers/routes.ts'
import { grants } from './grants/routes.ts'
import { keys } from './keys/routes.ts'
import { options } from './options/routes.ts'
import { users } from './users/routes.ts'

const resources = [...developers, ...keys, ...admin, ...companies, ...grants, ...users, ...auditLogs]

export const operations = [...resources, ...options(resources)]

// The whole API: a resource may use only those listed before it.

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

/** What each part of the API is about, for its reference. */
export const about = {
  Me: 'Who you are: the developer behind the API key',
  Keys: 'Your API keys: see, rotate and revoke them',
  'Admin developers': 'For operators: the accounts of the service',
  'Admin keys': 'For operators: the API keys of those accounts',
  Companies: 'The tenants: a company owns its users, campaigns and everything of them',
  Grants: 'Which developers reach a company, and what they may do there',
  Users: 'The people who play; link each user of your application to one',
  'Audit logs': 'What was changed in a company, by whom, from what to what',
  Options: 'Every enumerated value the API accepts',
}

// Tables and invariants are declared beside the queries that use them. Code that needs every one of them imports this file, which loads
// all modules that declare any.

import '../db/counters.ts'
import '../db/migrate.ts'
import '../events/tables.ts'
import '../http/request/idempotency.ts'
import './index.ts'

export { invariants } from '../db/invariants.ts'
export {
  companyTables,
  countedTables,
  type DeclaredTable,
  declaredTable,
  declaredTables,
  isPartOf,
  partsOf,
  referencesOf,
} from '../db/registry.ts'
export { settled } from '../db/settled.ts'

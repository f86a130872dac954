import type { Static } from 'typebox'
import type { Role } from '../../core/access.ts'
import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { lockCompany } from '../companies/queries.ts'
import { insertSeeds } from '../dice-seeds/insert.ts'
import { User, type UserCreate, type UserPatch } from './schema.ts'

const users = table('users', User, {
  noun: 'User',
  purges: true,
  counts: true,
  conflicts: {
    users_external_id: 'Another user of this company has this external_id. Find that user with ?external_id=, or choose another value.',
  },
})

interface Filters extends Listed {
  role?: Role
  external_id?: string
}

export function listUsers(db: Db, company_id: string, filters: Filters, mayRestore: boolean) {
  const { role, external_id } = filters
  return users.list(db, { company_id, ...(role && { role }), ...(external_id !== undefined && { external_id }) }, filters, {
    restorable: mayRestore,
  })
}

export const getUser = (db: Db, company_id: string, id: string) => users.get(db, { company_id, id })

/** Gets a user and keeps them from being archived until the transaction ends, because something refers to them. */
export const holdUser = (db: Tx, company_id: string, id: string) => users.hold(db, { company_id, id })

export const createUser = (db: Tx, company_id: string, body: Static<typeof UserCreate>) =>
  users.insert(db, { ...body, company_id }, (user_id) => [insertSeeds(db, [{ company_id, user_id }])])

/** Rejects a change that would leave the company without an ADMIN. The company must be locked. */
async function refuseLastAdmin(db: Db, { company_id, id, role }: User) {
  if (role !== 'ADMIN') return
  const [other] = await db.query(sql`
    SELECT 1 AS one FROM users
    WHERE company_id = ${company_id} AND role = 'ADMIN' AND id <> ${id} AND date_archived IS NULL LIMIT 1`)
  if (!other) conflict('last_admin', 'This is the last ADMIN user of the company. Make another user ADMIN first.')
}

export async function updateUser(db: Tx, company_id: string, id: string, patch: Static<typeof UserPatch>) {
  const demotes = patch.role !== undefined && patch.role !== 'ADMIN'
  if (patch.role !== undefined) await lockCompany(db, company_id)
  return users.update(db, { company_id, id }, patch, (user) => demotes && refuseLastAdmin(db, user))
}

export async function archiveUser(db: Tx, company_id: string, id: string) {
  await lockCompany(db, company_id)
  return users.archive(db, { company_id, id }, (user) => !user.date_archived && refuseLastAdmin(db, user))
}

export async function restoreUser(db: Tx, company_id: string, id: string) {
  await lockCompany(db, company_id)
  return users.restore(db, { company_id, id })
}

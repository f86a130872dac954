import type { Static } from '@guildhall/rules/type'
import { administers, knowsIdentities, type Role } from '../../core/access.ts'
import { NOBODY } from '../../core/ids.ts'
import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { DatabaseBusy } from '../../db/driver/connection-errors.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Caller } from '../../http/caller.ts'
import { lockCompany } from '../companies/queries.ts'
import { insertSeeds } from '../dice-seeds/insert.ts'
import { User, type UserCreate, type UserPatch } from './schema.ts'

const users = table('users', User, {
  noun: 'User',
  purges: true,
  counts: true,
})

interface Filters extends Listed {
  role?: Role
}

/** Lists users. A caller who sees no external ids but their own finds nobody else by one. */
export function listUsers(db: Db, company_id: string, filters: Filters, caller: Pick<Caller, 'permission' | 'actor'>) {
  const { role, external_id } = filters
  const isOwn = external_id !== undefined && !knowsIdentities(caller) ? [sql`id = ${caller.actor?.id ?? NOBODY}`] : []
  return users.list(db, { company_id, ...(role && { role }) }, filters, { where: isOwn, restorable: administers(caller) })
}

export const getUser = (db: Db, company_id: string, id: string) => users.get(db, { company_id, id })

/** Gets a user and keeps them from being archived until the transaction ends, because something refers to them. */
export const holdUser = (db: Tx, company_id: string, id: string) => users.hold(db, { company_id, id })

export const createUser = (db: Tx, company_id: string, body: Static<typeof UserCreate>) =>
  users.insert(db, { ...body, company_id }, (user_id) => [insertSeeds(db, [{ company_id, user_id }])])

/** How often to look for a user with an external id that was taken, if the user is archived at the same moment. */
const MAX_TRIES = 3

/** Creates the user with this external id, unless there is one. Of concurrent calls the first creates the user, and the others find them. */
export async function linkUser(
  db: Tx,
  company_id: string,
  external_id: string,
  { name, role }: Pick<User, 'name' | 'role'>,
  caller: Pick<Caller, 'permission' | 'actor'>,
) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findLinked(db, company_id, external_id)
    if (found?.date_archived) refuseArchived(found, caller)
    if (found) return { before: found, after: found }
    const change = await users.insertIfNew(db, { name, role, external_id, company_id }, (user_id) => [
      insertSeeds(db, [{ company_id, user_id }]),
    ])
    if (change) return change
  }
  throw new DatabaseBusy('The user with this external id is archived and created again all the time')
}

/** Finds the live user with an external id, or else the one who was archived last. */
async function findLinked(db: Db, company_id: string, external_id: string): Promise<User | undefined> {
  const [found] = await db.query<User>(sql`
    SELECT ${users.columns} FROM users WHERE company_id = ${company_id} AND external_id = ${external_id} AND date_archived IS NULL
    UNION ALL (
      SELECT ${users.columns} FROM users WHERE company_id = ${company_id} AND external_id = ${external_id} AND date_archived IS NOT NULL
      ORDER BY date_archived DESC LIMIT 1)
    ORDER BY date_archived DESC NULLS FIRST LIMIT 1`)
  return found
}

const refuseArchived = ({ id }: User, caller: Pick<Caller, 'permission' | 'actor'>) =>
  conflict(
    'user_archived',
    'The user with this external_id is archived. Restore that user, or create another one with POST.',
    administers(caller) ? { id } : {},
  )

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

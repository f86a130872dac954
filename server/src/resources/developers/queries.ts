import type { Static } from '@guildhall/rules/type'
import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { list, type Page } from '../../db/list.ts'
import { sql } from '../../db/sql.ts'
import { type Change, table } from '../../db/table.ts'
import { type Developer, DeveloperRow, type ListedDeveloper, MAX_LISTED_COMPANIES } from './schema.ts'

const rows = table('developers', DeveloperRow, { noun: 'Developer', key: ['id'], distribution: 'reference' })

const accessibleCompanies = sql`grants g JOIN companies c ON c.id = g.company_id AND c.date_archived IS NULL`

/**
 * The live companies that a developer has access to. They are sorted before they are aggregated, and json is used instead of jsonb: with
 * 30,000 companies, this takes a third of the time. OFFSET 0 keeps the order on Citus, which would otherwise aggregate on each worker.
 */
const companiesOf = (id: string) => sql`coalesce((
  SELECT json_agg(x) FROM (SELECT g.company_id, g.permission FROM ${accessibleCompanies} WHERE g.id = ${id} ORDER BY g.company_id OFFSET 0) x), '[]')`

type FirstCompanies = Pick<ListedDeveloper, 'id' | 'companies' | 'companies_total'>

/** The first companies of each of these developers, and how many each has. */
const firstCompaniesOf = (ids: string[]) => sql`
  SELECT id, companies_total, json_agg(json_build_object('company_id', company_id, 'permission', permission) ORDER BY company_id) AS companies
  FROM (SELECT g.id, g.company_id, g.permission, count(*) OVER (PARTITION BY g.id) AS companies_total,
      row_number() OVER (PARTITION BY g.id ORDER BY g.company_id) AS place
    FROM ${accessibleCompanies} WHERE g.id = ANY (${ids}::uuid[])) ranked
  WHERE place <= ${sql.number(MAX_LISTED_COMPANIES)} GROUP BY id, companies_total`

const withCompanies = async (db: Db, { before, after }: Change<unknown>) => {
  const reply = await getDeveloper(db, ((after ?? before) as { id: string }).id)
  return { before, after, reply }
}

export async function getDeveloper(db: Db, id: string): Promise<Developer> {
  const [found] = await db.query<Developer>(sql`SELECT ${rows.columns}, ${companiesOf(id)} AS companies FROM developers WHERE id = ${id}`)
  return found ?? notFound('Developer')
}

/** The companies are read by a second statement: they may be on other machines than the developers, so the first cannot look them up row by row. */
export async function listDevelopers(db: Db, listed: Listed): Promise<Page<ListedDeveloper>> {
  const page = await list<Static<typeof DeveloperRow>>(
    db,
    { columns: rows.columns, from: sql`developers`, where: [sql`true`], name: sql`name_key` },
    listed,
  )
  const found = await db.query<FirstCompanies>(firstCompaniesOf(page.items.map(({ id }) => id)))
  const byId = new Map(found.map((row) => [row.id, row]))
  const items = page.items.map((developer) => {
    const { companies = [], companies_total = 0 } = byId.get(developer.id) ?? {}
    return { ...developer, companies, companies_total, truncated: companies_total > companies.length }
  })
  return { ...page, items }
}

/** A new developer has no companies. */
export async function createDeveloper(db: Tx, values: { name: string; is_global_admin?: boolean }) {
  const change = await rows.insert(db, values)
  return { ...change, reply: { ...change.after, companies: [] } }
}

/** Locks every global admin, in one order, so that two transactions cannot both remove the last one. Returns their ids. */
const lockGlobalAdmins = async (db: Tx): Promise<string[]> =>
  (await db.query<{ id: string }>(sql`SELECT id FROM developers WHERE is_global_admin ORDER BY id FOR NO KEY UPDATE`)).map(({ id }) => id)

/** Rejects a change that would leave the service without a global admin. `admins` must be locked. */
function refuseLastGlobalAdmin(admins: string[], id: string): void {
  if (admins.length === 1 && admins[0] === id)
    conflict('last_global_admin', 'This is the last global admin of the service. Make another developer a global admin first.')
}

export async function updateDeveloper(db: Tx, id: string, patch: { name?: string; is_global_admin?: boolean }) {
  if (patch.is_global_admin === false) refuseLastGlobalAdmin(await lockGlobalAdmins(db), id)
  return withCompanies(db, await rows.update(db, { id }, patch))
}

/** Keeps a developer from being deleted until the transaction ends. Throws a 404 problem if it does not exist. */
export async function holdDeveloper(db: Tx, id: string): Promise<void> {
  const found = await db.query(sql`SELECT id FROM developers WHERE id = ${id} FOR KEY SHARE`)
  if (!found.length) notFound('Developer')
}

/** Locks the companies that a developer has access to, in one order. If they are distributed, each is locked by a statement of its own. */
async function lockCompaniesOf(db: Tx, id: string): Promise<void> {
  const granted = sql`SELECT company_id FROM grants WHERE grants.id = ${id}`
  if (!db.isDistributed) {
    await db.query(sql`SELECT id FROM companies WHERE id IN (${granted}) ORDER BY id FOR NO KEY UPDATE`)
    return
  }
  for (const { company_id } of await db.query<{ company_id: string }>(sql`${granted} ORDER BY company_id`))
    db.send(sql`SELECT id FROM companies WHERE id = ${company_id} FOR NO KEY UPDATE`)
}

/**
 * Deletes an account with its keys, sessions and grants, unless the service would be left without a global admin, or a company without an OWNER.
 * Locks the global admins first, then the account, then its companies: nothing can be granted to the account in the meantime, and two
 * transactions cannot both remove the last admin or owner.
 */
export async function deleteDeveloper(db: Tx, id: string) {
  refuseLastGlobalAdmin(await lockGlobalAdmins(db), id)
  await db.query(sql`SELECT id FROM developers WHERE id = ${id} FOR UPDATE`)
  await lockCompaniesOf(db, id)
  const orphaned = await db.query<{ id: string; name: string }>(sql`
    SELECT c.id, c.name FROM grants g JOIN companies c ON c.id = g.company_id
    WHERE g.id = ${id} AND g.permission = 'OWNER'
      AND NOT EXISTS (SELECT FROM grants o WHERE o.company_id = g.company_id AND o.permission = 'OWNER' AND o.id <> ${id})
    ORDER BY c.id LIMIT 20`)
  if (orphaned.length) {
    const names = orphaned.map((company) => `${company.name} (${company.id})`).join(', ')
    conflict('last_owner', `The developer is the last OWNER of ${names}. Give another developer the permission OWNER there first.`)
  }
  const grants = await db.query<{ id: string; company_id: string; permission: string }>(sql`
    DELETE FROM grants WHERE id = ${id} RETURNING id, company_id, permission`)
  await db.query(sql`DELETE FROM console_sessions WHERE developer_id = ${id}`)
  await db.query(sql`DELETE FROM api_keys WHERE developer_id = ${id}`)
  const removed = await rows.remove(db, { id })
  const sideEvents = grants.map((before) => ({ type: 'grant.removed' as const, company_id: before.company_id, before, after: null }))
  return { ...removed, sideEvents }
}

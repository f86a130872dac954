import type { Static } from '@guildhall/rules/type'
import type { Listed } from '../../core/page.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { Company, type CompanyCreate, type CompanyPatch, DEFAULT_SETTINGS } from './schema.ts'

const companies = table('companies', Company, { noun: 'Company', key: ['id'], distribution: 'id', purges: true })

/** Lists the companies that a developer has access to; of the archived ones, those that they may restore. A global admin has access to all. */
export function listCompanies(db: Db, developer: { id: string; is_global_admin: boolean }, listed: Listed) {
  if (developer.is_global_admin) return companies.list(db, {}, listed, { restorable: true })
  const granted = sql`SELECT company_id FROM grants WHERE grants.id = ${developer.id}`
  return companies.list(db, {}, listed, { where: [sql`id IN (${granted})`], restorable: sql`id IN (${granted} AND permission = 'OWNER')` })
}

export const getCompany = (db: Db, id: string) => companies.get(db, { id })

/** The creator becomes OWNER in the same transaction. */
export async function createCompany(db: Tx, developer_id: string, body: Static<typeof CompanyCreate>) {
  const change = await companies.insert(db, { ...body, settings: { ...DEFAULT_SETTINGS, ...body.settings } })
  const { id, date_created } = change.after
  db.send(sql`
    INSERT INTO grants (company_id, id, permission, date_created, date_modified)
    VALUES (${id}, ${developer_id}, 'OWNER', ${date_created}, ${date_created})`)
  return { ...change, company_id: id }
}

export const updateCompany = (db: Tx, id: string, patch: Static<typeof CompanyPatch>) =>
  companies.update(db, { id }, patch as Partial<Company>)
export const archiveCompany = (db: Tx, id: string) => companies.archive(db, { id })
export const restoreCompany = (db: Tx, id: string) => companies.restore(db, { id })

/** Locks a company while a grant, a role or an archived user changes, so that two transactions cannot both remove the last OWNER or ADMIN. */
export const lockCompany = (db: Tx, id: string) => db.query(sql`SELECT id FROM companies WHERE id = ${id} FOR NO KEY UPDATE`)

import type { Permission } from '../../core/access.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { lockCompany } from '../companies/queries.ts'
import { holdDeveloper } from '../developers/queries.ts'
import { Grant } from './schema.ts'

declareTable('grants', Grant, { references: { developers: 'id' }, joined: ['name'], indexesAcrossCompanies: ['grants_by_developer'] })

export const columns = sql`g.id, g.company_id, d.name, g.permission, g.date_created, g.date_modified, g.version`
export const from = sql`grants g JOIN developers d ON d.id = g.id`

export const listGrants = (db: Db, company_id: string, listed: Listed) =>
  list<Grant>(
    db,
    {
      columns,
      from,
      where: [sql`g.company_id = ${company_id}`],
      name: sql`d.name_key`,
      orders: { date_created: sql`g.date_created` },
      id: sql`g.id`,
      modified: sql`g.date_modified`,
    },
    listed,
  )

/** A grant with the names of the developer and the company, for the command line. */
interface NamedGrant {
  [field: string]: string
  developer_id: string
  developer_name: string
  company_id: string
  company_name: string
  permission: Permission
  date_created: string
}

/** Finds the grants to companies that are not archived, optionally those of one developer or to one company. */
export const findGrants = (db: Db, { developer_id, company_id }: { developer_id?: string; company_id?: string }): Promise<NamedGrant[]> =>
  db.query<NamedGrant>(sql`
    SELECT g.id AS developer_id, d.name AS developer_name, g.company_id, c.name AS company_name, g.permission, g.date_created
    FROM ${from} JOIN companies c ON c.id = g.company_id
    WHERE c.date_archived IS NULL ${developer_id ? sql`AND g.id = ${developer_id}` : sql``} ${company_id ? sql`AND g.company_id = ${company_id}` : sql``}
    ORDER BY g.company_id, g.id`)

const find = async (db: Db, company_id: string, id: string): Promise<Grant | null> =>
  (await db.query<Grant>(sql`SELECT ${columns} FROM ${from} WHERE g.company_id = ${company_id} AND g.id = ${id}`))[0] ?? null

export const getGrant = async (db: Db, company_id: string, id: string): Promise<Grant> =>
  (await find(db, company_id, id)) ?? notFound('Developer')

async function refuseLastOwner(db: Db, { company_id, id }: Grant) {
  const [other] = await db.query(
    sql`SELECT 1 AS one FROM grants WHERE company_id = ${company_id} AND permission = 'OWNER' AND id <> ${id} LIMIT 1`,
  )
  if (!other) conflict('last_owner', 'This is the last OWNER of the company. Give another developer the permission OWNER first.')
}

export async function setGrant(db: Tx, company_id: string, id: string, permission: Permission) {
  await holdDeveloper(db, id)
  await lockCompany(db, company_id)
  const before = await find(db, company_id, id)
  if (before?.permission === permission) return { before, after: before }
  if (before?.permission === 'OWNER') await refuseLastOwner(db, before)
  const now = db.now()
  await db.query(sql`
    INSERT INTO grants AS g (company_id, id, permission, date_created, date_modified)
    VALUES (${company_id}, ${id}, ${permission}, ${now}, ${now})
    ON CONFLICT (company_id, id) DO UPDATE
      SET permission = EXCLUDED.permission, date_modified = EXCLUDED.date_modified, version = g.version + 1`)
  return { before, after: await getGrant(db, company_id, id) }
}

export async function removeGrant(db: Tx, company_id: string, id: string) {
  await lockCompany(db, company_id)
  const before = await getGrant(db, company_id, id)
  if (before.permission === 'OWNER') await refuseLastOwner(db, before)
  await db.query(sql`DELETE FROM grants WHERE company_id = ${company_id} AND id = ${id}`)
  return { before, after: null }
}

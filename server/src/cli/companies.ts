import { getCompany, listCompanies } from '../resources/companies/queries.ts'
import { findGrants } from '../resources/grants/queries.ts'
import type { Command } from './command.ts'
import { allPages, findCompany, withDatabase } from './database.ts'
import { printRow, printRows } from './output.ts'

/** The command line has access to every company. */
const OPERATOR = { id: '', is_global_admin: true }

export const companies: Command[] = [
  {
    words: 'companies list',
    help: 'Lists the companies that are not archived',
    examples: ['guildhall companies list', 'guildhall companies list --json'],
    run: ({ flags, config }) =>
      withDatabase(config, async (db) => {
        const all = await allPages((page) => listCompanies(db, OPERATOR, page))
        printRows(flags.json, all, ['id', 'name', 'email', 'date_created'], 'There are no companies yet.')
      }),
  },
  {
    words: 'companies show',
    args: ['COMPANY_ID'],
    help: 'Shows a company and the developers with access to it',
    examples: ['guildhall companies show 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    run: ({ args: [id = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const company = await getCompany(db, await findCompany(db, id))
        const developers = (await findGrants(db, { company_id: company.id })).map(({ developer_id, developer_name, permission }) => ({
          developer_id,
          developer_name,
          permission,
        }))
        if (flags.json) return printRow(true, { ...company, developers })
        printRow(false, company)
        console.log()
        printRows(false, developers, ['developer_id', 'developer_name', 'permission'], 'No developer has access to it.')
      }),
  },
]

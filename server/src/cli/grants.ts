import { PERMISSIONS, type Permission } from '../core/access.ts'
import { findGrants, removeGrant, setGrant } from '../resources/grants/queries.ts'
import { type Command, refuseUsage } from './command.ts'
import { change, findCompany, findDeveloper, withDatabase } from './database.ts'
import { printDone, printRows } from './output.ts'

const COLUMNS = ['developer_id', 'developer_name', 'company_id', 'company_name', 'permission', 'date_created']

export const grants: Command[] = [
  {
    words: 'grants list',
    flags: {
      developer: { type: 'string', value: 'DEVELOPER', help: 'only grants of this developer, by id or name' },
      company: { type: 'string', value: 'COMPANY_ID', help: 'only grants to this company' },
    },
    help: 'Lists which developers have access to which companies',
    examples: ['guildhall grants list', 'guildhall grants list --developer "Night Club Bot"'],
    run: ({ flags: { developer, company, json }, config }) =>
      withDatabase(config, async (db) => {
        const found = await findGrants(db, {
          ...(typeof developer === 'string' && { developer_id: await findDeveloper(db, developer) }),
          ...(typeof company === 'string' && { company_id: await findCompany(db, company) }),
        })
        printRows(json, found, COLUMNS, 'There are no grants.')
      }),
  },
  {
    words: 'grants set',
    args: ['DEVELOPER', 'COMPANY_ID', 'PERMISSION'],
    help: `Gives a developer access to a company, or changes the permission: ${PERMISSIONS.join(', ')}`,
    examples: ['guildhall grants set "Night Club Bot" 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 ADMIN'],
    run: async ({ args: [developer = '', company = '', given = ''], flags, config }) => {
      const permission = given.toUpperCase() as Permission
      if (!PERMISSIONS.includes(permission)) refuseUsage(`PERMISSION is '${given}'. Expected one of ${PERMISSIONS.join(', ')}.`)
      await withDatabase(config, async (db) => {
        const [id, company_id] = [await findDeveloper(db, developer), await findCompany(db, company)]
        await change(db, 'grant.set', company_id, (tx) => setGrant(tx, company_id, id, permission))
        printDone(flags.json, `Developer ${id} has permission ${permission} in company ${company_id}.`, {
          developer_id: id,
          company_id,
          permission,
        })
      })
    },
  },
  {
    words: 'grants remove',
    args: ['DEVELOPER', 'COMPANY_ID'],
    help: "Removes a developer's access to a company",
    examples: ['guildhall grants remove "Night Club Bot" 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    confirms: ([developer, company]) => `Remove the access of developer '${developer}' to company ${company}?`,
    run: ({ args: [developer = '', company = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const [id, company_id] = [await findDeveloper(db, developer), await findCompany(db, company)]
        await change(db, 'grant.removed', company_id, (tx) => removeGrant(tx, company_id, id))
        printDone(flags.json, `Developer ${id} no longer has access to company ${company_id}.`, {
          developer_id: id,
          company_id,
          permission: null,
        })
      }),
  },
]

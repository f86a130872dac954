import { PERMISSIONS, type Permission } from '../core/access.ts'
import { isId } from '../core/ids.ts'
import type { Db } from '../db/client.ts'
import { getCompany } from '../resources/companies/queries.ts'
import { removeGrant, setGrant } from '../resources/grants/queries.ts'
import { type Command, wrong } from './command.ts'
import { change, findDeveloper, refuse, withDatabase } from './database.ts'
import { printDone } from './output.ts'

const companyOf = async (db: Db, id: string): Promise<string> => {
  if (!isId(id)) return refuse(`'${id}' is not the id of a company.`)
  return (await getCompany(db, id)).id
}

export const grants: Command[] = [
  {
    words: 'grants set',
    args: ['DEVELOPER', 'COMPANY_ID', 'PERMISSION'],
    help: `Gives a developer access to a company, or changes it: ${PERMISSIONS.join(', ')}`,
    examples: ['guildhall grants set "Night Club Bot" 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 ADMIN'],
    run: async ({ args: [developer = '', company = '', given = ''], flags, config }) => {
      const permission = given.toUpperCase() as Permission
      if (!PERMISSIONS.includes(permission)) wrong(`PERMISSION must be one of ${PERMISSIONS.join(', ')}, not '${given}'.`)
      await withDatabase(config, async (db) => {
        const [id, company_id] = [await findDeveloper(db, developer), await companyOf(db, company)]
        await change(db, 'grant.set', company_id, (tx) => setGrant(tx, company_id, id, permission))
        printDone(flags.json, `Developer ${id} is ${permission} in company ${company_id}.`, { developer_id: id, company_id, permission })
      })
    },
  },
  {
    words: 'grants remove',
    args: ['DEVELOPER', 'COMPANY_ID'],
    help: "Takes away a developer's access to a company",
    examples: ['guildhall grants remove "Night Club Bot" 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    run: ({ args: [developer = '', company = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const [id, company_id] = [await findDeveloper(db, developer), await companyOf(db, company)]
        await change(db, 'grant.removed', company_id, (tx) => removeGrant(tx, company_id, id))
        printDone(flags.json, `Developer ${id} no longer reaches company ${company_id}.`, {
          developer_id: id,
          company_id,
          permission: null,
        })
      }),
  },
]

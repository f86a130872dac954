import type { Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { createDeveloper, deleteDeveloper, getDeveloper, listDevelopers } from '../resources/developers/queries.ts'
import { issueKey } from '../resources/keys/queries.ts'
import { type Command, refuseUsage } from './command.ts'
import { allPages, change, findDeveloper, withDatabase } from './database.ts'
import { printDone, printRow, printRows } from './output.ts'

/** Warns if another developer has the same name: names need not be unique, but then commands need the id. */
async function warnOfNamesake(db: Db, name: string): Promise<void> {
  const [namesake] = await db.query<{ id: string }>(sql`SELECT id FROM developers WHERE name = ${name} ORDER BY id LIMIT 1`)
  if (namesake) console.error(`Warning: developer ${namesake.id} is also named '${name}'. Use ids to tell them apart.`)
}

export const developers: Command[] = [
  {
    words: 'developers create',
    args: ['NAME'],
    flags: {
      'global-admin': { type: 'boolean', help: 'create an operator, with access to every company' },
      'issue-key': { type: 'boolean', help: 'issue an API key, and print it' },
    },
    help: 'Creates a developer',
    examples: ['guildhall developers create "Night Club Bot"', 'guildhall developers create operator --global-admin --issue-key'],
    run: ({ args: [name = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const trimmed = name.trim()
        if (trimmed === '' || [...trimmed].length > 100) refuseUsage(`NAME has ${[...trimmed].length} characters. Expected 1 to 100.`)
        await warnOfNamesake(db, trimmed)
        const created = await change(db, 'developer.created', undefined, (tx) =>
          createDeveloper(tx, { name: trimmed, is_global_admin: Boolean(flags['global-admin']) }),
        )
        const { id, is_global_admin } = created.reply
        const issued = flags['issue-key'] ? await change(db, 'api_key.issued', id, (tx) => issueKey(tx, id)) : undefined
        printRow(flags.json, { id, name: trimmed, is_global_admin, ...(issued && { key_id: issued.reply.id, key: issued.reply.key }) })
      }),
  },
  {
    words: 'developers list',
    help: 'Lists the developers',
    examples: ['guildhall developers list', 'guildhall developers list --json'],
    run: ({ flags, config }) =>
      withDatabase(config, async (db) => {
        const all = await allPages((page) => listDevelopers(db, page))
        const rows = all.map((developer) => ({ ...developer, companies: developer.companies_total }))
        printRows(flags.json, rows, ['id', 'name', 'is_global_admin', 'companies', 'date_created'], 'There are no developers yet.')
      }),
  },
  {
    words: 'developers show',
    args: ['DEVELOPER'],
    help: 'Shows a developer, by id or name, and the companies it has access to',
    examples: ['guildhall developers show operator'],
    run: ({ args: [developer = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const found = await getDeveloper(db, await findDeveloper(db, developer))
        if (flags.json) return printRow(true, found)
        const { companies, ...fields } = found
        printRow(false, fields)
        console.log()
        printRows(false, companies, ['company_id', 'permission'], 'It has access to no company.')
      }),
  },
  {
    words: 'developers delete',
    args: ['DEVELOPER'],
    help: 'Deletes a developer with its keys and its access to companies',
    examples: ['guildhall developers delete "Night Club Bot"', 'guildhall developers delete "Night Club Bot" --yes'],
    confirms: ([developer]) => `Delete developer '${developer}' with its keys and its access to companies?`,
    run: ({ args: [developer = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const id = await findDeveloper(db, developer)
        await change(db, 'developer.deleted', id, (tx) => deleteDeveloper(tx, id))
        printDone(flags.json, `Developer ${id} is deleted.`, { deleted: id })
      }),
  },
]

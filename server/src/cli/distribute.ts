import pg from 'pg'
import { distributeTables } from '../db/distribute.ts'
import type { Command } from './command.ts'
import { loadDeclarations, refuse, withUrl } from './database.ts'
import { printDone } from './output.ts'

const NOTHING_LEFT = 'Nothing is left to do: every table is distributed.'

/** Calls `work` with a connection of its own, because distributing may take longer than any request. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-distribute' }).on('error', () => {})
  await client.connect().catch((error: Error) => refuse(`The database cannot be reached: ${error.message}. Check DATABASE_URL.`))
  try {
    return await work(client)
  } catch (error) {
    // Class 08 of PostgreSQL's error codes: the coordinator cannot reach a worker.
    if (/^08/.test((error as { code?: string }).code ?? ''))
      refuse(`A node of the cluster cannot be reached: ${(error as Error).message}. Start it, then run guildhall distribute again.`)
    throw error
  } finally {
    await client.end()
  }
}

export const distribute: Command[] = [
  {
    words: 'distribute',
    flags: { 'dry-run': { type: 'boolean', help: 'print the statements and change nothing' } },
    help: 'Distributes the companies over the workers of a Citus cluster; stop the service first, and start it again afterwards',
    examples: [
      'DATABASE_URL=postgres://coordinator/guildhall guildhall distribute --dry-run',
      'DATABASE_URL=postgres://coordinator/guildhall guildhall distribute',
    ],
    run: async ({ flags, config }) => {
      const dryRun = flags['dry-run'] === true
      await loadDeclarations()
      const { tables, statements } = await withUrl(config, (url) => withClient(url, (client) => distributeTables(client, { dryRun })))
      const done = tables.length ? `Distributed ${tables.join(', ')}.` : 'Stored the settings that workers need.'
      const sentence = dryRun ? statements.map((statement) => `${statement};`).join('\n') : done
      printDone(flags.json, statements.length ? sentence : NOTHING_LEFT, { dry_run: dryRun, tables, statements })
    },
  },
]

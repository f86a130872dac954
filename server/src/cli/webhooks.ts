import { isId } from '../core/ids.ts'
import type { Db } from '../db/client.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { disableWebhook, getProgress, getWebhook, listWebhooks } from '../resources/webhooks/queries.ts'
import { type Command, refuseUsage } from './command.ts'
import { allPages, change, findCompany, loadDeclarations, refuse, withDatabase } from './database.ts'
import { printDone, printRow, printRows } from './output.ts'

/** The place of a webhook that is given by its id. */
async function findWebhook(db: Db, company: string, id: string) {
  const scope = { company_id: await findCompany(db, company), id }
  const found = isId(id) ? await db.query(sql`SELECT 1 AS one FROM webhooks WHERE company_id = ${scope.company_id} AND id = ${id}`) : []
  return found.length ? scope : refuse(`There is no webhook '${id}'. See guildhall webhooks list.`)
}

export const webhooks: Command[] = [
  {
    words: 'deliver',
    help: 'Delivers webhooks until it is stopped, apart from the service, which then runs with WEBHOOKS=off; any number of processes may do it',
    examples: ['DATABASE_URL=postgres://localhost/guildhall guildhall deliver'],
    run: async ({ config }) => {
      const { databaseUrl } = config
      if (!databaseUrl) return refuseUsage('DATABASE_URL is not set. On the embedded database, the service itself delivers webhooks.')
      await migrate(databaseUrl, { pooler: config.pooler, loadDeclarations })
      // Loaded for this command only, so that the others start faster.
      const { deliverForever } = await import('../main.ts')
      await deliverForever(config, databaseUrl)
    },
  },
  {
    words: 'webhooks list',
    args: ['COMPANY_ID'],
    help: 'Lists the webhooks of a company',
    examples: ['guildhall webhooks list 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    run: ({ args: [id = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const company_id = await findCompany(db, id)
        const all = await allPages((page) => listWebhooks(db, company_id, page))
        printRows(flags.json, all, ['id', 'name', 'url', 'sight', 'status', 'disabled_reason'], 'The company has no webhooks.')
      }),
  },
  {
    words: 'webhooks show',
    args: ['COMPANY_ID', 'WEBHOOK_ID'],
    help: 'Shows a webhook, and how far its deliveries are',
    examples: ['guildhall webhooks show 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a02'],
    run: ({ args: [company = '', id = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const scope = await findWebhook(db, company, id)
        const webhook = await getWebhook(db, scope)
        printRow(flags.json, { ...webhook, ...(await getProgress(db, scope)) })
      }),
  },
  {
    words: 'webhooks disable',
    args: ['COMPANY_ID', 'WEBHOOK_ID'],
    help: 'Disables a webhook. Its events wait for up to 30 days',
    examples: ['guildhall webhooks disable 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a02'],
    run: ({ args: [company = '', id = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const scope = await findWebhook(db, company, id)
        const { after } = await change(db, 'webhook.disabled', scope.company_id, (tx) => disableWebhook(tx, scope, 'MANUAL'))
        printDone(flags.json, `Disabled the webhook ${after.name}.`, { id: after.id, status: after.status })
      }),
  },
]

import pg from 'pg'
import { migrate } from '../../server/src/db/migrate.ts'
import { database, service, stop } from '../parts.ts'
import { newDevelopers } from '../seed.ts'
import { measureBacklog } from './backlog.ts'
import { measureFairness } from './fairness.ts'
import { Receivers } from './receivers.ts'
import type { Bench } from './setup.ts'

/** Writers wait instead of being rejected, and webhooks may be sent to the receivers on this machine. */
const SETTINGS = { MAX_IN_FLIGHT: '10000', WEBHOOK_ALLOW: '127.0.0.0/8' }

/** Measures the webhooks of one process: a dead endpoint with a long backlog, and slow and dead endpoints beside healthy ones. Returns true if all targets are met. */
export async function measureWebhooks(isQuick: boolean, log: (message: string) => void): Promise<boolean> {
  const db = await database({ max_wal_size: '4GB' })
  await migrate(db.url)
  const client = new pg.Client(db.url)
  await client.connect()
  const receivers = new Receivers()
  const { port, pid, child } = await service(db.url, 1, SETTINGS)
  const { owner } = await newDevelopers(db.url)
  const bench: Bench = { client, receivers, port, groups: [[pid], db.pid ? [db.pid] : []], key: owner.key, isQuick, log }
  const rows = [...(await measureBacklog(bench)), ...(await measureFairness(bench))]
  await stop(child)
  await receivers.close()
  await client.end()
  await db.stop()
  for (const { name, value, target, isMet } of rows) console.log(`${isMet ? 'met   ' : 'missed'}  ${name}: ${value} (target: ${target})`)
  return rows.every(({ isMet }) => isMet)
}

import pg from 'pg'
import { distributeTables } from '../../src/db/distribute.ts'
import { startEmbedded } from '../../src/db/embedded/server.ts'
import { migrate } from '../../src/db/migrate.ts'
import '../../src/resources/declarations.ts'
import { FEW_SHARDS, missingCitus, runAt, startCitus } from '../citus.ts'
import { missingPrism } from '../prism.ts'
import { missingPooler, startPooled } from '../third-party.ts'
import type { Target } from './selection.ts'

// The data of these servers is temporary and need not survive a crash. Tests of crashes start their own server.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '300' }
const DISCONNECT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'guildhall'"

export interface TestServer {
  url: string
  /** The URL without the pooler. */
  direct?: string
  /** The servers of a cluster. */
  servers?: string[]
  stop(): Promise<void>
}

/** Returns the reason to skip the tests on a target. */
export const missingFor = (target: Target): string | false =>
  (target === 'citus' && missingCitus()) || (target === 'pooled' && missingPooler()) || (target === 'proxied' && missingPrism())

/** Starts a cluster with a migrated and distributed database, which is closed so that it can be cloned on every node. */
async function startDistributed(folder: string): Promise<TestServer> {
  const { url, servers, stop } = await startCitus(folder, FEW_SHARDS)
  await migrate(url)
  const client = new pg.Client(url)
  await client.connect()
  await distributeTables(client).finally(() => client.end())
  for (const server of servers) await runAt(server, 'ALTER DATABASE guildhall ALLOW_CONNECTIONS false', DISCONNECT)
  return { url, servers, stop }
}

/** Starts the server of a run, whose database is migrated once and cloned for each test file. */
export async function startServer(target: Target, folder: string): Promise<TestServer> {
  if (target === 'citus') return startDistributed(folder)
  const server: TestServer = target === 'pooled' ? await startPooled(folder, SETTINGS) : await startEmbedded(folder, { settings: SETTINGS })
  await migrate(server.direct ?? server.url)
  return server
}

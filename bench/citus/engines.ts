import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { distributeTables } from '../../server/src/db/distribute.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import '../../server/src/resources/declarations.ts'
import { hasLibrary, startCitus, startWithoutCitus } from '../../server/test/citus.ts'
import { service, stop } from '../parts.ts'

/** A database with a service on it. */
export interface Engine {
  url: string
  port: number
}

export interface Engines {
  plain: Engine
  citus: Engine
  /** The workers of the cluster: their ports, and the URLs of their maintenance databases. */
  workers: { name: string; port: number; server: string }[]
  stop(): Promise<void>
}

/** Both databases write to the disk as in production. Clusters for tests do not. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_wal_size: '4GB' }
/** A worker has a statement of its own for each shard. */
const COUNTING = {
  shared_preload_libraries: 'citus,pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
  'pg_stat_statements.max': '50000',
}
// A rejection is fast, and would be a good figure for the wrong reason.
const NO_REJECTIONS = { MAX_IN_FLIGHT: '10000' }

/** Starts one PostgreSQL and a cluster from the same programs, and a service on each. */
export async function startEngines(): Promise<Engines> {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const plain = await startWithoutCitus(folder, DURABLE)
  const cluster = await startCitus(folder, { ...DURABLE, ...(hasLibrary('pg_stat_statements') && COUNTING) })
  await Promise.all([migrate(plain.url), migrate(cluster.url)])
  await withClient(cluster.url, distributeTables)
  const [onPlain, onCitus] = [await service(plain.url, 1, NO_REJECTIONS), await service(cluster.url, 1, NO_REJECTIONS)]
  return {
    plain: { url: plain.url, port: onPlain.port },
    citus: { url: cluster.url, port: onCitus.port },
    workers: cluster.nodes.slice(1).map(({ name, port }, i) => ({ name, port, server: cluster.servers[i + 1] as string })),
    stop: async () => {
      await Promise.all([stop(onPlain.child), stop(onCitus.child)])
      // The data is temporary.
      await Promise.all([plain, ...cluster.nodes].map((node) => node.stop('immediate')))
    },
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  return work(client).finally(() => client.end())
}

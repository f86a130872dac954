import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { distributeTables } from '../../server/src/db/distribute.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { type Cluster, missingCitus, runAt, startCitus, urlOfNode } from '../../server/test/citus.ts'
import { type Deployment, deployOn } from '../deployment.ts'
// Distribution reads the declarations of all tables.
import '../../server/src/resources/declarations.ts'

/** A confirmed change must survive a crash, as in production. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/** The first statements of a connection make Citus read its metadata, which takes long on a busy machine. */
const MAX_START_MS = 180_000

export const withoutCitus = () => missingCitus() || undefined

/** Starts two processes of the service on the coordinator of a cluster with two workers. */
export async function newClusterDeployment(): Promise<Deployment> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guildhall-cluster-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const cluster = await startCitus(folder, DURABLE)
  const stop = async () => {
    await cluster.stop()
    remove()
  }
  try {
    await migrate(cluster.url)
    await distribute(cluster)
    // So that the recovery of a killed node does not repeat the distribution.
    await Promise.all(cluster.nodes.map(({ port }) => runAt(urlOfNode(port, 'guildhall'), 'CHECKPOINT')))
    const folders = cluster.nodes.map(({ pgData }) => pgData) as Deployment['folders']
    return await deployOn({ url: cluster.url, folders, nodes: cluster.nodes, stop }, MAX_START_MS)
  } catch (error) {
    await stop()
    throw error
  }
}

async function distribute({ url }: Cluster): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await distributeTables(client).finally(() => client.end())
}

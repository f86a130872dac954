import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../server/src/db/migrate.ts'
import { missingPooler, startPooled } from '../server/test/third-party.ts'
import { type Deployment, deployOn } from './deployment.ts'

export const withoutPooler = () => missingPooler() || undefined

/** Starts two processes of the service on a PostgreSQL behind pgbouncer in transaction mode. The checks use connections of their own, without the pooler. */
export async function newPoolerDeployment(): Promise<Deployment> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guildhall-pooler-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  // No settings: a confirmed change must survive a crash, as in production.
  const { url, direct, pid, stop: stopServers } = await startPooled(folder, {})
  const stop = async () => {
    await stopServers()
    remove()
  }
  try {
    await migrate(direct)
    const database = { url: direct, folders: [join(folder, 'postgres')] as Deployment['folders'], nodes: [], stop }
    return await deployOn({ ...database, pooler: { url, pid } })
  } catch (error) {
    await stop()
    throw error
  }
}

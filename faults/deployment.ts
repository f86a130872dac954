import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { freePort, ownDatabase, service, stop } from '../bench/parts.ts'
import { readPidFile } from '../server/src/db/embedded/pid-file.ts'
import { migrate } from '../server/src/db/migrate.ts'
import type { ClusterNode } from '../server/test/citus.ts'

/** One process of the service. Its replacement after a fault has the same port. */
export interface Instance {
  port: number
  child: ChildProcess
}

/** Two processes of the service on one database, to which the faults happen. */
export interface Deployment {
  url: string
  /** The data folders of PostgreSQL: one, or those of all servers of a cluster, the coordinator's first. */
  folders: [string, ...string[]]
  /** The servers of a cluster, the coordinator first. There are none if the database is one PostgreSQL. */
  nodes: ClusterNode[]
  /** The pooler that the processes connect through, if there is one. `url` leads to the database directly. */
  pooler?: { url: string; pid: number }
  services: [Instance, Instance]
  postmaster(): number | undefined
  /** Starts another process. The scenario stops it. */
  start(): Promise<Instance>
  /** Starts a replacement for a process that has ended. */
  restart(instance: Instance, env?: Record<string, string>): Promise<void>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

type MigratedDatabase = Pick<Deployment, 'url' | 'folders' | 'nodes' | 'pooler' | 'stop'>

export async function newDeployment(settings: Record<string, string> = {}, parent?: string): Promise<Deployment> {
  const { url, pgData, stop } = await ownDatabase(settings, parent)
  await migrate(url)
  return deployOn({ url, folders: [pgData], nodes: [], stop })
}

/** Starts two processes of the service on a migrated database. */
export async function deployOn(
  { url, folders, nodes, pooler, stop: stopDatabase }: MigratedDatabase,
  maxStartMs?: number,
): Promise<Deployment> {
  const shared = { LOG_LEVEL: 'warn', WEBHOOK_ALLOW: '127.0.0.1', DATABASE_POOLER: pooler ? 'transaction' : 'none' }
  const begin = async (port: number, env = {}): Promise<Instance> => {
    const { child } = await service(pooler?.url ?? url, 1, { PORT: String(port), ...shared, ...env }, maxStartMs)
    return { port, child }
  }
  const services: Deployment['services'] = [await begin(await freePort()), await begin(await freePort())]
  return {
    url,
    folders,
    nodes,
    ...(pooler && { pooler }),
    services,
    postmaster: () => postmasterIn(folders[0]),
    start: async () => begin(await freePort()),
    restart: async (instance, env) => void Object.assign(instance, await begin(instance.port, env)),
    query: (text, values) => query(url, text, values),
    stop: async () => {
      await Promise.all(services.map(({ child }) => stop(child)))
      await stopDatabase()
    },
  }
}

export const postmasterIn = (folder: string) => readPidFile(folder)?.pid

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Runs a statement on a connection of its own: connections from before a fault are lost. */
async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(url).on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, binariesIn } from '../src/db/embedded/binaries.ts'
import { initialize } from '../src/db/embedded/folder.ts'
import { changeOwner, chooseIdentity, type Identity } from '../src/db/embedded/identity.ts'
import { readPidFile, until } from '../src/db/embedded/pid-file.ts'

const HOST = '127.0.0.1'
const MAX_START_MS = 120_000
/** Below the ports that the system chooses for outgoing connections: one of those could take the port of a node that is down. */
const [MIN_PORT, MAX_PORT] = [10_000, 32_000]

const SETTINGS = {
  listen_addresses: HOST,
  max_connections: '400',
  max_prepared_transactions: '400',
  max_worker_processes: '64',
  max_locks_per_transaction: '256',
  shared_buffers: '128MB',
  // Moving a shard replicates its rows.
  wal_level: 'logical',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_preload_libraries: 'citus',
  'citus.enable_statistics_collection': 'off',
  'citus.node_conninfo': 'sslmode=disable',
}

/** Settings of a cluster whose databases are often created: each shard of each table is several files. The default is 32 shards. */
export const FEW_SHARDS = { 'citus.shard_count': '4', autovacuum: 'off' }

/** One PostgreSQL server of a cluster. */
export interface ClusterNode {
  name: string
  port: number
  /** The data folder. */
  pgData: string
  /** Stops the server in order, or at once as if it had crashed. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Ends the server with KILL. */
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Cluster {
  /** The database `guildhall` on the coordinator. */
  url: string
  /** The maintenance database of every server, the coordinator first. */
  servers: string[]
  /** The servers, the coordinator first. */
  nodes: ClusterNode[]
  stop(): Promise<void>
}

/** Returns the file of a library in the folder that pg_config --pkglibdir would print, for the layouts of Debian and of a source build. */
const libraryIn = (bin: string, name: string) =>
  ['lib', join('lib', 'postgresql')].map((folder) => join(dirname(bin), folder, `${name}.so`)).find((file) => existsSync(file))

/** Returns true if the PostgreSQL of CITUS_BIN has a library. A server does not start if it is told to load one that is missing. */
export const hasLibrary = (name: string) => libraryIn(process.env.CITUS_BIN as string, name) !== undefined

/** Returns the reason to skip a test that needs Citus. */
export function missingCitus(bin = process.env.CITUS_BIN): string | false {
  if (!bin) return 'CITUS_BIN is not set to the bin folder of a PostgreSQL with Citus'
  if (!libraryIn(bin, 'citus')) return `${bin} has no Citus beside it: citus.so is missing`
  try {
    binariesIn(bin)
    return false
  } catch (error) {
    return (error as Error).message
  }
}

export const urlOfNode = (port: number, database: string) => `postgres://guildhall@${HOST}:${port}/${database}`

/** Runs statements in a session of their own, one after the other. Returns the rows of the last one. */
export async function runAt<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client(url).on('error', () => {})
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT))
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** Prepares a server in a folder of its own, without starting it. Like the embedded one it ends with this process, but it stays down if it is killed. */
function nodeIn(folder: string, name: string, port: number, binaries: Binaries, settings: Record<string, string>): ClusterNode {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  const identity = chooseIdentity(binaries, home)
  changeOwner(home, identity.uid, identity.gid, false)
  const pgData = join(home, 'postgres')
  if (!existsSync(pgData)) initialize(pgData, identity)
  const options = { ...SETTINGS, ...settings, port: String(port), unix_socket_directories: '' }
  let child: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    name,
    port,
    pgData,
    stop: (mode = 'fast') => end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    kill: () => end('SIGKILL'),
    start: async () => {
      child = await launch(identity, pgData, options)
    },
  }
}

/** Starts a server and waits until it is ready. Retries while processes of a killed one still hold its memory. */
async function launch(identity: Identity, pgData: string, options: Record<string, string>): Promise<ChildProcess> {
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program, ...rest] = [...identity.prefix, identity.binaries.postgres, '-D', pgData, ...args] as [string, ...string[]]
  for (let tries = 0; ; tries++) {
    const child = spawn(program, rest, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...identity.spawnAs })
    let errors = ''
    child.stderr.on('data', (text) => (errors = (errors + text).slice(-4000)))
    const ended = () => child.exitCode !== null || child.signalCode !== null
    const isReady = () => {
      const file = readPidFile(pgData)
      return file?.pid === child.pid && file?.ready === true
    }
    await until(() => ended() || isReady(), MAX_START_MS)
    if (isReady()) {
      child.unref()
      ;(child.stderr as unknown as { unref(): void }).unref()
      return child
    }
    child.kill('SIGKILL')
    if (tries === 50 || !/lock file|shared memory/.test(errors)) throw new Error(`The server in ${pgData} did not start: ${errors}`)
    await sleep(100)
  }
}

/** Creates a database on every node, with the extension, and registers the nodes. Returns its URL on the coordinator. */
export async function createClusterDatabase(nodes: ClusterNode[], database: string): Promise<string> {
  await Promise.all(
    nodes.map(async ({ port }) => {
      await runAt(urlOfNode(port, 'postgres'), `CREATE DATABASE ${database}`)
      await runAt(urlOfNode(port, database), 'CREATE EXTENSION citus')
    }),
  )
  const [coordinator, ...workers] = nodes.map(({ port }) => port)
  await runAt(
    urlOfNode(coordinator as number, database),
    `SELECT citus_set_coordinator_host('${HOST}', ${coordinator})`,
    ...workers.map((port) => `SELECT citus_add_node('${HOST}', ${port})`),
  )
  return urlOfNode(coordinator as number, database)
}

/** Starts a coordinator and two workers in a folder, as three servers on the loopback address. They end with this process. */
export async function startCitus(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const cluster = await startNodes(folder, settings)
  try {
    await createClusterDatabase(cluster.nodes, 'guildhall')
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** Starts the servers of a cluster without the database, and without registering them. */
export async function startNodes(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const binaries = binariesIn(process.env.CITUS_BIN as string)
  const names = ['coordinator', 'worker1', 'worker2']
  const ports = await freePorts(names.length)
  const nodes = names.map((name, i) => nodeIn(folder, name, ports[i] as number, binaries, settings))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    await Promise.all(nodes.map((node) => node.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const [coordinator = 0] = ports
  return { url: urlOfNode(coordinator, 'guildhall'), servers: ports.map((port) => urlOfNode(port, 'postgres')), nodes, stop }
}

/** Starts one PostgreSQL from the same programs, with the same settings, but without Citus: to compare with a cluster. It ends with this process. */
export async function startWithoutCitus(folder: string, settings: Record<string, string> = {}): Promise<ClusterNode & { url: string }> {
  const [port = 0] = await freePorts(1)
  const binaries = binariesIn(process.env.CITUS_BIN as string)
  const node = nodeIn(folder, 'plain', port, binaries, { shared_preload_libraries: '', ...settings })
  await node.start()
  await runAt(urlOfNode(port, 'postgres'), 'CREATE DATABASE guildhall')
  return { ...node, url: urlOfNode(port, 'guildhall') }
}

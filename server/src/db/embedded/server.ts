import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Refusal } from '../../core/refusal.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { initialize, prepareFolder, refuseOtherMajor, socketFolder } from './folder.ts'
import { changeOwner, chooseIdentity } from './identity.ts'
import { LOG_SETTINGS, startPruningLogs } from './log.ts'
import { type Purpose, takeOwnership } from './owner.ts'
import { readPidFile, stopOrphan } from './pid-file.ts'
import { Postgres } from './postgres.ts'

export interface Embedded {
  url: string
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  purpose?: Purpose
  settings?: Record<string, string>
  /** The PostgreSQL to use instead of the one from npm. */
  binaries?: Binaries
  /** Called with messages for the log: that the server ended, or is back. */
  onEvent?: (message: string) => void
}

/** Thrown if the data folder has another owner. */
export class InUse extends Refusal {}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  ...LOG_SETTINGS,
}

const urlOf = (socketDir: string, database = 'guildhall') => `postgres://guildhall@/${database}?host=${encodeURIComponent(socketDir)}`

/** Returns true if a data folder has a database. An interrupted first start leaves none, because it is moved into place when complete. */
export const holdsDatabase = (dataDir: string) => existsSync(join(dataDir, 'postgres'))

/** Returns the URL of the running server of a data folder, for other processes of this machine. */
export function runningUrl(dataDir: string): string | undefined {
  const file = readPidFile(join(dataDir, 'postgres'))
  return file?.ready && file.socketDir ? urlOf(file.socketDir) : undefined
}

/** Starts the embedded PostgreSQL on a data folder and keeps it running until `stop` is called. */
export async function startEmbedded(
  folder: string,
  { purpose = 'service', settings = {}, binaries: given, onEvent = () => {} }: EmbeddedOptions = {},
): Promise<Embedded> {
  const binaries = given ?? (await findBinaries())
  const dataDir = prepareFolder(folder)
  const ownership = await takeOwnership(dataDir, purpose)
  if (!ownership) throw new InUse(`The data folder ${folder} is in use by another Guildhall. Stop it, or set another GUILDHALL_DATA_DIR.`)
  let postgres: Postgres | undefined
  let socketDir: string | undefined
  let stopPruning = () => {}
  const stop = async () => {
    await postgres?.stop()
    stopPruning()
    if (socketDir && !socketDir.startsWith(dataDir)) rmSync(socketDir, { recursive: true, force: true })
    ownership.release()
  }
  try {
    const pgData = join(dataDir, 'postgres')
    const identity = chooseIdentity(binaries, dataDir)
    changeOwner(dataDir, identity.uid, identity.gid, false)
    if (!existsSync(pgData)) initialize(pgData, identity)
    refuseOtherMajor(pgData, binaries.major)
    await stopOrphan(pgData)
    changeOwner(pgData, identity.uid, identity.gid)
    socketDir = socketFolder(dataDir, identity)
    postgres = new Postgres(identity, pgData, { ...SETTINGS, unix_socket_directories: socketDir, ...settings }, onEvent)
    await postgres.start()
    stopPruning = startPruningLogs(join(pgData, 'log'))
    await createDatabase(urlOf(socketDir, 'postgres'))
    return { url: urlOf(socketDir), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url }).on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'guildhall'")
    if (!rowCount) await client.query('CREATE DATABASE guildhall')
  } finally {
    await client.end()
  }
}

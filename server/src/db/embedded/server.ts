import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { Refusal } from '../../core/refusal.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { initialize, prepareFolder, refuseOtherMajor, socketFolder } from './folder.ts'
import { chooseIdentity, own } from './identity.ts'
import { keepLogsSmall, LOG_SETTINGS } from './log.ts'
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
  /** Which PostgreSQL, if not the one that npm carries. */
  binaries?: Binaries
  /** Told what a log should tell: that the server ended, that it is back. */
  onEvent?: (message: string) => void
}

/** The folder has another owner. */
export class InUse extends Refusal {}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  ...LOG_SETTINGS,
}

const urlOf = (socketDir: string, database = 'guildhall') => `postgres://guildhall@/${database}?host=${encodeURIComponent(socketDir)}`

/** Whether a data folder holds a database. An interrupted first start leaves none: it is moved into place when it is complete. */
export const holdsDatabase = (dataDir: string) => existsSync(join(dataDir, 'postgres'))

/** Where the server of an owned folder listens, for other processes of this machine. */
export function runningUrl(dataDir: string): string | undefined {
  const file = readPidFile(join(dataDir, 'postgres'))
  return file?.ready && file.socketDir ? urlOf(file.socketDir) : undefined
}

/** Starts the embedded PostgreSQL on a data folder and keeps it running until it is told to stop. */
export async function startEmbedded(
  folder: string,
  { purpose = 'service', settings = {}, binaries: given, onEvent = () => {} }: EmbeddedOptions = {},
): Promise<Embedded> {
  const binaries = given ?? (await findBinaries())
  const dataDir = prepareFolder(folder)
  const ownership = await takeOwnership(dataDir, purpose)
  if (!ownership) throw new InUse(`The data folder ${folder} is in use by another Guildhall: stop it, or set another GUILDHALL_DATA_DIR.`)
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
    own(dataDir, identity.uid, identity.gid, false)
    if (!existsSync(pgData)) initialize(pgData, identity)
    refuseOtherMajor(pgData, binaries.major)
    await stopOrphan(pgData)
    own(pgData, identity.uid, identity.gid)
    socketDir = socketFolder(dataDir, identity)
    postgres = new Postgres(identity, pgData, { ...SETTINGS, unix_socket_directories: socketDir, ...settings }, onEvent)
    await postgres.start()
    stopPruning = keepLogsSmall(join(pgData, 'log'))
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

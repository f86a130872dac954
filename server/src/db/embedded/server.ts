import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '../../core/refusal.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { chooseIdentity, type Identity, own, refuseUnwritable } from './identity.ts'
import { type Ownership, takeOwnership } from './owner.ts'

export interface Embedded {
  url: string
  /** The postmaster's process id. */
  pid(): number | undefined
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  settings?: Record<string, string>
  /** Told of what a log should tell: that the server died, that it is back. */
  onEvent?: (message: string) => void
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  logging_collector: 'on',
  // A week of logs, each day over the one of last week.
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
}
const STARTS_WITHIN = 60_000
const STOPS_WITHIN = 20_000
const LONGEST_SOCKET_PATH = 107

const urlOf = (socketDir: string, database = 'guildhall') => `postgres://guildhall@/${database}?host=${encodeURIComponent(socketDir)}`

/** Where an owner's server listens, for other processes of this machine. */
export function runningUrl(dataDir: string): string | undefined {
  const socketDir = pidFile(join(dataDir, 'postgres'))?.socketDir
  return socketDir && urlOf(socketDir)
}

/** What PostgreSQL writes of itself: process id, and, once it listens, where and in what state. */
function pidFile(pgData: string) {
  try {
    const lines = readFileSync(join(pgData, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4] || undefined, ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Refusal(
      `The data folder ${dataDir} cannot be made (${(error as NodeJS.ErrnoException).code}): set GUILDHALL_DATA_DIR to one that can.`,
    )
  }
  refuseUnwritable(dataDir)
}

/** Socket paths are short by law of the kernel; a deep data folder gets a short one elsewhere, private to us. */
function socketFolder(dataDir: string, { uid, gid }: Identity): string {
  const inside = join(dataDir, 'socket')
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH) {
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    own(inside, uid, gid, false)
    return inside
  }
  const outside = join(tmpdir(), `guildhall-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`)
  mkdirSync(outside, { recursive: true, mode: 0o700 })
  const { uid: owner, mode } = lstatSync(outside)
  if (![process.getuid?.(), uid].includes(owner) || mode & 0o077) {
    throw new Refusal(`The folder ${outside} for the database's socket belongs to somebody else: set GUILDHALL_DATA_DIR to a shorter path.`)
  }
  own(outside, uid, gid, false)
  return outside
}

/** Made beside its place and moved there whole: a start that was killed half-way leaves nothing to trip over. */
function initialize(pgData: string, { binaries, prefix, uid, gid, spawnAs }: Identity): void {
  const draft = `${pgData}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  own(draft, uid, gid)
  const [program, ...args] = [
    ...prefix,
    binaries.initdb,
    '-D',
    draft,
    '-U',
    'guildhall',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const { status, stderr, error } = spawnSync(program as string, args, { encoding: 'utf8', ...spawnAs })
  if (status !== 0) throw new Refusal(`The embedded database could not be created: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`)
  renameSync(draft, pgData)
}

function refuseOtherMajor(pgData: string, { major }: Binaries): void {
  const found = readFileSync(join(pgData, 'PG_VERSION'), 'utf8').trim()
  if (found !== major) {
    throw new Refusal(
      `The data folder holds a PostgreSQL ${found} database and this Guildhall brings PostgreSQL ${major}: run the Guildhall that made it, or set another GUILDHALL_DATA_DIR.`,
    )
  }
}

/** Whether a process is the PostgreSQL of this folder, and not another that was given the same number since. */
function isOurs(pid: number, pgData: string): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(pgData)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === pgData
  } catch {
    return false
  }
}

async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(10)) if (condition()) return true
  return condition()
}

/** Ends the server that a killed owner left behind; it may be ending by itself already. */
async function stopOrphan(pgData: string): Promise<void> {
  const orphan = pidFile(pgData)
  if (!orphan || !isOurs(orphan.pid, pgData)) return
  process.kill(orphan.pid, 'SIGINT')
  if (!(await until(() => !isOurs(orphan.pid, pgData), STOPS_WITHIN))) {
    throw new Refusal(`A PostgreSQL that was left on the data folder does not stop: end process ${orphan.pid} and start again.`)
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'guildhall'")
  if (!rowCount) await client.query('CREATE DATABASE guildhall')
  await client.end()
}

/** Starts the embedded PostgreSQL on a data folder and keeps it running until it is told to stop. */
export async function startEmbedded(dataDir: string, { settings = {}, onEvent = () => {} }: EmbeddedOptions = {}): Promise<Embedded> {
  const binaries = await findBinaries()
  prepareFolder(dataDir)
  const ownership = await takeOwnership(dataDir)
  if (!ownership) {
    throw new Refusal(`The data folder ${dataDir} is in use by another Guildhall: stop it, or set another GUILDHALL_DATA_DIR.`)
  }
  try {
    return await supervise(dataDir, binaries, ownership, settings, onEvent)
  } catch (error) {
    ownership.release()
    throw error
  }
}

async function supervise(
  dataDir: string,
  binaries: Binaries,
  ownership: Ownership,
  settings: Record<string, string>,
  onEvent: (message: string) => void,
): Promise<Embedded> {
  const pgData = join(dataDir, 'postgres')
  const identity = chooseIdentity(binaries, dataDir)
  own(dataDir, identity.uid, identity.gid, false)
  if (!existsSync(pgData)) initialize(pgData, identity)
  refuseOtherMajor(pgData, binaries)
  await stopOrphan(pgData)
  own(pgData, identity.uid, identity.gid)
  const socketDir = socketFolder(dataDir, identity)
  const options = Object.entries({ ...SETTINGS, unix_socket_directories: socketDir, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const [program, ...args] = [...identity.prefix, identity.binaries.postgres, '-D', pgData, ...options]

  let server: ChildProcess | undefined
  let stopping = false
  let complaint = ''

  /** One try: true once it answers, false if it ended before. */
  async function launch(): Promise<boolean> {
    complaint = ''
    // In a session of its own: Ctrl-C is for us, and the database is stopped last.
    const child = spawn(program as string, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...identity.spawnAs })
    let ended = false
    child.stderr?.on('data', (text) => {
      complaint = (complaint + text).slice(-2000)
    })
    child.once('error', (error) => {
      complaint = error.message
      ended = true
    })
    child.once('exit', () => {
      ended = true
    })
    const ready = () => pidFile(pgData)?.pid === child.pid && pidFile(pgData)?.ready === true
    const answered = (await until(() => ended || ready(), STARTS_WITHIN)) && !ended
    if (!answered) {
      child.kill('SIGINT')
      return false
    }
    server = child
    child.once('exit', () => void revive())
    if (ended) void revive()
    child.unref()
    ;(child.stderr as unknown as { unref?(): void } | null)?.unref?.()
    return true
  }

  async function revive(): Promise<void> {
    server = undefined
    if (stopping) return
    onEvent('the database ended unexpectedly and is started again')
    // Its orphaned workers may hold the folder a little longer: it refuses until they are gone.
    for (let wait = 50; !stopping && !(await launch()); wait = Math.min(wait * 2, 2000)) await sleep(wait)
    if (!stopping) onEvent('the database is back')
    else (server as ChildProcess | undefined)?.kill('SIGINT')
  }

  let started = await launch()
  for (let tries = 0; !started && tries < 20 && /lock file|shared memory/.test(complaint); tries++) {
    await sleep(100)
    started = await launch()
  }
  if (!started) throw new Refusal(`The embedded database did not start: ${complaint.trim().split('\n').at(-1) || 'it gave no reason'}`)

  await createDatabase(urlOf(socketDir, 'postgres'))

  return {
    url: urlOf(socketDir),
    pid: () => server?.pid,
    async stop() {
      stopping = true
      const last = server
      if (last) {
        last.ref()
        const gone = new Promise((resolve) => last.once('exit', resolve))
        last.kill('SIGINT')
        await Promise.race([gone, sleep(STOPS_WITHIN, undefined, { ref: false })])
      }
      ownership.release()
    },
  }
}

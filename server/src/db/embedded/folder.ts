import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import { type Identity, own } from './identity.ts'

/** A socket's address is a fixed array in the kernel. */
export const LONGEST_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Step by step: Node's own recursive mkdir never returns where a folder vanishes as it is made, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** The data folder, made if need be and closed to others, by its real path: two names of one folder are one folder. */
export function prepareFolder(dataDir: string): string {
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw new Refusal(`The data folder ${dataDir} cannot be made (${codeOf(error)}): set GUILDHALL_DATA_DIR to one that can.`)
  }
  try {
    const names = readdirSync(dataDir)
    if (names.length > 0 && !names.some((name) => name.startsWith('postgres') || name === 'owner.sock')) {
      throw new Refusal(`The folder ${dataDir} holds other things: set GUILDHALL_DATA_DIR to a new or empty folder.`)
    }
    chmodSync(dataDir, 0o700)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`The data folder ${dataDir} is not writable (${codeOf(error)}): set GUILDHALL_DATA_DIR to one that is.`)
  }
  return realpathSync(dataDir)
}

/** Where the server's socket lies. A data folder whose path is too long gets a short one elsewhere, private to us. */
export function socketFolder(dataDir: string, { uid, gid }: Identity): string {
  const inside = join(dataDir, 'socket')
  const short = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH
  const folder = short ? inside : join(tmpdir(), `guildhall-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid: owner, mode } = lstatSync(folder)
  if (!short && (![process.getuid?.(), uid].includes(owner) || mode & 0o077)) {
    throw new Refusal(`The folder ${folder} for the database's socket belongs to somebody else: set GUILDHALL_DATA_DIR to a shorter path.`)
  }
  own(folder, uid, gid, false)
  return folder
}

/**
 * Made beside its place and moved there whole: a start that was killed half-way leaves nothing to trip over. Under a name of
 * its own, because the initdb of that start may still be cleaning up under its.
 */
export function initialize(pgData: string, { binaries, prefix, uid, gid, spawnAs }: Identity): void {
  const draft = `${pgData}.new-${randomBytes(6).toString('hex')}`
  for (const name of readdirSync(dirname(pgData))) {
    if (name.startsWith(`${basename(pgData)}.new`)) rmSync(join(dirname(pgData), name), { recursive: true, force: true, maxRetries: 5 })
  }
  mkdirSync(draft, { mode: 0o700 })
  own(draft, uid, gid)
  const options = '-U guildhall -A trust -E UTF8 --locale=C --no-instructions'.split(' ')
  const [program, ...args] = [...prefix, binaries.initdb, '-D', draft, ...options] as [string, ...string[]]
  const run = (...more: string[]) => spawnSync(program, [...args, ...more], { encoding: 'utf8', ...spawnAs })
  // Trigram indexes take for letters what LC_CTYPE does: with C those of ASCII only, and no other script could be searched by index.
  const unicode = run('--lc-ctype=C.UTF-8')
  const { status, stderr, error } = /invalid locale/.test(unicode.stderr) ? run() : unicode
  if (status !== 0) throw new Refusal(`The embedded database could not be created: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`)
  renameSync(draft, pgData)
}

export function refuseOtherMajor(pgData: string, major: string): void {
  let found: string
  try {
    found = readFileSync(join(pgData, 'PG_VERSION'), 'utf8').trim()
  } catch {
    throw new Refusal(`${pgData} is not a PostgreSQL database: set GUILDHALL_DATA_DIR to a new folder, or put the data back.`)
  }
  if (found !== major) {
    throw new Refusal(
      `The data folder holds a PostgreSQL ${found} database and this Guildhall brings PostgreSQL ${major}: run the Guildhall that made it, or set another GUILDHALL_DATA_DIR.`,
    )
  }
}

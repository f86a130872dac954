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
import { changeOwner, type Identity } from './identity.ts'

/** The address of a socket is an array of fixed size in the kernel. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Creates a folder and its parents. Node's recursive mkdir never returns if a folder vanishes while it is made, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Creates the data folder if necessary, and closes it to other users. Returns its real path, because a folder may have several names. */
export function prepareFolder(dataDir: string): string {
  try {
    makeFolder(dataDir)
  } catch (error) {
    throw new Refusal(`The data folder ${dataDir} cannot be created (${codeOf(error)}). Set GUILDHALL_DATA_DIR to another path.`)
  }
  try {
    const names = readdirSync(dataDir)
    if (names.length > 0 && !names.some((name) => name.startsWith('postgres') || name === 'owner.sock')) {
      throw new Refusal(`The folder ${dataDir} contains other files. Set GUILDHALL_DATA_DIR to a new or empty folder.`)
    }
    chmodSync(dataDir, 0o700)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`The data folder ${dataDir} is not writable (${codeOf(error)}). Set GUILDHALL_DATA_DIR to one that is.`)
  }
  return realpathSync(dataDir)
}

/** Returns the folder of the server's socket. If the path of the data folder is too long, this is a private folder with a short path. */
export function socketFolder(dataDir: string, { uid, gid }: Identity): string {
  const inside = join(dataDir, 'socket')
  const fits = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES
  const folder = fits ? inside : join(tmpdir(), `guildhall-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid: owner, mode } = lstatSync(folder)
  if (!fits && (![process.getuid?.(), uid].includes(owner) || mode & 0o077)) {
    throw new Refusal(
      `The folder ${folder} for the socket of the database belongs to another user. Set GUILDHALL_DATA_DIR to a shorter path.`,
    )
  }
  changeOwner(folder, uid, gid, false)
  return folder
}

/**
 * Creates the database under a temporary name and moves it into place when it is complete: an interrupted start leaves nothing behind. The
 * name is random, because the initdb of an interrupted start may still be cleaning up under its own.
 */
export function initialize(pgData: string, { binaries, prefix, uid, gid, spawnAs }: Identity): void {
  const draft = `${pgData}.new-${randomBytes(6).toString('hex')}`
  for (const name of readdirSync(dirname(pgData))) {
    if (name.startsWith(`${basename(pgData)}.new`)) rmSync(join(dirname(pgData), name), { recursive: true, force: true, maxRetries: 5 })
  }
  mkdirSync(draft, { mode: 0o700 })
  changeOwner(draft, uid, gid)
  const options = '-U guildhall -A trust -E UTF8 --locale=C --no-instructions'.split(' ')
  const [program, ...args] = [...prefix, binaries.initdb, '-D', draft, ...options] as [string, ...string[]]
  const run = (...more: string[]) => spawnSync(program, [...args, ...more], { encoding: 'utf8', ...spawnAs })
  // LC_CTYPE decides which characters are letters for trigram indexes: with C only those of ASCII, and no other script could be searched.
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
    throw new Refusal(`${pgData} is not a PostgreSQL database. Set GUILDHALL_DATA_DIR to a new folder, or restore the data.`)
  }
  if (found !== major) {
    throw new Refusal(
      `The data folder has a database of PostgreSQL ${found}, but this Guildhall includes PostgreSQL ${major}. Run the Guildhall that created it, or set another GUILDHALL_DATA_DIR.`,
    )
  }
}

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import type { Binaries } from './binaries.ts'

/** The user that runs the programs of PostgreSQL, and the command that makes them end with this process. */
export interface Identity {
  binaries: Binaries
  /** The command and arguments before the program. */
  prefix: string[]
  /** The owner of the data, outside of any namespace. */
  uid: number
  gid: number
  spawnAs: { uid?: number; gid?: number }
}

const NOBODY = 65_534
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const works = ([program, ...args]: string[]) => spawnSync(program as string, [...args, 'true'], { stdio: 'ignore' }).status === 0

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. In a user namespace, root appears as the user nobody and still owns its
 * files. If namespaces are forbidden, PostgreSQL runs as nobody, from a copy of its programs that the user nobody can read.
 */
export function chooseIdentity(binaries: Binaries, dataDir: string): Identity {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  // The kernel sends INT, a fast shutdown, when this process dies.
  const endsWithParent = works(['setpriv', '--pdeathsig', 'INT']) ? ['setpriv', '--pdeathsig', 'INT'] : []
  if (uid !== 0) return { binaries, prefix: endsWithParent, uid, gid, spawnAs: {} }
  if (works(NAMESPACE)) return { binaries, prefix: [...NAMESPACE, ...endsWithParent], uid, gid, spawnAs: {} }
  const asNobody = { uid: NOBODY, gid: NOBODY }
  return { binaries: copyFor(binaries, dataDir), prefix: endsWithParent, ...asNobody, spawnAs: asNobody }
}

function copyFor({ postgres, initdb, major }: Binaries, dataDir: string): Binaries {
  refuseUnreachable(dataDir)
  const home = dirname(dirname(postgres))
  const copy = join(dataDir, `postgresql-${major}`)
  if (!existsSync(copy)) cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
  changeOwner(copy, NOBODY, NOBODY)
  return { postgres: join(copy, 'bin', basename(postgres)), initdb: join(copy, 'bin', basename(initdb)), major }
}

function refuseUnreachable(dataDir: string) {
  for (let folder = dirname(dataDir); ; folder = dirname(folder)) {
    if (!(statSync(folder).mode & 0o001)) {
      throw new Refusal(
        `PostgreSQL cannot run as root, and the user nobody cannot enter ${folder}. Set GUILDHALL_DATA_DIR to a folder such as /var/lib/guildhall, or start as another user.`,
      )
    }
    if (folder === dirname(folder)) return
  }
}

/** Changes the owner of a folder and, if `deep`, of its contents, unless the folder has that owner already. */
export function changeOwner(path: string, uid: number, gid: number, deep = true): void {
  const stat = lstatSync(path)
  if (stat.uid === uid) return
  lchownSync(path, uid, gid)
  if (deep && stat.isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name), uid, gid)
}

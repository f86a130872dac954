import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import type { Binaries } from './binaries.ts'

/** How PostgreSQL's programs are run: under which identity, and so that they end with us. */
export interface Identity {
  binaries: Binaries
  /** Words put before the program. */
  prefix: string[]
  /** Who is to own the data, outside any namespace. */
  uid: number
  gid: number
  spawnAs: { uid?: number; gid?: number }
}

const NOBODY = 65_534
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const works = ([program, ...args]: string[]) => spawnSync(program as string, [...args, 'true'], { stdio: 'ignore' }).status === 0

/**
 * PostgreSQL refuses to run as root. In a user namespace root is nobody to it, and still owns its files; where
 * namespaces are forbidden it runs as nobody, from a copy of its programs that nobody can reach.
 */
export function chooseIdentity(binaries: Binaries, dataDir: string): Identity {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  // INT, a fast shutdown, when this process dies in whatever way.
  const dies = works(['setpriv', '--pdeathsig', 'INT']) ? ['setpriv', '--pdeathsig', 'INT'] : []
  if (uid !== 0) return { binaries, prefix: dies, uid, gid, spawnAs: {} }
  if (works(NAMESPACE)) return { binaries, prefix: [...NAMESPACE, ...dies], uid, gid, spawnAs: {} }
  const asNobody = { uid: NOBODY, gid: NOBODY }
  return { binaries: copyFor(binaries, dataDir), prefix: dies, ...asNobody, spawnAs: asNobody }
}

function copyFor({ postgres, initdb, major }: Binaries, dataDir: string): Binaries {
  refuseUnreachable(dataDir)
  const home = dirname(dirname(postgres))
  const copy = join(dataDir, `postgresql-${major}`)
  if (!existsSync(copy)) cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
  own(copy, NOBODY, NOBODY)
  return { postgres: join(copy, 'bin', basename(postgres)), initdb: join(copy, 'bin', basename(initdb)), major }
}

function refuseUnreachable(dataDir: string) {
  for (let folder = dirname(dataDir); ; folder = dirname(folder)) {
    if (!(statSync(folder).mode & 0o001)) {
      throw new Refusal(
        `PostgreSQL may not run as root, and the user nobody cannot enter ${folder}: set GUILDHALL_DATA_DIR to a folder such as /var/lib/guildhall, or start as another user.`,
      )
    }
    if (folder === dirname(folder)) return
  }
}

/** Gives a folder to somebody, with all that is in it, unless it is theirs already. */
export function own(path: string, uid: number, gid: number, deep = true): void {
  const there = lstatSync(path)
  if (there.uid === uid) return
  lchownSync(path, uid, gid)
  if (deep && there.isDirectory()) for (const name of readdirSync(path)) own(join(path, name), uid, gid)
}

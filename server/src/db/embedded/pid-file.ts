import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'

const MAX_STOP_MS = 20_000
/** A server that ends normally removes its pid file within this time. */
const MAX_CLEANUP_MS = 3000

/** Reads the pid file of PostgreSQL: its process and, once it listens, its socket folder and state. */
export function readPidFile(pgData: string) {
  try {
    const lines = readFileSync(join(pgData, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4] || undefined, ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(10)) if (condition()) return true
  return condition()
}

/** Returns true if a process is a PostgreSQL of this folder, and not an unrelated one that got the same number later. */
function isOurs(pid: number | string, pgData: string): boolean {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(pgData)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === pgData
  } catch {
    return false
  }
}

/** Returns true if any process works in this folder: a postmaster, or a worker that outlived one. */
const isInUse = (pgData: string) => readdirSync('/proc').some((name) => /^\d+$/.test(name) && isOurs(name, pgData))

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Stops the server that a killed owner left behind, unless it is ending already. Only the owner of the folder may call this. */
export async function stopOrphan(pgData: string): Promise<void> {
  const orphan = readPidFile(pgData)
  if (!orphan) return
  if (isOurs(orphan.pid, pgData)) {
    process.kill(orphan.pid, 'SIGINT')
    if (await until(() => !isOurs(orphan.pid, pgData), MAX_STOP_MS)) return
    throw new Refusal(`A PostgreSQL that was left running on the data folder does not stop. End process ${orphan.pid} and start again.`)
  }
  // Processes of another container cannot be seen, but their sockets answer.
  if (orphan.socketDir && (await answers(join(orphan.socketDir, '.s.PGSQL.5432')))) {
    throw new Refusal('A PostgreSQL of another container or machine is running on the data folder. Stop it first.')
  }
  // In a restarted container the number may belong to an unrelated process, and PostgreSQL would refuse to start because of it.
  const isGone = () => readPidFile(pgData)?.pid !== orphan.pid
  if (process.platform !== 'linux' || !existsSync(`/proc/${orphan.pid}`) || isInUse(pgData) || (await until(isGone, MAX_CLEANUP_MS))) return
  rmSync(join(pgData, 'postmaster.pid'), { force: true })
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { House } from './house.ts'

// Everything that is started inherits this word, and can be told by it whoever its parent is now.
const MARK = 'GUILDHALL_FAULTS'
process.env[MARK] ??= String(process.pid)
const mark = `${MARK}=${process.env[MARK]}`

const linux = process.platform === 'linux'

function look<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const pids = () => (linux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []).map(Number)
const parentOf = (pid: number) => Number(/\) \w (\d+)/.exec(look(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '')?.[1])
const isMarked = (pid: number) => (look(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '').split('\0').includes(mark)
const commandOf = (pid: number) => (look(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').replaceAll('\0', ' ').trim()

/** All processes of a PostgreSQL: its first and its workers. They write over their environment, but stay in their folder. */
export const postgresOf = (pgData: string) => pids().filter((pid) => look(() => readlinkSync(`/proc/${pid}/cwd`)) === pgData)

/** What runs because of us, and should not: what was left behind by a parent that was killed. */
export function orphans({ services, pgData, postmaster }: House, known: number[] = []): string[] {
  const expected = new Set([process.pid, process.ppid, ...services.map(({ child }) => child.pid), ...known])
  const database = postgresOf(pgData)
  const first = postmaster()
  const left = database.filter((pid) => pid !== first && parentOf(pid) !== first)
  const ours = pids().filter((pid) => isMarked(pid) && !expected.has(pid) && !database.includes(pid))
  return [...left, ...ours].map((pid) => `${pid} ${commandOf(pid)}`)
}

/** Everything that still runs because of us, when all was stopped. */
export const remaining = () =>
  pids()
    .filter((pid) => pid !== process.pid && pid !== process.ppid && isMarked(pid))
    .map((pid) => `${pid} ${commandOf(pid)}`)

/** How many files a process may open; undefined where that is not told. */
export const mostFiles = () => {
  const [, soft] = /Max open files +(\d+)/.exec(look(() => readFileSync('/proc/self/limits', 'utf8')) ?? '') ?? []
  return soft ? Number(soft) : undefined
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type Deployment, postmasterIn } from './deployment.ts'

// Every process that is started inherits this environment variable, and can be recognized by it after its parent has ended.
const MARK = 'GUILDHALL_FAULTS'
process.env[MARK] ??= String(process.pid)
const mark = `${MARK}=${process.env[MARK]}`

const linux = process.platform === 'linux'

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const pids = () => (linux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []).map(Number)
const parentOf = (pid: number) => Number(/\) \w (\d+)/.exec(tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '')?.[1])
const isMarked = (pid: number) => (tryRead(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '').split('\0').includes(mark)
const commandOf = (pid: number) => (tryRead(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').replaceAll('\0', ' ').trim()

/** Returns all processes of a PostgreSQL. They overwrite their environment, but stay in their folder. */
export const postgresOf = (pgData: string) => pids().filter((pid) => tryRead(() => readlinkSync(`/proc/${pid}/cwd`)) === pgData)

/** Returns the processes that a killed parent left behind. */
export function orphans({ services, folders, pooler }: Deployment): string[] {
  const expected = new Set([process.pid, process.ppid, ...services.map(({ child }) => child.pid), pooler?.pid])
  const database = folders.flatMap(postgresOf)
  const first = new Set(folders.map(postmasterIn))
  const left = database.filter((pid) => !first.has(pid) && !first.has(parentOf(pid)))
  const ours = pids().filter((pid) => isMarked(pid) && !expected.has(pid) && !database.includes(pid))
  return [...left, ...ours].map((pid) => `${pid} ${commandOf(pid)}`)
}

/** Returns the processes that still run after everything was stopped. */
export const remaining = () =>
  pids()
    .filter((pid) => pid !== process.pid && pid !== process.ppid && isMarked(pid))
    .map((pid) => `${pid} ${commandOf(pid)}`)

/** Returns the maximum number of open files of a process, or undefined if it is unknown. */
export const maxOpenFiles = () => {
  const [, soft] = /Max open files +(\d+)/.exec(tryRead(() => readFileSync('/proc/self/limits', 'utf8')) ?? '') ?? []
  return soft ? Number(soft) : undefined
}

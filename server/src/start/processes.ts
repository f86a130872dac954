import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../core/refusal.ts'

/** A process that ended sooner is not restarted at once: it would probably fail again. */
const MIN_LIFETIME_MS = 5000
const MIN_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 5000
/** Longer than a process takes to drain. One that is still running then is killed. */
const MAX_STOP_MS = 23_000

export interface Processes {
  port: number
  stop(): Promise<void>
}

/** Returns true in one of several processes that share a port. Steps that happen once are done by their parent. */
export const isOneOfMany = () => cluster.isWorker

/** Runs the same command in several processes that share one port. A process that dies is restarted. */
export async function startProcesses(count: number, env: Record<string, string>, onRestart: () => void): Promise<Processes> {
  // Each process accepts connections itself: one that the parent hands over to a dying process would wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopping = false
  let port = 0

  /** Resolves when the process listens, or with undefined if it ended before. */
  const launch = () => {
    const worker = cluster.fork(env)
    const started = Date.now()
    return new Promise<Worker | undefined>((resolve) => {
      worker.once('listening', (address) => {
        port = address.port
        worker.once('exit', () => void restart(Date.now() - started < MIN_LIFETIME_MS ? MIN_RESTART_DELAY_MS : 0))
        resolve(worker)
      })
      worker.once('exit', () => resolve(undefined))
    })
  }

  async function restart(delay: number): Promise<void> {
    if (stopping) return
    onRestart()
    for (let wait = delay; !stopping; wait = Math.min(Math.max(wait * 2, MIN_RESTART_DELAY_MS), MAX_RESTART_DELAY_MS)) {
      await sleep(wait, undefined, { ref: false })
      if (stopping || (await launch())) return
    }
  }

  const stop = async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}) as Worker[]
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of workers) worker.process.kill('SIGTERM')
    const killTimer = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, MAX_STOP_MS)
    await Promise.all(ended)
    clearTimeout(killTimer)
  }

  const launched = await Promise.all(Array.from({ length: count }, launch))
  if (launched.some((worker) => !worker)) {
    await stop()
    // The process has printed the reason.
    throw new Refusal('The service did not start. See the message above.')
  }
  return { port, stop }
}

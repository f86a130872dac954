import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../core/refusal.ts'

/** One that lived less than this is not started again at once: it would only fail again. */
const SOON = 5000
const SHORTEST_WAIT = 100
const LONGEST_WAIT = 5000
/** Longer than a process takes to drain; one that is stuck is not waited for. */
const ENDS_WITHIN = 23_000

export interface Processes {
  port: number
  stop(): Promise<void>
}

/** Whether this is one of several processes that share a port; its parent did what is done once. */
export const isOneOfMany = () => cluster.isWorker

/** Runs the same command in several processes that share one port. One that dies is started again. */
export async function startProcesses(count: number, env: Record<string, string>, onRestart: () => void): Promise<Processes> {
  // Each takes connections by itself: one handed over to a process that dies meanwhile would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let stopping = false
  let port = 0

  /** Settles once it listens, or ended before. */
  const launch = () => {
    const worker = cluster.fork(env)
    const begun = Date.now()
    return new Promise<Worker | undefined>((resolve) => {
      worker.once('listening', (address) => {
        port = address.port
        worker.once('exit', () => void revive(Date.now() - begun < SOON ? SHORTEST_WAIT : 0))
        resolve(worker)
      })
      worker.once('exit', () => resolve(undefined))
    })
  }

  async function revive(pause: number): Promise<void> {
    if (stopping) return
    onRestart()
    for (let wait = pause; !stopping; wait = Math.min(Math.max(wait * 2, SHORTEST_WAIT), LONGEST_WAIT)) {
      await sleep(wait, undefined, { ref: false })
      if (stopping || (await launch())) return
    }
  }

  const stop = async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}) as Worker[]
    const gone = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of workers) worker.process.kill('SIGTERM')
    const stuck = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL')
    }, ENDS_WITHIN)
    await Promise.all(gone)
    clearTimeout(stuck)
  }

  const started = await Promise.all(Array.from({ length: count }, launch))
  if (started.some((worker) => !worker)) {
    await stop()
    // Why, it has said itself.
    throw new Refusal('The service did not start.')
  }
  return { port, stop }
}

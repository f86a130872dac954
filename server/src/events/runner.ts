import type { Database } from '../db/client.ts'
import { type Advance, sequence } from './sequencer.ts'

/** After a write in this process, its events get their positions this much later. */
const SOON_MS = 5
/** Events of other processes get their positions after this time, if those processes cannot do it. */
const IDLE_MS = 250
/** A run is followed by a pause of this many times its duration: under load, many events share a run. */
const PAUSE_FACTOR = 20

interface Listener {
  advanced(advances: Advance[]): void
  failed(error: unknown): void
}

const runners = new WeakMap<Database, { soon(): void }>()

/** Says that this process has written an event. */
export const sequenceSoon = (db: Database): void => runners.get(db)?.soon()

/** Gives events their positions until it is stopped. Every process does it, so that any of them may be killed. */
export function startSequencer(db: Database, { advanced, failed }: Listener): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0
  let notBefore = 0
  let isStopped = false
  let running: Promise<void> | undefined

  const schedule = (milliseconds: number) => {
    const at = Math.max(performance.now() + milliseconds, notBefore)
    if (isStopped || running || (timer && dueAt <= at)) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(start, Math.max(0, at - performance.now()))
  }
  const start = () => {
    timer = undefined
    running = run().finally(() => {
      running = undefined
      schedule(wantsSoon ? SOON_MS : IDLE_MS)
    })
  }
  let wantsSoon = false
  const run = async () => {
    wantsSoon = false
    const startedAt = performance.now()
    try {
      const advances = await sequence(db)
      if (advances.length > 0) advanced(advances)
    } catch (error) {
      failed(error)
    }
    const endedAt = performance.now()
    notBefore = endedAt + Math.min(PAUSE_FACTOR * (endedAt - startedAt), IDLE_MS)
  }
  runners.set(db, {
    soon: () => {
      wantsSoon = true
      schedule(SOON_MS)
    },
  })
  schedule(IDLE_MS)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    runners.delete(db)
    await running
  }
}

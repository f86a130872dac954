import { detached } from '../core/detached.ts'
import type { Database } from '../db/client.ts'
import { type Advance, runSequencer } from './sequencer.ts'

/** After a write in this process, its events get their positions this much later. */
const SOON_MS = 5
/** Events that were left, because another process had locked their feed, get their positions this much later. */
const RETRY_MS = 20
/** Events of other processes get their positions after this time, if those processes cannot do it. */
const IDLE_MS = 250
/** A run is followed by a pause of some times its duration, the longer the more events it found: under load, many events share a run. */
const MIN_PAUSE_FACTOR = 3
const MAX_PAUSE_FACTOR = 20
const EVENTS_PER_FACTOR = 2

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
    timer = detached(() => setTimeout(start, Math.max(0, at - performance.now())))
  }
  const start = () => {
    timer = undefined
    running = run().finally(() => {
      running = undefined
      schedule(wantsSoon ? SOON_MS : isIncomplete ? RETRY_MS : IDLE_MS)
    })
  }
  let wantsSoon = false
  let isIncomplete = false
  let after: string | undefined
  const run = async () => {
    wantsSoon = false
    const startedAt = performance.now()
    isIncomplete = false
    let events = 0
    try {
      const done = await runSequencer(db, after)
      after = done.after
      if (done.fault !== undefined) failed(done.fault)
      events = done.events
      isIncomplete = done.isIncomplete && done.fault === undefined
      if (done.advances.length > 0) advanced(done.advances)
    } catch (error) {
      failed(error)
    }
    const endedAt = performance.now()
    const factor = Math.min(MIN_PAUSE_FACTOR + events / EVENTS_PER_FACTOR, MAX_PAUSE_FACTOR)
    notBefore = endedAt + Math.min(factor * (endedAt - startedAt), IDLE_MS)
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

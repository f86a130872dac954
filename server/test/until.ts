import assert from 'node:assert/strict'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

// What tests wait with. The limits end loops that would never end; they say nothing about speed, and hold on the slowest machine.

const MAX_WAIT_SECONDS = 60
const MAX_REPEATING_MS = 110_000

type Truthy<T> = Exclude<T, false | undefined | null | 0 | ''>

/** Waits until a condition holds, and returns its value. */
export async function until<T>(isTrue: () => T | Promise<T>, what: string | (() => string), seconds = MAX_WAIT_SECONDS) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(10)) {
    const value = await isTrue()
    if (value) return value as Truthy<T>
  }
  assert.fail(`in vain: ${typeof what === 'string' ? what : what()}`)
}

/** Does something again and again, several times in parallel, until the returned function is called, which waits for the last one. */
export function repeat(work: (round: number, worker: number) => unknown, parallel = 1): () => Promise<void> {
  let isStopped = false
  const end = Date.now() + MAX_REPEATING_MS
  const done = Promise.all(
    Array.from({ length: parallel }, async (_, worker) => {
      for (let round = 0; !isStopped; round++) {
        assert.ok(Date.now() < end, 'nobody stopped the repetition')
        await work(round, worker)
        // Work without a wait must not keep the process from everything else.
        await setImmediate()
      }
    }),
  )
  // A failure belongs to whoever stops it.
  done.catch(() => {})
  return async () => {
    isStopped = true
    await done
  }
}

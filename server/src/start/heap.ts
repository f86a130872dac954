import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Keeps a process below 256 MB. By default V8 lets the heap grow to twice that before it collects garbage; half more than the live
 * objects is enough. The young generation has 16 MB, which can be set only on the command line (package.json). One thread collects it:
 * if every core is busy, several threads would wait for each other.
 */
export function limitHeap(): void {
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--no-parallel-scavenge')
}

const MIN_COLLECTED_BYTES = 200 * 1024 * 1024
const CHECK_INTERVAL_MS = 10_000
/** A process that stays large, because responses are still unread for example, is collected again after this time. */
const MIN_PAUSE_MS = 25_000

/**
 * Collects garbage when the process is large and idle. V8 collects while objects are allocated: after a burst nothing is allocated any
 * more, and the memory of the burst would be kept until the next one.
 */
export function shrinkWhenIdle(isIdle: () => boolean): () => Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let collectedAt = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => {
    if (!isIdle() || process.memoryUsage.rss() < MIN_COLLECTED_BYTES || performance.now() - collectedAt < MIN_PAUSE_MS) return
    collect()
    collectedAt = performance.now()
  }, CHECK_INTERVAL_MS).unref()
  return async () => clearInterval(timer)
}

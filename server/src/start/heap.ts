import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Keeps a process below 200 MB: left alone, it lets its heap grow to twice that before it looks for what nobody needs any more.
 * A quarter more than is needed is enough, with young objects in 8 MB, which only the command line can say (package.json). One thread
 * collects those: where every core is busy, several would wait for each other.
 */
export function keepSmall(): void {
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--no-parallel-scavenge')
}

const LARGE_BYTES = 200 * 1024 * 1024
const CHECK_INTERVAL_MS = 10_000
/** A process that collecting left large is not collected again until it has grown. */
const GROWN = 1.1

/**
 * Collects garbage when the process is large and idle. V8 collects as objects are made: after a burst nothing is made any more, and what
 * the burst took would be kept until the next one.
 */
export function shrinkWhenIdle(isIdle: () => boolean): () => Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let keptBytes = 0
  const timer = setInterval(() => {
    if (!isIdle() || process.memoryUsage.rss() < Math.max(LARGE_BYTES, keptBytes * GROWN)) return
    collect()
    keptBytes = process.memoryUsage.rss()
  }, CHECK_INTERVAL_MS).unref()
  return async () => clearInterval(timer)
}

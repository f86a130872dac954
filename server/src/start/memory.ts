import { setFlagsFromString } from 'node:v8'

/**
 * Keeps a process below 200 MB: left alone, it lets its heap grow to twice that before it looks for what nobody needs any more.
 * A quarter more than is needed is enough, with young objects in 8 MB, which only the command line can say (package.json). One thread
 * collects those: where every core is busy, several would wait for each other.
 */
export function keepSmall(): void {
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--no-parallel-scavenge')
}

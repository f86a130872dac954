import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// The CPU seconds that each test file takes, without those of the shared PostgreSQL and browser. They order the files, estimate the time
// that is left, and show which test became expensive. `npm test -- --record-cpu` writes them.
const BASELINE = fileURLToPath(new URL('./cpu-seconds.json', import.meta.url))
/** A file is reported if it takes more than this many times its baseline, and as many seconds more. */
const [MAX_RATIO, MIN_DIFFERENCE_S] = [2, 3]
/** Expected of a file that has no baseline yet. */
const DEFAULT_S = 2

export type CpuSeconds = Record<string, number>

export const readBaseline = (): CpuSeconds => (existsSync(BASELINE) ? JSON.parse(readFileSync(BASELINE, 'utf8')) : {})

export const expected = (baseline: CpuSeconds, file: string): number => baseline[file] ?? DEFAULT_S

/** Reads what record-cpu.mjs wrote: the sum of each file. */
export function readCpuLog(log: string, root: string): CpuSeconds {
  const seconds: CpuSeconds = {}
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
    const { file, seconds: used } = JSON.parse(line) as { file: string; seconds: number }
    const name = relative(root, file)
    seconds[name] = Math.round(10 * ((seconds[name] ?? 0) + used)) / 10
  }
  return seconds
}

export const writeBaseline = (seconds: CpuSeconds): void =>
  writeFileSync(BASELINE, `${JSON.stringify(Object.fromEntries(Object.entries(seconds).toSorted()), null, 2)}\n`)

/** Returns a line for each file that became expensive. */
export const becameExpensive = (baseline: CpuSeconds, seconds: CpuSeconds): string[] =>
  Object.entries(seconds)
    .filter(([file, used]) => {
      const before = baseline[file]
      return before !== undefined && used > before * MAX_RATIO && used > before + MIN_DIFFERENCE_S
    })
    .map(([file, used]) => `${file} took ${used} CPU seconds, and ${baseline[file]} when they were recorded`)

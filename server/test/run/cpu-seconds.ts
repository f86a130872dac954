import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileResult } from './run-files.ts'

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

/** Reads what record-cpu.mjs wrote: the sum of each file. Files that share a process share its seconds, each as many as its tests took. */
export function readCpuLog(log: string, root: string, results: FileResult[]): CpuSeconds {
  const took = new Map<string, number>()
  for (const { file, seconds } of results) took.set(file, (took.get(file) ?? 0) + seconds)
  const sums: CpuSeconds = {}
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
    const { paths, seconds } = JSON.parse(line) as { paths: string[]; seconds: number }
    const files = paths.map((path) => relative(root, path)).filter((file) => took.has(file))
    const all = files.reduce((sum, file) => sum + (took.get(file) as number), 0)
    for (const file of files)
      sums[file] = (sums[file] ?? 0) + (all > 0 ? (seconds * (took.get(file) as number)) / all : seconds / files.length)
  }
  return Object.fromEntries(Object.entries(sums).map(([file, seconds]) => [file, Math.round(10 * seconds) / 10]))
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

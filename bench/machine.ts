import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10

interface Process {
  parent: number
  ms: number
}

function processes(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The name of the process may contain any character; the fields follow it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number)
      found.set(Number(pid), { parent: fields[1] as number, ms: ((fields[11] as number) + (fields[12] as number)) * TICK_MS })
    } catch {
      // The process has ended.
    }
  }
  return found
}

/** Returns the CPU time of some processes and their descendants. */
function cpuOf(roots: number[], all: Map<number, Process>): number {
  let sum = 0
  for (const [pid, { ms }] of all) {
    for (let up: number | undefined = pid; up; up = all.get(up)?.parent) {
      if (!roots.includes(up)) continue
      sum += ms
      break
    }
  }
  return sum
}

const busyTicks = () =>
  (/^cpu +(.*)/.exec(readFileSync('/proc/stat', 'latin1')) as RegExpExecArray)[1]
    ?.split(' ')
    .map(Number)
    // All fields except idle and iowait; guest time is part of the first two.
    .reduce((sum, ticks, field) => (field === 3 || field === 4 || field > 7 ? sum : sum + ticks), 0) as number

/** The cost of some work in milliseconds of CPU, and the share of the machine that other processes used at the same time. */
export interface Cost {
  cpu: number[]
  others: number
}

/** Measures the CPU time until the returned function is called. Each group contains the root processes of one part. */
export function watch(groups: number[][]): () => Cost {
  const snapshot = () => {
    const all = processes()
    return {
      parts: groups.map((roots) => cpuOf(roots, all)),
      ours: cpuOf([process.pid, ...groups.flat()], all),
      busy: busyTicks() * TICK_MS,
    }
  }
  const [start, before] = [performance.now(), snapshot()]
  return () => {
    const after = snapshot()
    const capacity = (performance.now() - start) * availableParallelism()
    return {
      cpu: after.parts.map((ms, i) => ms - (before.parts[i] as number)),
      others: Math.max(0, (after.busy - before.busy - (after.ours - before.ours)) / capacity),
    }
  }
}

/** Returns the resident memory of a process in megabytes. */
export const memoryOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024

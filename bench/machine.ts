import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Linux counts in hundredths of a second. */
const TICK = 10

interface Process {
  parent: number
  ms: number
}

function processes(): Map<number, Process> {
  const found = new Map<number, Process>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The name may hold anything; what follows it is fields.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number)
      found.set(Number(pid), { parent: fields[1] as number, ms: ((fields[11] as number) + (fields[12] as number)) * TICK })
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}

/** The CPU time of some processes and everything that they started. */
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

const busy = () =>
  (/^cpu +(.*)/.exec(readFileSync('/proc/stat', 'latin1')) as RegExpExecArray)[1]
    ?.split(' ')
    .map(Number)
    // All but idle and waiting for disks; guests are counted in the first two already.
    .reduce((sum, ticks, field) => (field === 3 || field === 4 || field > 7 ? sum : sum + ticks), 0) as number

/** What a stretch of work cost, in milliseconds of CPU, and which part of the machine others took meanwhile. */
export interface Cost {
  cpu: number[]
  others: number
}

/** Watches the machine while something runs. Each group is the processes of one part, by their roots. */
export function watch(groups: number[][]): () => Cost {
  const known = () => {
    const all = processes()
    return { parts: groups.map((roots) => cpuOf(roots, all)), ours: cpuOf([process.pid, ...groups.flat()], all), busy: busy() * TICK }
  }
  const [begun, before] = [performance.now(), known()]
  return () => {
    const after = known()
    const room = (performance.now() - begun) * availableParallelism()
    return {
      cpu: after.parts.map((ms, i) => ms - (before.parts[i] as number)),
      others: Math.max(0, (after.busy - before.busy - (after.ours - before.ours)) / room),
    }
  }
}

/** Resident memory of one process, in megabytes. */
export const memoryOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024

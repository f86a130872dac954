import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service, stop } from './parts.ts'

export interface Starts {
  /** Seconds until the first answer on a new embedded database. */
  first: number
  /** Seconds until the first answer on an existing one: the fastest of three. */
  later: number
}

/** Measures how long the service takes to start on its embedded database. */
export async function measureStarts(): Promise<Starts> {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-starts-'))
  const seconds: number[] = []
  for (let i = 0; i < 4; i++) {
    const began = performance.now()
    const { child } = await service('', 1, { GUILDHALL_DATA_DIR: folder })
    seconds.push((performance.now() - began) / 1000)
    await stop(child)
  }
  rmSync(folder, { recursive: true, force: true })
  const [first = 0, ...later] = seconds
  return { first, later: Math.min(...later) }
}

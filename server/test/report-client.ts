import { readFileSync } from 'node:fs'
import { operations } from '../src/resources/index.ts'

/** Prints how much of the stories went through the client, and the operations that none of them used successfully. */
export function reportClient(log: string): void {
  const files = readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { through: number; direct: number; ids: string[] })
  const sum = (name: 'through' | 'direct') => files.reduce((total, file) => total + file[name], 0)
  const used = new Set(files.flatMap(({ ids }) => ids))
  const unused = operations.filter(({ id }) => !used.has(id)).map(({ id }) => id)
  const all = sum('through') + sum('direct')
  console.log(`# through the client: ${sum('through')} of ${all} requests (${((100 * sum('through')) / all).toFixed(1)} %)`)
  console.log(`# operations: ${used.size} of ${operations.length}${unused.length ? `, without ${unused.join(', ')}` : ''}`)
}

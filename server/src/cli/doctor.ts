import { systemClock } from '../core/clock.ts'
import type { Command } from './command.ts'
import { refuseWithoutDatabase, withUrl } from './database.ts'
import type { Finding } from './finding.ts'
import { printDone } from './output.ts'

const MARKS = { good: 'good ', warning: 'warn ', wrong: 'WRONG' }

const lineOf = ({ check, state, found, remedy }: Finding, width: number) =>
  `${MARKS[state]}  ${check.padEnd(width)}  ${found}${remedy ? `\n       ${' '.repeat(width)}  ${remedy}` : ''}`

export const doctor: Command[] = [
  {
    words: 'doctor',
    help: 'Checks the machine, the database and the data, and says how to fix problems; exit code 1 if something is wrong',
    examples: ['guildhall doctor', 'guildhall doctor --json'],
    run: async ({ flags, config }) => {
      refuseWithoutDatabase(config)
      const { checkDatabase, checkMachine } = await import('./checks.ts')
      const machine = await checkMachine(config)
      const database = await withUrl(config, (url) => checkDatabase(config, url, systemClock)).catch((error: Error): Finding[] => [
        { check: 'database', state: 'wrong', found: error.message, remedy: 'Fix this first.' },
      ])
      const findings = [...machine, ...database]
      const width = Math.max(...findings.map(({ check }) => check.length))
      console.log(flags.json ? JSON.stringify(findings, null, 2) : findings.map((finding) => lineOf(finding, width)).join('\n'))
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1
    },
  },
  {
    words: 'recount',
    help: 'Rebuilds statistics and totals from the rows; requests that add to them wait until it ends',
    examples: ['guildhall recount'],
    run: ({ flags, config }) =>
      withUrl(config, async (url) => {
        const { recount } = await import('./recount.ts')
        await recount(url)
        printDone(flags.json, 'Statistics and totals are rebuilt.', { done: true })
      }),
  },
]

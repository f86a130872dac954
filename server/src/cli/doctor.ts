import { systemClock } from '../core/clock.ts'
import type { Finding } from './checks.ts'
import type { Command } from './command.ts'
import { refuseWithoutDatabase, withUrl } from './database.ts'
import { printDone } from './output.ts'

const MARKS = { good: 'good ', look: 'look ', wrong: 'WRONG' }

const lineOf = ({ check, state, found, mend }: Finding, width: number) =>
  `${MARKS[state]}  ${check.padEnd(width)}  ${found}${mend ? `\n       ${' '.repeat(width)}  ${mend}` : ''}`

export const doctor: Command[] = [
  {
    words: 'doctor',
    help: 'Looks at everything, and says what is wrong and how to mend it; exit code 1 if something is',
    examples: ['guildhall doctor', 'guildhall doctor --json'],
    run: async ({ flags, config }) => {
      refuseWithoutDatabase(config)
      const { ofDatabase, ofMachine } = await import('./checks.ts')
      const machine = await ofMachine(config)
      const database = await withUrl(config, (url) => ofDatabase(config, url, systemClock)).catch((error: Error): Finding[] => [
        { check: 'database', state: 'wrong', found: error.message, mend: 'Mend that first.' },
      ])
      const findings = [...machine, ...database]
      const width = Math.max(...findings.map(({ check }) => check.length))
      console.log(flags.json ? JSON.stringify(findings, null, 2) : findings.map((finding) => lineOf(finding, width)).join('\n'))
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1
    },
  },
  {
    words: 'recount',
    help: 'Counts rolls, users and campaigns anew; whoever would add one meanwhile waits',
    examples: ['guildhall recount'],
    run: ({ flags, config }) =>
      withUrl(config, async (url) => {
        const { recount } = await import('./recount.ts')
        await recount(url)
        printDone(flags.json, 'Every roll, user and campaign is counted.', { done: true })
      }),
  },
]

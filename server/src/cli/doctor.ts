import { systemClock } from '../core/clock.ts'
import { migrations } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { Finding } from './checks.ts'
import type { Command } from './command.ts'
import { withDatabase, withUrl } from './database.ts'
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
    help: 'Counts all rolls anew into the statistics; whoever rolls meanwhile waits',
    examples: ['guildhall recount'],
    run: ({ flags, config }) =>
      withDatabase(config, async (db) => {
        const { text } = migrations().find(({ name }) => name.endsWith('_count_rolls.sql')) as { text: string }
        await db.transaction(async (tx) => {
          await tx.query(sql`SET LOCAL statement_timeout = 0`)
          await tx.query(sql`LOCK TABLE dice_rolls IN SHARE MODE`)
          for (const table of ['dice_days', 'dice_faces', 'dice_traits', 'dice_tallies']) await tx.query(sql`DELETE FROM ${sql.id(table)}`)
          for (const statement of text.split(/;\s*\n/)) if (statement.trim()) await tx.query(sql.words(statement))
        })
        printDone(flags.json, 'Every roll is counted.', { done: true })
      }),
  },
]

import { readConfig } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'
import { VERSION } from '../core/version.ts'
import { migrate } from '../db/migrate.ts'
import { isOneOfMany } from '../start/processes.ts'
import { backups } from './backup.ts'
import { type Command, helpFor, parse, usage, wrong } from './command.ts'
import { companies } from './companies.ts'
import { confirm } from './confirm.ts'
import { withUrl } from './database.ts'
import { developers } from './developers.ts'
import { doctor } from './doctor.ts'
import { grants } from './grants.ts'
import { keys } from './keys.ts'
import { printDone } from './output.ts'
import { verifyRoll } from './verify-roll.ts'

const commands: Command[] = [
  {
    words: 'serve',
    help: 'Starts the service, on the embedded database or on DATABASE_URL',
    flags: { processes: { type: 'string', value: 'N', help: 'run in so many processes that share the port; 1 unless said otherwise' } },
    examples: ['guildhall serve', 'guildhall serve --processes 4', 'PORT=9000 DATABASE_URL=postgres://localhost/guildhall guildhall serve'],
    run: async ({ config, flags }) => {
      const processes = processesOf(flags.processes)
      // Loaded for this command only: the others are quicker without it.
      const { serveForever } = await import('../main.ts')
      await serveForever(config, processes)
    },
  },
  {
    words: 'migrate',
    help: 'Brings the database up to this version; `serve` does the same by itself',
    examples: ['guildhall migrate', 'DATABASE_URL=postgres://localhost/guildhall guildhall migrate'],
    run: async ({ flags, config }) => {
      const applied = await withUrl(config, (url) => migrate(url, { pooler: config.pooler }), { create: true })
      printDone(flags.json, applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.', { applied })
    },
  },
  ...developers,
  ...keys,
  ...companies,
  ...grants,
  ...backups,
  ...doctor,
  ...verifyRoll,
]

const MOST_PROCESSES = 64

function processesOf(given: string | boolean | undefined): number {
  const count = Number(given ?? 1)
  if (!/^\d*$/.test(String(given ?? '')) || count < 1 || count > MOST_PROCESSES)
    wrong(`--processes must be a whole number from 1 to ${MOST_PROCESSES}, not '${given}'.`)
  return count
}

function listing(some: Command[]): string {
  const width = Math.max(...some.map((command) => usage(command).length))
  return some.map((command) => `  ${usage(command).padEnd(width)}  ${command.help}`).join('\n')
}

function overview(): string {
  return [
    `Guildhall ${VERSION}: the tabletop gaming campaign service.`,
    '',
    listing(commands),
    '',
    'Every command has --help. From a clone: npm run -s guildhall -- COMMAND, or npx guildhall COMMAND.',
    'They work on the embedded database in ./data (GUILDHALL_DATA_DIR), running or not, or on DATABASE_URL.',
  ].join('\n')
}

async function run(given: string[]): Promise<void> {
  if (given.length === 0 || given[0] === '--help' || given[0] === '-h' || given[0] === 'help') return console.log(overview())
  if (given[0] === '--version') return console.log(VERSION)
  const command = commands.find(({ words }) => words.split(' ').every((word, i) => given[i] === word))
  const group = commands.filter(({ words }) => words.startsWith(`${given[0]} `))
  if (!command && group.length && (given[1] === '--help' || given[1] === '-h')) return console.log(listing(group))
  if (!command && group.length)
    return wrong(
      `Usage: guildhall ${given[0]} ${group.map(({ words }) => words.split(' ')[1]).join('|')}. Try: guildhall ${given[0]} --help`,
    )
  if (!command) return wrong(`There is no command '${given.slice(0, 2).join(' ')}'. Try: guildhall --help`)
  const { args, flags } = parse(command, given.slice(command.words.split(' ').length))
  if (flags.help) return console.log(helpFor(command))
  const config = readConfig()
  await confirm(command, { args, flags })
  await command.run({ args, flags, config })
}

/** The command line: one sentence and an exit code for whatever the person at it can mend. */
export async function main(given: string[]): Promise<void> {
  try {
    await run(given)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
    // The line to its parent would keep one of many alive.
    if (isOneOfMany()) process.exit()
  }
}

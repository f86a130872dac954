import { readConfig } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'
import { VERSION } from '../core/version.ts'
import { migrate } from '../db/migrate.ts'
import { isOneOfMany } from '../start/processes.ts'
import { backups } from './backup.ts'
import { type Command, helpFor, parse, refuseUsage, usage } from './command.ts'
import { companies } from './companies.ts'
import { confirm } from './confirm.ts'
import { consoleLink } from './console-link.ts'
import { loadDeclarations, withUrl } from './database.ts'
import { demo } from './demo.ts'
import { developers } from './developers.ts'
import { distribute } from './distribute.ts'
import { doctor } from './doctor.ts'
import { grants } from './grants.ts'
import { keys } from './keys.ts'
import { listen } from './listen.ts'
import { printDone } from './output.ts'
import { verifyRoll } from './verify-roll.ts'
import { webhooks } from './webhooks.ts'

const commands: Command[] = [
  {
    words: 'serve',
    help: 'Starts the service, on the embedded database or on DATABASE_URL',
    flags: { processes: { type: 'string', value: 'N', help: 'number of processes that share the port (default 1)' } },
    examples: ['guildhall serve', 'guildhall serve --processes 4', 'PORT=9000 DATABASE_URL=postgres://localhost/guildhall guildhall serve'],
    run: async ({ config, flags }) => {
      const processes = processCount(flags.processes)
      // Loaded for this command only, so that the others start faster.
      const { serveForever } = await import('../main.ts')
      await serveForever(config, processes)
    },
  },
  {
    words: 'migrate',
    help: 'Migrates the database to this version; `serve` does the same at its start',
    examples: ['guildhall migrate', 'DATABASE_URL=postgres://localhost/guildhall guildhall migrate'],
    run: async ({ flags, config }) => {
      const applied = await withUrl(config, (url) => migrate(url, { pooler: config.pooler, loadDeclarations }), { create: true })
      printDone(flags.json, applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.', { applied })
    },
  },
  ...demo,
  ...webhooks,
  ...listen,
  ...developers,
  ...keys,
  ...consoleLink,
  ...companies,
  ...grants,
  ...backups,
  ...distribute,
  ...doctor,
  ...verifyRoll,
]

const MAX_PROCESSES = 64

function processCount(given: string | boolean | undefined): number {
  const count = Number(given ?? 1)
  if (!/^\d*$/.test(String(given ?? '')) || count < 1 || count > MAX_PROCESSES)
    refuseUsage(`--processes is '${given}'. Expected a whole number from 1 to ${MAX_PROCESSES}.`)
  return count
}

function listing(shown: Command[]): string {
  const width = Math.max(...shown.map((command) => usage(command).length))
  return shown.map((command) => `  ${usage(command).padEnd(width)}  ${command.help}`).join('\n')
}

function overview(): string {
  return [
    `Guildhall ${VERSION}: the tabletop gaming campaign service.`,
    '',
    listing(commands),
    '',
    'Every command has --help. From a clone, run npm run -s guildhall -- COMMAND, or npx guildhall COMMAND.',
    'Commands use the embedded database in ./data (or GUILDHALL_DATA_DIR), whether the service runs or not, or DATABASE_URL.',
  ].join('\n')
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === '--help' || words[0] === '-h' || words[0] === 'help') return console.log(overview())
  if (words[0] === '--version') return console.log(VERSION)
  const command = commands.find((candidate) => candidate.words.split(' ').every((word, i) => words[i] === word))
  const group = commands.filter((candidate) => candidate.words.startsWith(`${words[0]} `))
  if (!command && group.length && (words[1] === '--help' || words[1] === '-h')) return console.log(listing(group))
  if (!command && group.length)
    return refuseUsage(
      `Usage: guildhall ${words[0]} ${group.map((candidate) => candidate.words.split(' ')[1]).join('|')}. Try: guildhall ${words[0]} --help`,
    )
  if (!command) return refuseUsage(`There is no command '${words.slice(0, 2).join(' ')}'. Try: guildhall --help`)
  const { args, flags } = parse(command, words.slice(command.words.split(' ').length))
  if (flags.help) return console.log(helpFor(command))
  const config = readConfig()
  await confirm(command, { args, flags })
  await command.run({ args, flags, config })
}

/** Runs the command line. Errors that the user can fix are printed as a message, with an exit code. */
export async function main(words: string[]): Promise<void> {
  try {
    await run(words)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
    // The channel to the parent would keep a worker process alive.
    if (isOneOfMany()) process.exit()
  }
}

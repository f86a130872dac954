import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Config } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'

export interface Call {
  args: string[]
  flags: Record<string, string | boolean | undefined>
  config: Config
}

/** A command as data: the help and the parser read the same value. */
export interface Command {
  /** The words that select it, as in `developers create`. */
  words: string
  /** The names of the required arguments. */
  args?: string[]
  flags?: Record<string, { type: 'string' | 'boolean'; help: string; value?: string }>
  help: string
  examples: string[]
  /** The question to confirm, for a command that deletes something. */
  confirms?(args: string[]): string
  run(call: Call): Promise<void>
}

/** Ends the program because of its arguments, with exit code 2. */
export const refuseUsage = (message: string): never => {
  throw new Refusal(message, 2)
}

const JSON_FLAG = { json: { type: 'boolean' as const, help: 'print JSON' } }
const YES_FLAG = { yes: { type: 'boolean' as const, help: 'do not ask for confirmation; required outside a terminal' } }
/** Commands that run until they are stopped, and print a log. */
const RUNNING = ['serve', 'deliver', 'listen']
const flagsOf = ({ words, flags = {}, confirms }: Command) => ({
  ...flags,
  ...(confirms && YES_FLAG),
  ...(!RUNNING.includes(words) && JSON_FLAG),
})

export const usage = ({ words, args = [] }: Command) => ['guildhall', words, ...args].join(' ')

export function helpFor(command: Command): string {
  const flags = Object.entries<{ help: string; value?: string }>({ ...flagsOf(command), help: { help: 'show this help' } })
  const names = flags.map(([name, { value }]) => `--${name}${value ? ` ${value}` : ''}`)
  const width = Math.max(...names.map((name) => name.length))
  return [
    `${command.help}.`,
    '',
    `Usage: ${usage(command)} [options]`,
    '',
    ...flags.map(([, { help }], i) => `  ${(names[i] as string).padEnd(width)}  ${help}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n')
}

/** Parses the arguments of a command. Refuses unknown options and a wrong number of arguments. */
export function parse(command: Command, words: string[]): Pick<Call, 'args' | 'flags'> {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { type }] of Object.entries(flagsOf(command))) options[name] = { type }
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: words, options, allowPositionals: true })
    } catch (error) {
      return refuseUsage(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}. Try: guildhall ${command.words} --help`)
    }
  })()
  const expected = command.args ?? []
  if (!values.help && positionals.length !== expected.length)
    refuseUsage(`Usage: ${usage(command)}. Try: guildhall ${command.words} --help`)
  return { args: positionals, flags: values as Call['flags'] }
}

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Config } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'

export interface Call {
  args: string[]
  flags: Record<string, string | boolean | undefined>
  config: Config
}

/** A command as data: the help and the parser read the same. */
export interface Command {
  /** The words that call it, as in `developers create`. */
  words: string
  /** What follows them: NAME is required. */
  args?: string[]
  flags?: Record<string, { type: 'string' | 'boolean'; help: string; value?: string }>
  help: string
  examples: string[]
  /** The question that is asked first, where the command deletes something. */
  confirms?(args: string[]): string
  run(call: Call): Promise<void>
}

export const wrong = (sentence: string): never => {
  throw new Refusal(sentence, 2)
}

const JSON_FLAG = { json: { type: 'boolean' as const, help: 'print JSON, for programs' } }
const YES_FLAG = { yes: { type: 'boolean' as const, help: 'do not ask for confirmation; required outside a terminal' } }
const flagsOf = ({ words, flags = {}, confirms }: Command) => ({
  ...flags,
  ...(confirms && YES_FLAG),
  ...(words !== 'serve' && JSON_FLAG),
})

export const usage = ({ words, args = [] }: Command) => ['guildhall', words, ...args].join(' ')

export function helpFor(command: Command): string {
  const flags = Object.entries<{ help: string; value?: string }>({ ...flagsOf(command), help: { help: 'show this' } })
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

/** Reads what follows the command's words; what it does not know is refused with a sentence. */
export function parse(command: Command, given: string[]): Pick<Call, 'args' | 'flags'> {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { type }] of Object.entries(flagsOf(command))) options[name] = { type }
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: given, options, allowPositionals: true })
    } catch (error) {
      return wrong(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}. Try: guildhall ${command.words} --help`)
    }
  })()
  const expected = command.args ?? []
  if (!values.help && positionals.length !== expected.length) wrong(`Usage: ${usage(command)}. Try: guildhall ${command.words} --help`)
  return { args: positionals, flags: values as Call['flags'] }
}

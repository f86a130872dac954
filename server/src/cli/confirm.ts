import { createInterface } from 'node:readline'
import { Refusal } from '../core/refusal.ts'
import { type Call, type Command, refuseUsage } from './command.ts'

/** Asks for confirmation before a command that deletes. Outside of a terminal nobody can answer, so --yes is required. */
export async function confirm({ words, confirms }: Command, { args, flags }: Pick<Call, 'args' | 'flags'>): Promise<void> {
  if (!confirms || flags.yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    refuseUsage(`guildhall ${words} needs a confirmation. Run it in a terminal, or add --yes.`)
  if (!/^y(es)?$/i.test(await ask(`${confirms(args)} [y/N] `))) throw new Refusal('Cancelled. Nothing was changed.')
}

/** Asks on standard error, because standard output is for the result. Ctrl-C and the end of input give an empty answer. */
const ask = (question: string) =>
  new Promise<string>((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    terminal.once('close', () => resolve(''))
    terminal.question(question, (answer) => {
      resolve(answer.trim())
      terminal.close()
    })
  })

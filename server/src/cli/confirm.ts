import { createInterface } from 'node:readline'
import { Refusal } from '../core/refusal.ts'
import { type Call, type Command, wrong } from './command.ts'

/** Asks before a command that deletes. Outside a terminal nobody can answer, so there --yes is required. */
export async function confirm({ words, confirms }: Command, { args, flags }: Pick<Call, 'args' | 'flags'>): Promise<void> {
  if (!confirms || flags.yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) wrong(`guildhall ${words} needs a confirmation. Run it in a terminal, or add --yes.`)
  if (!/^y(es)?$/i.test(await ask(`${confirms(args)} [y/N] `))) throw new Refusal('Cancelled. Nothing was changed.')
}

/** The question goes to standard error: standard output is for the result. Ctrl-C and end of input answer nothing. */
const ask = (question: string) =>
  new Promise<string>((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    terminal.once('close', () => resolve(''))
    terminal.question(question, (answer) => {
      resolve(answer.trim())
      terminal.close()
    })
  })

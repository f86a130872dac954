import { readFileSync } from 'node:fs'
import { Refusal } from '../core/refusal.ts'
import { faultsOf } from '../resources/dice-rolls/verify.ts'
import type { Command } from './command.ts'
import { refuse } from './database.ts'
import { printDone } from './output.ts'

/** A file of JSON; `-` is standard input. */
function read(file: string): never {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as never
  } catch {
    return refuse(`'${file}' cannot be read as JSON.`)
  }
}

/** Faults in what was read, such as a missing field, are the file's. */
function check(proof: never, roll: never | undefined): string[] {
  try {
    return faultsOf(proof, roll)
  } catch {
    return refuse('This is not a proof as GET .../dice-rolls/{roll_id}/proof gives it.')
  }
}

export const verifyRoll: Command[] = [
  {
    words: 'verify-roll',
    args: ['PROOF'],
    flags: { roll: { type: 'string', value: 'FILE', help: 'the roll itself: then its dice are checked too' } },
    help: 'Checks the proof of a dice roll, without the service or its database',
    examples: [
      'guildhall verify-roll proof.json',
      'guildhall verify-roll proof.json --roll roll.json',
      'curl ... | guildhall verify-roll -',
    ],
    run: async ({ args: [file = ''], flags }) => {
      const roll = typeof flags.roll === 'string' ? read(flags.roll) : undefined
      const faults = check(read(file), roll)
      if (faults.length) throw new Refusal(faults.join('\n'), 1)
      const what = `the words from both seeds and the nonce${roll ? ', and the dice from the words' : ''}`
      printDone(flags.json, `It holds: the commitment follows from the seed, ${what}.`, { holds: true })
    },
  },
]

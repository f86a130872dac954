import { readFileSync } from 'node:fs'
import { isRoll, ProofFault } from '@guildhall/dice/proof'
import { verifyRoll as verify } from '@guildhall/dice/verify'
import { Refusal } from '../core/refusal.ts'
import type { Command } from './command.ts'
import { refuse } from './database.ts'
import { printDone } from './output.ts'

/** Reads a JSON file; `-` is standard input. */
function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch {
    return refuse(`'${file}' cannot be read as JSON. Check the path and the contents.`)
  }
}

function readProof(file: string): unknown {
  const json = read(file)
  return isRoll(json)
    ? refuse(`'${file}' is a roll, not a proof. Get its proof with GET .../dice-rolls/{roll_id}/proof, and pass the roll with --roll.`)
    : json
}

export const verifyRoll: Command[] = [
  {
    words: 'verify-roll',
    args: ['PROOF'],
    flags: { roll: { type: 'string', value: 'FILE', help: 'the roll itself: its dice are checked, too' } },
    help: 'Checks the proof of a dice roll, without the service or its database',
    examples: [
      'guildhall verify-roll proof.json',
      'guildhall verify-roll proof.json --roll roll.json',
      'curl ... | guildhall verify-roll -',
    ],
    run: async ({ args: [file = ''], flags }) => {
      const files = { proof: file, roll: flags.roll }
      const roll = typeof files.roll === 'string' ? read(files.roll) : undefined
      const { holds, message } = await verify(readProof(file), roll).catch((error: unknown) => {
        if (!(error instanceof ProofFault)) throw error
        return refuse(`'${files[error.subject]}' ${error.detail}`)
      })
      if (!holds) throw new Refusal(message, 1)
      printDone(flags.json, message, { holds })
    },
  },
]

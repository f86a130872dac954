import { readFileSync } from 'node:fs'
import { Refusal } from '../core/refusal.ts'
import type { DiceRoll, Proof } from '../resources/dice-rolls/schema.ts'
import { faultsOf } from '../resources/dice-rolls/verify.ts'
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

// These check only the fields that distinguish a proof from a roll; the command itself checks the values.
const has = <T>(json: unknown, field: keyof T, isValid: (value: unknown) => boolean) =>
  typeof json === 'object' && json !== null && isValid((json as T)[field])
const isText = (value: unknown) => typeof value === 'string'
const isProof = (json: unknown): json is Proof =>
  (['roll_id', 'commitment', 'client_seed'] as const).every((field) => has<Proof>(json, field, isText)) &&
  has<Proof>(json, 'words', Array.isArray) &&
  has<Proof>(json, 'nonce', Number.isInteger) &&
  has<Proof>(json, 'server_seed', (seed) => seed === null || isText(seed))
const isRoll = (json: unknown): json is DiceRoll =>
  has<DiceRoll>(json, 'id', isText) && has<DiceRoll>(json, 'dice', Array.isArray) && has<DiceRoll>(json, 'text', isText)

function readProof(file: string): Proof {
  const json = read(file)
  if (isProof(json)) return json
  if (isRoll(json))
    return refuse(`'${file}' is a roll, not a proof. Get its proof with GET .../dice-rolls/{roll_id}/proof, and pass the roll with --roll.`)
  return refuse(`'${file}' is not a proof. Get one with GET .../dice-rolls/{roll_id}/proof.`)
}

function readRoll(file: string): DiceRoll {
  const json = read(file)
  return isRoll(json) ? json : refuse(`'${file}' is not a roll. Get it with GET .../dice-rolls/{roll_id}.`)
}

/** Verifies a proof. A field may still have a value that no roll can have, such as a notation with a syntax error. */
function check(proof: Proof, roll: DiceRoll | undefined): string[] {
  try {
    return faultsOf(proof, roll)
  } catch (error) {
    return refuse(`The proof or the roll is damaged: ${(error as Error).message}. Get both again.`)
  }
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
      const roll = typeof flags.roll === 'string' ? readRoll(flags.roll) : undefined
      const faults = check(readProof(file), roll)
      if (faults.length) throw new Refusal(faults.join('\n'), 1)
      const rest = `the words from both seeds and the nonce${roll ? ', and the dice from the words' : ''}`
      printDone(flags.json, `The proof holds: the commitment follows from the seed, ${rest}.`, { holds: true })
    },
  },
]

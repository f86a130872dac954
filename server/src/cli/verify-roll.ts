import { readFileSync } from 'node:fs'
import { isRoll, ProofFault } from '@guildhall/dice/proof'
import { verifyRoll as verify } from '@guildhall/dice/verify'
import { judgeOf, type KeptRoll } from '@guildhall/rules/ruleset/judge'
import { RollFault } from '@guildhall/rules/ruleset/roll'
import { Refusal } from '../core/refusal.ts'
import { checkDocument } from '../resources/rulesets/check.ts'
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

/** Compiles the document of a ruleset, and prepares the roll by it. */
function readJudge(file: string, roll: unknown) {
  const document = read(file)
  const { ruleset: kept } = (roll ?? {}) as { ruleset?: (KeptRoll & { version_id: string }) | null }
  if (!kept) return refuse('The ruleset judges only a roll that was made by its name. Pass such a roll with --roll.')
  const { ruleset } = checkDocument(Object(document))
  if (!ruleset) return refuse(`'${file}' is not the document of a published version. Get the one of the version ${kept.version_id}.`)
  try {
    return judgeOf(ruleset, kept) ?? refuse(`'${file}' has no roll ${kept.roll}. Get the document of the version ${kept.version_id}.`)
  } catch (error) {
    if (!(error instanceof RollFault)) throw error
    return refuse(`The inputs of the roll do not fit '${file}': ${error.message}.`)
  }
}

export const verifyRoll: Command[] = [
  {
    words: 'verify-roll',
    args: ['PROOF'],
    flags: {
      roll: { type: 'string', value: 'FILE', help: 'the roll itself: its dice are checked, too' },
      ruleset: { type: 'string', value: 'FILE', help: 'the document of its ruleset: the result by the ruleset is checked, too' },
    },
    help: 'Checks the proof of a dice roll, without the service or its database',
    examples: [
      'guildhall verify-roll proof.json',
      'guildhall verify-roll proof.json --roll roll.json',
      'guildhall verify-roll proof.json --roll roll.json --ruleset document.json',
      'curl ... | guildhall verify-roll -',
    ],
    run: async ({ args: [file = ''], flags }) => {
      const files = { proof: file, roll: flags.roll }
      const roll = typeof files.roll === 'string' ? read(files.roll) : undefined
      const judge = typeof flags.ruleset === 'string' ? readJudge(flags.ruleset, roll) : undefined
      const { holds, message } = await verify(readProof(file), roll, judge).catch((error: unknown) => {
        if (!(error instanceof ProofFault)) throw error
        return refuse(`'${files[error.subject]}' ${error.detail}`)
      })
      if (!holds) throw new Refusal(message, 1)
      printDone(flags.json, message, { holds })
    },
  },
]

// The public entry: what an application needs without the service. It runs in browsers, Deno, Bun, workers and Node.
export type { Die, Flag } from './evaluate.ts'
export { DiceFault } from './fault.ts'
export { namesIn, resolveNames } from './names.ts'
export { MAX_NOTATION_LENGTH, NotationFault, type ParseOptions, parse } from './notation.ts'
export { type Proof, ProofFault, type ProvenRoll } from './proof.ts'
export type { Addend, Comparison, Dice, Operand, Term } from './term.ts'
export { countsSuccesses, diceIn } from './term.ts'
export { type Verdict, verifyRoll } from './verify.ts'

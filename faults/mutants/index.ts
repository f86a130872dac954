import { answers } from './answers.ts'
import type { Mutant } from './mutant.ts'
import { outside } from './outside.ts'
import { rights } from './rights.ts'
import { secrets } from './secrets.ts'
import { writes } from './writes.ts'

/** All planted faults, in the order of docs/mutants.md. */
export const mutants: Mutant[] = [...rights, ...secrets, ...writes, ...answers, ...outside]

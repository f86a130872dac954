import type { Sql } from './sql.ts'

/** A statement about the data that is true of every database at every moment. The doctor and the fault scenarios check all of them. */
interface Invariant {
  /** The name of the check, as the doctor prints it. */
  check: string
  /** Finds the rows that violate the invariant. */
  violations(): Sql
  /** The sentence that is true if there are no such rows. */
  holds: string
  /** The instruction for an operator to repair a violation. */
  remedy?: string
}

const REPORT = 'Please report this with the output above. An older backup shows when it began.'

const declared: Required<Invariant>[] = []

/** Declares an invariant, beside the tables that it is about. */
export const declareInvariant = (invariant: Invariant): void => {
  declared.push({ remedy: REPORT, ...invariant })
}

/** Every invariant that is declared so far, by name. Code that needs all of them imports resources/declarations.ts. */
export const invariants = (): Required<Invariant>[] => [...declared].sort((a, b) => (a.check < b.check ? -1 : 1))

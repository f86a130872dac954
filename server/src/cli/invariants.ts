import { counterMismatches } from '../db/counters.ts'
import type { Sql } from '../db/sql.ts'
import { overusedSeeds, rollMismatches, seedMismatches } from '../resources/dice-rolls/tally.ts'
import { experienceMismatches } from '../resources/experience/queries.ts'

/** Something that is true of every database at every moment. The doctor checks it, and so do the fault scenarios after each fault. */
export interface Invariant {
  check: string
  /** Finds the rows that contradict it. */
  violations: Sql
  /** What is true if there are none. */
  holds: string
  remedy: string
}

const REPORT = 'Tell the makers of Guildhall, with what is printed here; a backup of before tells since when.'

export const INVARIANTS: Invariant[] = [
  { check: 'experience', violations: experienceMismatches, holds: 'every balance is the sum of its entries', remedy: REPORT },
  { check: 'dice numbers', violations: seedMismatches, holds: 'the rolls of every seed are numbered without gaps', remedy: REPORT },
  {
    check: 'dice seeds',
    violations: overusedSeeds,
    holds: 'no seed was used beyond its counter',
    remedy:
      'Rotate the seed: POST .../dice-seed/rotate, or .../secret-dice-seed/rotate. Restore backups with guildhall restore, which replaces all seeds.',
  },
  { check: 'statistics', violations: rollMismatches, holds: 'every roll is counted', remedy: 'Run guildhall recount.' },
  { check: 'totals', violations: counterMismatches, holds: 'every user and campaign is counted', remedy: 'Run guildhall recount.' },
]

import { hash } from 'node:crypto'
import type { DiceRollRow } from './schema.ts'

/** The counts that are also stored for each day. */
export const DAILY = ['rolls', 'botches', 'failures', 'successes', 'criticals'] as const
/** The counts of dice rolled at the table, which no other count includes. */
export const MANUAL = ['manual_rolls', 'manual_botches', 'manual_failures', 'manual_successes', 'manual_criticals'] as const
const POOLS = ['pools', 'pool_dice', 'difficulties', 'difficulty_sum'] as const
export const COUNTED = [...DAILY, ...POOLS, 'natural_max', 'natural_min', ...MANUAL, 'voided_rolls'] as const
/** The counts that together include every roll once. */
export const ROLLS = ['rolls', 'manual_rolls', 'voided_rolls'] as const
export type Counts = Record<(typeof COUNTED)[number], number>

/** The values that the rolls of a tally share. */
export type Scope = Pick<DiceRollRow, 'company_id' | 'campaign_id' | 'character_id' | 'user_id' | 'visibility'>

/**
 * The ids of the two tallies that a roll is counted in: that of its user in its campaign, and that of the company. The company has sixteen,
 * so that its rolls do not all wait for one row. An id is the hash of the values that the rolls of its tally share.
 */
export function tallyIdsOf({ campaign_id, character_id, user_id, visibility }: Omit<Scope, 'company_id'>): [own: string, company: string] {
  const id = (...parts: string[]) => hash('sha256', [...parts, visibility].join(':'), 'hex').slice(0, 32)
  return [id(campaign_id ?? '', character_id ?? '', user_id), id((campaign_id ?? user_id).slice(-1))]
}

/** The counts to add to the two tallies of a roll. */
export interface Additions {
  roll: Scope & Pick<DiceRollRow, 'date_created'>
  counts: Counts
  /** The number of times that each face was rolled, by the number of sides. */
  faces: Map<number, number[]>
  /** The number of rolls that used a trait, by its name. */
  traits: Map<string, number>
}

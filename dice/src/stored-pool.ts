import type { Pool } from './pool.ts'

/** The pool of a roll as the service stores and returns it. Options that were not requested are absent or null. */
export interface StoredPool {
  sides: number
  dice: number
  modifier: number
  difficulty: number | null
  desperation_dice: number
  double?: number[] | null | undefined
  ones?: 'SUBTRACT' | 'IGNORE' | null | undefined
  again?: number[] | null | undefined
  needed?: number | null | undefined
  special?: { count: number } | null | undefined
  chance?: boolean | null | undefined
}

/** Returns a stored pool as the engine takes it. The options that are absent or null have defaults there. */
export const enginePool = ({ sides, dice, modifier, difficulty, desperation_dice, ...options }: StoredPool): Pool => ({
  sides,
  dice: dice + modifier,
  difficulty,
  desperation_dice,
  double: options.double ?? undefined,
  ones: options.ones ?? undefined,
  again: options.again ?? undefined,
  needed: options.needed ?? undefined,
  special: options.special?.count,
  chance: options.chance ?? undefined,
})

import type { Draw } from './draw.ts'
import type { Die } from './evaluate.ts'

export const OUTCOMES = ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A pool with all its traits and modifiers resolved. */
export interface Pool {
  sides: number
  /** The number of normal dice, including the modifier. */
  dice: number
  difficulty: number | null
  desperation_dice: number
}

/** Returns the successes of a die against a difficulty: 2 for the highest face, -1 for a 1. */
export function worth(value: number, sides: number, difficulty: number): number {
  if (value === sides) return 2
  if (value === 1) return -1
  return value >= difficulty ? 1 : 0
}

export function outcomeOf(net: number, dice: number): Outcome {
  if (net < 0) return 'BOTCH'
  if (net === 0) return 'FAILURE'
  return net > dice ? 'CRITICAL' : 'SUCCESS'
}

interface Rolled {
  dice: Die[]
  /** The net successes, if there is a difficulty. */
  net: number | null
  total: number | null
  outcome: Outcome | null
  /** True if a desperation die shows 1: the player or storyteller must choose a consequence. */
  strained: boolean
}

/** Rolls a pool. The desperation dice are rolled last. */
export function rollPool({ sides, dice: count, difficulty, desperation_dice }: Pool, draw: Draw): Rolled {
  const dice = Array.from({ length: count + desperation_dice }, (_, i): Die => {
    const value = draw(sides) + 1
    const flags: Die['flags'] = ['kept']
    if (difficulty !== null && value !== 1 && value >= difficulty) flags.push('success')
    if (difficulty !== null && value === sides) flags.push('critical')
    if (difficulty !== null && value === 1) flags.push('botch')
    return { kind: i < count ? 'NORMAL' : 'DESPERATION', sides, value, flags }
  })
  const strained = dice.some(({ kind, value }) => kind === 'DESPERATION' && value === 1)
  if (difficulty === null) return { dice, net: null, total: dice.reduce((sum, { value }) => sum + value, 0), outcome: null, strained }
  const net = dice.reduce((sum, { value }) => sum + worth(value, sides, difficulty), 0)
  return { dice, net, total: null, outcome: outcomeOf(net, dice.length), strained }
}

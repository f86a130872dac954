import { namesIn, resolveNames } from '@guildhall/dice/names'
import { diceIn, NotationFault, tryParse } from '@guildhall/dice/notation'
import { MAX_POOL_DICE, POOL_DEFAULTS, type SavedPool } from '../dice-rolls/request-schema.ts'
import type { OddsRequest } from './schema.ts'

/** Odds of more faces (dice times sides) keep the process busy for several milliseconds. */
const MAX_LIGHT_FACES = 300
/** Adding dice one by one to a sum of so many faces takes this number of steps. */
const MAX_LIGHT_STEPS = MAX_LIGHT_FACES ** 2 / 2
/** The steps with natural faces: each of three distributions combines all dice. */
const TIMES_WITH_NATURALS = 3
/** A name counts as this if it is not an input: its value is not known yet. In place of a number of dice it makes any odds heavy. */
const UNKNOWN_VALUE = 100
/** The probability below which the chain of an exploding die ends (see `oddsOfPool`). */
const LEAST_PROBABILITY = 1e-15

type Values = NonNullable<OddsRequest['values']>
const assumedValue = (values: Values, name: string) => (Object.hasOwn(values, name) ? (values[name] as number) : UNKNOWN_VALUE)

type Asked = Pick<OddsRequest, 'notation' | 'naturals' | 'values'> & { pool?: SavedPool }

/** Returns true for odds of which only a few are computed at once. */
export const isHeavy = ({ notation, pool, naturals, values = {} }: Asked): boolean =>
  pool ? stepsOfPool(pool, values) > MAX_LIGHT_STEPS : notation !== undefined && isHeavyNotation(notation, values, naturals === true)

function isHeavyNotation(notation: string, values: Values, naturals: boolean): boolean {
  const names = resolved(notation, values)
  const term = tryParse(names ?? undefined)
  // Another value than the assumed one may be valid: a notation with names is heavy unless it is known to be light.
  if (!term) return names !== notation
  const faces = diceIn(term).reduce((sum, { count, sides }) => sum + count * sides, 0)
  return faces * (naturals ? TIMES_WITH_NATURALS : 1) > MAX_LIGHT_FACES
}

/** The notation with assumed values in the place of unknown names; null if a value cannot stand there. */
function resolved(notation: string, values: Values): string | null {
  try {
    return namesIn(notation).length ? resolveNames(notation, (name) => assumedValue(values, name)) : notation
  } catch (error) {
    if (!(error instanceof NotationFault)) throw error
    return null
  }
}

/** Estimates the steps of a pool's odds from the number of results of one die, which an explosion extends. */
function stepsOfPool(pool: SavedPool, values: Values): number {
  const { traits = [], sides, modifier, desperation_dice, again = [] } = { ...POOL_DEFAULTS, ...pool }
  const base = pool.dice ?? traits.reduce((sum, name) => sum + assumedValue(values, name), 0)
  const dice = Math.min(Math.max(base + modifier, 1), MAX_POOL_DICE) + desperation_dice
  // With a difficulty, a die counts -1 to 2.
  const range = (pool.difficulty ?? pool.success) === undefined ? sides : 3
  const chain = again.length ? Math.ceil(Math.log(LEAST_PROBABILITY) / Math.log(Math.min(0.5, again.length / sides))) : 1
  const die = range * chain
  return (dice * die * (dice * range + (chain - 1) * range)) / 2
}

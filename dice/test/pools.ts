import fc from 'fast-check'
import { dialectFaults, type Pool } from '../src/pool.ts'

/** Pools of every dialect that the checks accept, small and large. */
export const anyPool = (maxSides = 30, maxDice = 100): fc.Arbitrary<Pool> =>
  fc.integer({ min: 2, max: maxSides }).chain((sides) => {
    const face = fc.integer({ min: 1, max: sides })
    const faces = (low: number, maxLength: number) =>
      fc.uniqueArray(fc.integer({ min: Math.min(low, sides), max: sides }), { maxLength: Math.floor(maxLength) })
    const shared = {
      sides: fc.constant(sides),
      dice: fc.integer({ min: 1, max: maxDice }),
      desperation_dice: fc.integer({ min: 0, max: 10 }),
      again: faces(1, sides / 2),
      special: fc.integer({ min: 0, max: 100 }),
    }
    const added = fc.record(
      { ...shared, difficulty: fc.constant(null) },
      { requiredKeys: ['sides', 'dice', 'desperation_dice', 'difficulty'] },
    )
    const counted = face
      .map((value) => Math.max(2, value))
      .chain((difficulty) =>
        fc.record(
          {
            ...shared,
            dice: fc.integer({ min: -3, max: maxDice }),
            difficulty: fc.constant(difficulty),
            double: faces(difficulty, sides),
            ones: fc.constantFrom('SUBTRACT' as const, 'IGNORE' as const),
            needed: fc.integer({ min: 1, max: 100 }),
            chance: fc.boolean(),
          },
          { requiredKeys: ['sides', 'dice', 'desperation_dice', 'difficulty'] },
        ),
      )
      .filter(({ dice, chance }) => dice >= 1 || chance === true)
    return fc.oneof({ weight: 1, arbitrary: added }, { weight: 3, arbitrary: counted }).filter((pool) => dialectFaults(pool).length === 0)
  })

import { type Static, type TSchema, Type } from '@guildhall/rules/type'
import { Enum, Int, Text } from '../../core/fields.ts'

/** The range that every operation of a formula keeps to. */
const MAX_COMPUTED = 1_000_000_000

/** Values by their names in the ruleset, each pair of at most `maxBytes`. A name may be that of a part of another, with a dot between. */
export const byName = <S extends TSchema>(value: S, maxProperties: number, maxBytes: number, description: string, example: object) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    // Names are letters, digits and underscores, so that they are as long in JSON.
    'x-max-bytes': 2 + maxProperties * maxBytes,
    propertyNames: { type: 'string', maxLength: 129 },
    additionalProperties: value,
    maxProperties,
    description,
    examples: [example],
  })

export const computed = (description: string, example: number) => Int(-MAX_COMPUTED, MAX_COMPUTED, description, example)

export const SheetFault = Type.Object(
  {
    field: Text(201, 'The part of the sheet', 'traits.might'),
    message: Text(500, 'Description of the fault', 'must be 1 to 5'),
    level: Enum('SheetFaultLevel', ['ERROR', 'WARNING'], 'ERROR: the rules forbid it. WARNING: worth a look'),
  },
  { title: 'SheetFault', description: 'A part of a sheet that breaks a rule of the ruleset' },
)

const SheetTracker = Type.Object(
  {
    value: computed('Current value', 5),
    min: computed('Lowest value', 0),
    max: computed('Highest value', 8),
  },
  { title: 'SheetTracker', description: 'A tracker, with the limits that follow from the sheet' },
)

/** A sheet with everything that follows from it. */
export const sheetFields = (maxFaults: number) => ({
  traits: byName(computed('Value', 3), 500, 80, 'All traits of the ruleset: stored values, and the defaults of others', { might: 3 }),
  derived: byName(computed('Value', 4), 500, 80, 'Derived values', { resolve: 4 }),
  trackers: byName(SheetTracker, 50, 130, 'Trackers with their limits', { health: { value: 5, min: 0, max: 8 } }),
  conditions: byName(Int(-MAX_COMPUTED, MAX_COMPUTED, 'Level', 1), 100, 80, 'Levels of all conditions', { shaken: 1 }),
  choices: byName(Text(64, 'The chosen option', 'soldier'), 20, 140, 'Choices that were made', { concept: 'soldier' }),
  faults: Type.Array(SheetFault, { maxItems: maxFaults, description: `Rules of the ruleset that the sheet breaks, at most ${maxFaults}` }),
})

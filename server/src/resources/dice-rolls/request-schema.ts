import { MAX_NOTATION_LENGTH } from '@guildhall/dice/notation'
import { type Static, Type } from '@guildhall/rules/type'
import {
  alternatives,
  Enum,
  Flag,
  hasNo,
  hasOneOf,
  Id,
  Int,
  isUnsetOr,
  Metadata,
  Name,
  Nullable,
  Text,
  WithDefault,
  WithStatedDefault,
} from '../../core/fields.ts'
import { TraitName, TraitValue } from '../characters/schema.ts'

export const RollVisibility = Enum(
  'RollVisibility',
  ['PUBLIC', 'STORYTELLER', 'BLIND'],
  'PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only',
)

export const Notation = Type.String({
  minLength: 1,
  maxLength: MAX_NOTATION_LENGTH,
  description: 'Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md',
  examples: ['4d6kh3+2'],
})
export const Comment = Text(500, 'Comment on the roll', 'Climbing the lighthouse')
/** The name of a value that a roll uses: of a trait, a tracker or an input. */
export const ValueName = Type.String({
  pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*(\\.max)?$',
  minLength: 1,
  maxLength: 68,
  description: 'a name of a trait, a tracker or an input in snake_case, such as strength, or hp.max for the maximum of a tracker',
  examples: ['strength'],
})

export const MAX_POOL_DICE = 100
export const sides = Int(2, 1000, 'Sides of each die', 10)
export const modifier = Int(-100, 100, 'Number of dice to add; negative to take away', 0)
export const difficulty = Int(2, 1000, 'Lowest face that counts as a success. Without a difficulty, the dice are added up', 7)
export const desperation_dice = Int(0, 10, 'Number of additional desperation dice, at most the desperation of the campaign', 0)

const MAX_FACES = 100
const faces = (description: string, example: number[]) =>
  Type.Array(Int(1, 1000, 'A face of the dice', 10), { maxItems: MAX_FACES, uniqueItems: true, description, examples: [example] })
export const double = faces('Faces that count as two successes. Default: the highest face', [10])
export const again = faces('Faces that are rolled again, adding a die to the pool; at most half of the faces', [])
export const ones = Enum('PoolOnes', ['SUBTRACT', 'IGNORE'], 'What a 1 does: SUBTRACT takes a success away, IGNORE does nothing')
export const needed = Int(1, MAX_POOL_DICE, 'Number of successes that the roll needs', 1)
const specialLabel = Name('What the special dice stand for', 'Hunger')
export const chance = Flag('True to roll one chance die if the pool has no dice: its highest face is a success, a 1 a botch')

const poolFields = {
  dice: Int(0, MAX_POOL_DICE, 'Number of dice', 5),
  traits: Type.Array(ValueName, {
    minItems: 1,
    maxItems: 10,
    description:
      'Names of traits and trackers of the character, trackers of the campaign or inputs; the sum of their values is the number of dice',
    examples: [['strength']],
  }),
  sides,
  modifier,
  difficulty,
  success: Int(2, 1000, 'Another name for difficulty, and not accepted together with it', 8),
  double,
  ones,
  again,
  needed,
  special: Type.Object(
    {
      count: Type.Union([Int(0, MAX_POOL_DICE, 'Number of special dice', 2), ValueName], {
        description: 'Number of special dice, or the name of a trait, a tracker or an input that has it',
        examples: ['hunger'],
      }),
      label: Type.Optional(specialLabel),
    },
    {
      title: 'SpecialDice',
      additionalProperties: false,
      description: 'Dice of the pool that are of a second kind, such as hunger. If there are fewer dice in the pool, all of them are',
    },
  ),
  chance,
  desperation_dice,
}

/** The values of the fields that a pool leaves out. */
export const POOL_DEFAULTS = { sides: 10, modifier: 0, desperation_dice: 0 }

const hasDifficulty = hasOneOf('difficulty', 'success')
const poolRules = {
  ...alternatives({ Dice: { requires: ['dice'] }, Traits: { requires: ['traits'] } }),
  dependentSchemas: {
    success: hasNo('difficulty'),
    double: hasDifficulty,
    ones: hasDifficulty,
    needed: hasDifficulty,
    chance: isUnsetOr('chance', hasDifficulty),
  },
}

/** A saved pool stores only the fields that were given, so its schema must not fill in defaults. */
export const SavedPool = Type.Partial(Type.Object(poolFields), {
  ...poolRules,
  title: 'SavedPool',
  additionalProperties: false,
  examples: [{ dice: 5, difficulty: 7 }],
  description: 'A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default',
})
export type SavedPool = Static<typeof SavedPool>

export const PoolRequest = Type.Object(
  {
    ...SavedPool.properties,
    sides: WithDefault(sides, POOL_DEFAULTS.sides),
    modifier: WithDefault(modifier, POOL_DEFAULTS.modifier),
    desperation_dice: WithDefault(desperation_dice, POOL_DEFAULTS.desperation_dice),
    ones: WithStatedDefault(ones, 'SUBTRACT'),
    needed: WithStatedDefault(needed, 1),
    chance: WithStatedDefault(chance, false),
  },
  {
    ...poolRules,
    title: 'PoolRequest',
    additionalProperties: false,
    examples: [{ dice: 5, difficulty: 7 }],
    description: 'A pool of dice with the same number of sides, instead of notation',
  },
)
export type PoolRequest = Static<typeof PoolRequest>

/** Validation messages repeat the description after "must be". */
export const ClientSeed = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  minLength: 1,
  maxLength: 64,
  description: 'a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed',
  examples: ['the-tide-is-low'],
})

export const Target = Int(-1_000_000, 1_000_000, 'Result to reach. It gives the roll an outcome and a margin', 15)
export const Compare = Enum('RollCompare', ['AT_LEAST', 'AT_MOST'], 'How the result is compared with the target')
export const Naturals = Flag(
  'True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts',
)

export const MAX_VALUES = 20
export const InputValues = Type.Unsafe<Record<string, number>>({
  title: 'InputValues',
  type: 'object',
  propertyNames: TraitName,
  additionalProperties: TraitValue('Value of the input', 2),
  maxProperties: MAX_VALUES,
  description: `Inputs that the notation or pool names, at most ${MAX_VALUES}. They take precedence over traits and trackers`,
  examples: [{ bonus: 2 }],
})
export const Missing = Enum(
  'MissingNames',
  ['REJECT', 'ZERO'],
  'What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0',
)

/** The fields that say how one roll is made. Several rolls of a request share the values and the context. */
export const rollFields = {
  notation: Type.Optional(Notation),
  pool: Type.Optional(PoolRequest),
  target: Type.Optional(Target),
  compare: Type.Optional(Compare),
  naturals: Type.Optional(Naturals),
}

/** The ways to say what is rolled. */
const ofNotation = { requires: ['notation'], allows: ['target', 'compare', 'naturals'] }
const ofPool = { requires: ['pool'], allows: ['target', 'compare'], allowsFalse: ['naturals'] }
/** The rules of a schema with `rollFields`. */
export const rollRules = {
  ...alternatives({ Notation: ofNotation, Pool: ofPool }),
  dependentRequired: { compare: ['target'] },
  dependentSchemas: { naturals: isUnsetOr('naturals', hasOneOf('target')) },
}
/** The rules of a schema with `rollFields` and `groupFields`. */
export const rollsRules = {
  ...rollRules,
  dependentSchemas: { ...rollRules.dependentSchemas, manual: hasNo('repeat') },
  ...alternatives({
    Notation: { ...ofNotation, allows: [...ofNotation.allows, 'manual'] },
    Pool: { ...ofPool, allows: [...ofPool.allows, 'manual'] },
    Several: { requires: ['rolls'] },
  }),
}
/** The fields of a roll that is made now, with the defaults that apply then. */
export const rolledFields = {
  ...rollFields,
  compare: WithStatedDefault(Compare, 'AT_LEAST'),
  naturals: WithStatedDefault(Naturals, false),
}

export const MAX_ROLLS = 10
export const MAX_REPEAT = 20
export const RollLabel = Name('What the roll stands for among several', 'Damage')

const OneOfRolls = Type.Object(
  { label: Type.Optional(RollLabel), ...rolledFields },
  {
    ...rollRules,
    title: 'OneOfRolls',
    additionalProperties: false,
    description: 'One of several rolls',
    examples: [{ label: 'Hit', notation: '1d20+5' }],
  },
)

export const groupFields = {
  rolls: Type.Optional(
    Type.Array(OneOfRolls, {
      minItems: 1,
      maxItems: MAX_ROLLS,
      description: `Several rolls at once, such as hit and damage, instead of notation or a pool. At most ${MAX_ROLLS}`,
    }),
  ),
  repeat: Type.Optional(Int(1, MAX_REPEAT, `Number of times to roll everything, at most ${MAX_REPEAT}`, 6)),
}

export const valueFields = {
  values: Type.Optional(InputValues),
  missing: WithStatedDefault(Missing, 'REJECT'),
}

export const MAX_MANUAL_DICE = 1000

export const contextFields = {
  campaign_id: Type.Optional(Id('Campaign to roll in')),
  character_id: Type.Optional(Id('Character to roll for; the roll belongs to its campaign')),
  comment: Type.Optional(Nullable(Comment)),
  visibility: WithDefault(RollVisibility, 'PUBLIC'),
  client_seed: Type.Optional(ClientSeed),
  metadata: Type.Optional(Metadata),
}

export const DiceRollCreate = Type.Object(
  {
    ...rolledFields,
    ...groupFields,
    ...valueFields,
    manual: Type.Optional(
      Type.Array(Int(-1, 10_000, 'The face that a die shows', 4), {
        minItems: 1,
        maxItems: MAX_MANUAL_DICE,
        description: 'Faces of dice that were rolled at the table, in order. Such a roll has no proof, and statistics count it separately',
        examples: [[4, 6, 1]],
      }),
    ),
    ...contextFields,
  },
  { ...rollsRules, title: 'DiceRollCreate', examples: [{ pool: { dice: 5, difficulty: 7 }, comment: 'Climbing the lighthouse' }] },
)
export type DiceRollCreate = Static<typeof DiceRollCreate>
export type RollRequest = Pick<DiceRollCreate, 'notation' | 'pool' | 'target' | 'compare' | 'naturals'> & { label?: string }

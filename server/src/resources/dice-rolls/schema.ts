import { type Static, Type } from 'typebox'
import { Enum, Flag, Id, Int, Metadata, Nullable, stored, Text, Timestamp, Unset, WithDefault } from '../../core/fields.ts'
import { modifiable, page } from '../../core/page.ts'
import { FLAGS } from '../../dice/evaluate.ts'
import { MAX_NOTATION_LENGTH } from '../../dice/notation.ts'
import { OUTCOMES } from '../../dice/pool.ts'
import { TraitValue } from '../characters/schema.ts'
import { hex } from '../dice-seeds/schema.ts'

const visibility = Enum(
  'RollVisibility',
  ['PUBLIC', 'STORYTELLER', 'BLIND'],
  'PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only',
)
export const Outcome = (description: string) => Enum('RollOutcome', OUTCOMES, description, 'SUCCESS')

const notation = Type.String({
  minLength: 1,
  maxLength: MAX_NOTATION_LENGTH,
  description: 'Dice notation. See docs/guides/dice.md',
  examples: ['4d6kh3+2'],
})
const comment = Text(500, 'Comment on the roll', 'Climbing the lighthouse')
const trait = Type.String({ minLength: 1, maxLength: 64, description: 'Name of a trait', examples: ['strength'] })

const sides = Int(2, 1000, 'Sides of each die', 10)
const modifier = Int(-100, 100, 'Number of dice to add; negative to take away', 0)
const difficulty = Int(2, 1000, 'Lowest value of a die that counts as a success. Without a difficulty, the dice are added up', 7)
const desperation_dice = Int(0, 10, 'Number of additional desperation dice, at most the desperation of the campaign', 0)

const poolFields = {
  dice: Int(0, 100, 'Number of dice. Give either dice or traits', 5),
  traits: Type.Array(trait, {
    minItems: 1,
    maxItems: 10,
    description: 'Traits of the character; the sum of their values is the number of dice. Give either dice or traits',
    examples: [['strength']],
  }),
  sides,
  modifier,
  difficulty,
  desperation_dice,
}

/** The values of the fields that a pool leaves out. */
export const POOL_DEFAULTS = { sides: 10, modifier: 0, desperation_dice: 0 }

/** A saved pool stores only the fields that were given, so its schema must not fill in defaults. */
export const SavedPool = Type.Partial(Type.Object(poolFields), {
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
  },
  {
    title: 'PoolRequest',
    additionalProperties: false,
    examples: [{ dice: 5, difficulty: 7 }],
    description: 'A pool of dice with the same number of sides, instead of notation',
  },
)
export type PoolRequest = Static<typeof PoolRequest>

const RolledTrait = Type.Object(
  { name: trait, value: TraitValue('Value of the trait when the dice were rolled; 0 if the character did not have it', 3) },
  { title: 'TraitValue', description: 'A trait with its value when the dice were rolled' },
)
const PoolResolved = Type.Unsafe<null | {
  sides: number
  dice: number
  traits: { name: string; value: number }[]
  modifier: number
  difficulty: number | null
  desperation_dice: number
}>({
  type: ['object', 'null'],
  properties: {
    sides,
    dice: Int(-99, 200, 'Number of dice before the modifier: as requested, or the sum of the traits, which may be negative', 5),
    traits: Type.Array(RolledTrait, {
      maxItems: 10,
      description: 'Traits of the pool. Empty if the sheet of the character is hidden from the acting user',
      examples: [[{ name: 'strength', value: 5 }]],
    }),
    modifier,
    difficulty: Nullable(difficulty),
    desperation_dice,
  },
  required: ['sides', 'dice', 'traits', 'modifier', 'difficulty', 'desperation_dice'],
  description: 'The pool with all values resolved; null for a roll with notation',
  examples: [{ sides: 10, dice: 5, traits: [{ name: 'strength', value: 5 }], modifier: 0, difficulty: 7, desperation_dice: 0 }],
})

const Die = Type.Object(
  {
    kind: Enum('DieKind', ['NORMAL', 'SPECIAL', 'DESPERATION'], 'Kind of the die'),
    sides: Int(2, 10_000, 'Number of sides; a Fudge die has 3', 10),
    value: Int(-1, 10_000, 'Value that the die shows; a Fudge die shows -1, 0 or 1', 8),
    flags: Type.Array(Type.Unsafe<(typeof FLAGS)[number]>({ type: 'string', enum: [...FLAGS] }), {
      maxItems: 7,
      description: 'How the die counts',
      examples: [['kept', 'success']],
    }),
  },
  { title: 'Die', description: 'A rolled die' },
)

const result = (description: string, example: number) =>
  Nullable(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description, example))

export const DiceRoll = Type.Object(
  {
    id: Id('Roll identifier'),
    company_id: Id('Owning company'),
    user_id: Id('User who rolled'),
    campaign_id: Nullable(Id('Campaign of the roll')),
    character_id: Nullable(Id('Character that the roll was made for')),
    notation: Unset(notation),
    pool: PoolResolved,
    comment: Nullable(comment),
    visibility,
    dice: Type.Array(Die, { maxItems: 1000, description: 'All dice in the order they were rolled' }),
    net: result('Successes minus failures, if successes are counted', 3),
    total: Unset(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'Sum of the dice, if they are added up', 17)),
    outcome: Nullable(Outcome('Outcome against the difficulty; null without one')),
    strained: Flag('True if a desperation die shows 1, so that the roll has to be settled'),
    settlement: Unset(Enum('Settlement', ['OVERREACH', 'DESPAIR'], 'Settlement of a strained roll')),
    text: Text(
      10_000,
      'The roll on one line, for example to post in a chat. Control characters in names and comments are replaced by spaces',
      'Jonathan Crane: 5 dice against 7: 8 10 2 1 7 = 3, SUCCESS',
    ),
    metadata: Metadata,
    ...stored,
  },
  { title: 'DiceRoll', description: 'A roll of dice and its result' },
)
export type DiceRoll = Static<typeof DiceRoll>

/** Lists and events leave out the dice of a roll that has more. */
export const MAX_LISTED_DICE = 100
export const ListedRoll = Type.Object(
  {
    ...DiceRoll.properties,
    dice: Type.Array(Die, {
      maxItems: MAX_LISTED_DICE,
      description: `All dice in the order they were rolled; empty if there are more than ${MAX_LISTED_DICE}`,
    }),
    truncated: Flag(
      `True if more than ${MAX_LISTED_DICE} dice were left out or the text was cut after 1,000 characters, or large metadata was left out. Get the roll to read all of it`,
    ),
  },
  { title: 'DiceRoll', description: 'A roll of dice and its result' },
)
export type ListedRoll = Static<typeof ListedRoll>

/** Validation messages repeat the description after "must be". */
const client_seed = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  minLength: 1,
  maxLength: 64,
  description: 'a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed',
  examples: ['the-tide-is-low'],
})

export const DiceRollCreate = Type.Object(
  {
    notation: Type.Optional(notation),
    pool: Type.Optional(PoolRequest),
    campaign_id: Type.Optional(Id('Campaign to roll in')),
    character_id: Type.Optional(Id('Character to roll for; the roll belongs to its campaign')),
    comment: Type.Optional(Nullable(comment)),
    visibility: WithDefault(visibility, 'PUBLIC'),
    client_seed: Type.Optional(client_seed),
    metadata: Type.Optional(Metadata),
  },
  { title: 'DiceRollCreate', examples: [{ pool: { dice: 5, difficulty: 7 }, comment: 'Climbing the lighthouse' }] },
)
export type DiceRollCreate = Static<typeof DiceRollCreate>

export const DiceRollSettle = Type.Object(
  {
    choice: Enum(
      'Settlement',
      ['OVERREACH', 'DESPAIR'],
      'OVERREACH keeps the result and raises the danger of the campaign by 1, up to 5; DESPAIR changes the outcome to FAILURE',
    ),
  },
  { title: 'DiceRollSettle' },
)

export const DiceRollsQuery = Type.Object({
  ...page,
  ...modifiable,
  campaign_id: Type.Optional(Id('Only rolls in this campaign')),
  character_id: Type.Optional(Id('Only rolls for this character')),
  user_id: Type.Optional(Id('Only rolls of this user')),
  outcome: Type.Optional(Outcome('Only rolls with this outcome')),
  from: Type.Optional(Timestamp('Only rolls at this time or later')),
  to: Type.Optional(Timestamp('Only rolls before this time')),
})
export type DiceRollsQuery = Static<typeof DiceRollsQuery>

export const Proof = Type.Object(
  {
    roll_id: Id('Roll identifier'),
    seed_id: Id('Seed of the roll'),
    commitment: hex('Commitment of the seed, published before the roll'),
    client_seed,
    nonce: Int(1, 2_147_483_647, 'Number of the roll with this seed'),
    words: Type.Array(Int(0, 4_294_967_295, 'A 32-bit word', 2_882_400_001), {
      maxItems: 100_000,
      description: 'The 32-bit words that the roll used, in order',
    }),
    server_seed: Unset(hex('The server seed; null until it is revealed')),
  },
  { title: 'Proof', description: 'The values needed to verify a roll' },
)
export type Proof = Static<typeof Proof>

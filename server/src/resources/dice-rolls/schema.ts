import { type Static, Type } from 'typebox'
import { Enum, Flag, Id, Int, Nullable, stored, Text, Timestamp, Unset } from '../../core/fields.ts'
import { page, sortByDate } from '../../core/page.ts'
import { FLAGS } from '../../dice/evaluate.ts'
import { LONGEST } from '../../dice/notation.ts'
import { OUTCOMES } from '../../dice/pool.ts'
import { hex } from '../dice-seeds/schema.ts'

const VISIBILITIES = ['PUBLIC', 'STORYTELLER', 'BLIND'] as const

const visibility = Enum(
  'RollVisibility',
  VISIBILITIES,
  'PUBLIC, as it is unless said otherwise; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers alone',
)
export const Outcome = (description: string) => Enum('RollOutcome', OUTCOMES, description, 'SUCCESS')

const notation = Type.String({
  minLength: 1,
  maxLength: LONGEST,
  description: 'Dice notation; docs/guides/dice.md has all of it',
  examples: ['4d6kh3+2'],
})
const comment = Text(500, 'What it is about', 'Climbing the lighthouse')
const sides = Int(2, 1000, 'Sides of each die; 10 unless said otherwise', 10)
const modifier = Int(-100, 100, 'Dice more, or fewer; none unless said otherwise', 0)
const difficulty = Int(2, 1000, 'What a die must show for a success; without it the faces are added up', 7)
const desperation_dice = Int(0, 10, 'Desperation dice on top, at most the desperation of the campaign; none unless said otherwise', 0)
const trait = Type.String({ minLength: 1, maxLength: 64, description: 'Name of a trait', examples: ['strength'] })

/** A pool as it is asked for: so many dice, or as many as these traits of the character come to. */
export const PoolAsked = Type.Object(
  {
    dice: Type.Optional(Int(0, 100, 'How many dice; or name traits', 5)),
    traits: Type.Optional(
      Type.Array(trait, {
        minItems: 1,
        maxItems: 10,
        description: 'Traits of the character whose values are the dice',
        examples: [['strength']],
      }),
    ),
    sides: Type.Optional(sides),
    modifier: Type.Optional(modifier),
    difficulty: Type.Optional(difficulty),
    desperation_dice: Type.Optional(desperation_dice),
  },
  {
    title: 'PoolAsked',
    additionalProperties: false,
    examples: [{ dice: 5, difficulty: 7 }],
    description: 'A pool of like dice, instead of notation',
  },
)
export type PoolAsked = Static<typeof PoolAsked>

const TraitValue = Type.Object(
  { name: trait, value: Int(0, 100, 'What it was at that moment; 0 where the character lacks it', 3) },
  { title: 'TraitValue', description: 'A trait as it was when the dice fell' },
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
    dice: Int(0, 2000, 'Dice asked for, or what the traits came to', 5),
    traits: Type.Array(TraitValue, {
      maxItems: 10,
      description: 'The traits it was made of',
      examples: [[{ name: 'strength', value: 5 }]],
    }),
    modifier,
    difficulty: Nullable(difficulty),
    desperation_dice,
  },
  required: ['sides', 'dice', 'traits', 'modifier', 'difficulty', 'desperation_dice'],
  description: 'The pool as it was resolved; null where notation was rolled',
  examples: [{ sides: 10, dice: 5, traits: [{ name: 'strength', value: 5 }], modifier: 0, difficulty: 7, desperation_dice: 0 }],
})

export const Die = Type.Object(
  {
    kind: Enum('DieKind', ['NORMAL', 'DESPERATION'], 'What kind of die it was'),
    sides: Int(2, 10_000, 'Its sides; a Fudge die has 3', 10),
    value: Int(-1, 10_000, 'What it shows; a Fudge die -1, 0 or 1', 8),
    flags: Type.Array(Type.Unsafe<(typeof FLAGS)[number]>({ type: 'string', enum: [...FLAGS] }), {
      maxItems: 7,
      description: 'What became of it',
      examples: [['kept', 'success']],
    }),
  },
  { title: 'Die', description: 'A die as it fell' },
)

const result = (description: string, example: number) =>
  Nullable(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description, example))

export const DiceRoll = Type.Object(
  {
    id: Id('Roll identifier'),
    company_id: Id('Owning company'),
    user_id: Id('Who rolled'),
    campaign_id: Nullable(Id('Campaign it was rolled in')),
    character_id: Nullable(Id('Character it was rolled for')),
    notation: Unset(notation),
    pool: PoolResolved,
    comment: Nullable(comment),
    visibility,
    dice: Type.Array(Die, { maxItems: 1000, description: 'Every die in the order it fell' }),
    net: result('Successes less failures, where they are counted', 3),
    total: Unset(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'What the dice come to, where they are added up', 17)),
    outcome: Nullable(Outcome('How it ended, against a difficulty')),
    strained: Flag('Whether a desperation die shows 1, and somebody has to settle it'),
    settlement: Unset(Enum('Settlement', ['OVERREACH', 'DESPAIR'], 'How it was settled')),
    text: Text(
      10_000,
      'The roll on one line, to post in a chat; control characters in names and comments are spaces here',
      'Jonathan Crane: 5 dice against 7: 8 10 2 1 7 = 3, SUCCESS',
    ),
    ...stored,
  },
  { title: 'DiceRoll', description: 'Dice that fell, and what they came to' },
)
export type DiceRoll = Static<typeof DiceRoll>

/** Lists leave out the dice of a roll that has more. */
export const MAX_LISTED_DICE = 100
export const ListedRoll = Type.Object(
  {
    ...DiceRoll.properties,
    dice: Type.Array(Die, {
      maxItems: MAX_LISTED_DICE,
      description: `Every die in the order it fell; none where there are more than ${MAX_LISTED_DICE}`,
    }),
    truncated: Flag(
      `Whether the dice were left out, being more than ${MAX_LISTED_DICE}, or the text was cut after 1,000 characters; the roll itself has all`,
    ),
  },
  { title: 'DiceRoll', description: 'Dice that fell, and what they came to' },
)
export type ListedRoll = Static<typeof ListedRoll>

const client_seed = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  minLength: 1,
  maxLength: 64,
  description: 'a seed of your own, 1 to 64 of A-Z a-z 0-9 _ and -; the id of the current seed unless said otherwise',
  examples: ['the-tide-is-low'],
})

export const DiceRollCreate = Type.Object(
  {
    notation: Type.Optional(notation),
    pool: Type.Optional(PoolAsked),
    campaign_id: Type.Optional(Id('Campaign to roll in')),
    character_id: Type.Optional(Id('Character to roll for, in its campaign')),
    comment: Type.Optional(Nullable(comment)),
    visibility: Type.Optional(visibility),
    client_seed: Type.Optional(client_seed),
  },
  { title: 'DiceRollCreate', examples: [{ pool: { dice: 5, difficulty: 7 }, comment: 'Climbing the lighthouse' }] },
)
export type DiceRollCreate = Static<typeof DiceRollCreate>

export const DiceRollSettle = Type.Object(
  {
    choice: Enum(
      'Settlement',
      ['OVERREACH', 'DESPAIR'],
      'OVERREACH keeps the result and raises the danger of the campaign by 1, up to 5; DESPAIR makes it a FAILURE',
    ),
  },
  { title: 'DiceRollSettle' },
)

export const DiceRollsQuery = Type.Object({
  ...page,
  ...sortByDate,
  campaign_id: Type.Optional(Id('Only rolls in this campaign')),
  character_id: Type.Optional(Id('Only rolls for this character')),
  user_id: Type.Optional(Id('Only rolls of this user')),
  outcome: Type.Optional(Outcome('Only rolls that ended so')),
  from: Type.Optional(Timestamp('Only from this instant on')),
  to: Type.Optional(Timestamp('Only before this instant')),
})
export type DiceRollsQuery = Static<typeof DiceRollsQuery>

export const Proof = Type.Object(
  {
    roll_id: Id('Roll identifier'),
    seed_id: Id('Seed it followed from'),
    commitment: hex('What was published of the seed before'),
    client_seed,
    nonce: Int(1, 2_147_483_647, 'Number of the roll under the seed'),
    words: Type.Array(Int(0, 4_294_967_295, 'A word', 2_882_400_001), {
      maxItems: 100_000,
      description: 'The 32-bit words that were looked at, in turn',
    }),
    server_seed: Unset(hex('The seed itself; null until it is revealed')),
  },
  { title: 'Proof', description: 'All that is needed to check a roll' },
)
export type Proof = Static<typeof Proof>

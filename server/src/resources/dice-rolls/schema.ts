import { FLAGS } from '@guildhall/dice/evaluate'
import { MAX_LABEL_LENGTH, MAX_RESOLVED_LENGTH } from '@guildhall/dice/notation'
import { OUTCOMES } from '@guildhall/dice/pool'
import { type Static, Type } from '@guildhall/rules/type'
import { MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { Enum, Flag, Id, Int, Metadata, Name, Nullable, stored, Text, Timestamp, Unset } from '../../core/fields.ts'
import { modifiable, page } from '../../core/page.ts'
import { TraitName, TraitValue } from '../characters/schema.ts'
import { hex } from '../dice-seeds/schema.ts'
import {
  again,
  ClientSeed,
  Comment,
  Compare,
  chance,
  desperation_dice,
  difficulty,
  double,
  MAX_POOL_DICE,
  MAX_REPEAT,
  MAX_ROLLS,
  modifier,
  Naturals,
  Notation,
  needed,
  ones,
  RollLabel,
  RollVisibility,
  sides,
  Target,
  ValueName,
} from './request-schema.ts'
import { RollOfRuleset } from './ruleset-schema.ts'

const MAX_USED_VALUES = 100
const MAX_TERMS = 128
/** Terms share the text of one notation, of at most four bytes a character, and names that of one request, so they take far less than each of them could alone. */
const MAX_TERMS_BYTES = 13_000
const MAX_VALUES_BYTES = 10_000
/** A die cannot have all flags at once. */
const MAX_FLAGS = 6

export const Outcome = (description: string) => Enum('RollOutcome', OUTCOMES, description, 'SUCCESS')

const RolledTrait = Type.Object(
  { name: ValueName, value: TraitValue('Value when the dice were rolled; 0 if it was missing', 3) },
  { title: 'TraitValue', description: 'A trait, tracker or input of a pool with its value when the dice were rolled' },
)
const RolledSpecial = Type.Object(
  { count: Int(0, MAX_POOL_DICE, 'Number of special dice', 2), label: Nullable(Name('What they stand for', 'Hunger')) },
  { title: 'RolledSpecialDice', description: 'The special dice of a pool' },
)
const ABSENT = 'Absent unless it was requested'
const PoolResolved = Type.Unsafe<null | {
  sides: number
  dice: number
  traits: { name: string; value: number }[]
  modifier: number
  difficulty: number | null
  desperation_dice: number
  double?: number[]
  ones?: 'SUBTRACT' | 'IGNORE'
  again?: number[]
  needed?: number | null
  special?: { count: number; label: string | null } | null
  chance?: boolean
}>({
  title: 'RolledPool',
  type: ['object', 'null'],
  properties: {
    sides,
    dice: Int(
      -10_000_000,
      10_000_000,
      'Number of dice before the modifier: as requested, or the sum of the traits, which may be negative',
      5,
    ),
    traits: Type.Array(RolledTrait, {
      maxItems: 10,
      description: 'Traits of the pool. Empty if the sheet of the character is hidden from the acting user',
      examples: [[{ name: 'strength', value: 5 }]],
    }),
    modifier,
    difficulty: Nullable(difficulty),
    desperation_dice,
    double: { ...double, description: `Faces that count as two successes. ${ABSENT}` },
    ones: { ...ones, description: `What a 1 does. ${ABSENT}` },
    again: { ...again, description: `Faces that are rolled again. ${ABSENT}` },
    needed: { ...Nullable(needed), description: `Number of successes that the roll needs, otherwise 1. ${ABSENT}` },
    special: { ...Nullable(RolledSpecial), description: `The special dice. ${ABSENT}` },
    chance: { ...chance, description: 'True if the pool had no dice and a chance die was rolled; otherwise absent' },
  },
  required: ['sides', 'dice', 'traits', 'modifier', 'difficulty', 'desperation_dice'],
  description: 'The pool with all values resolved; null for a roll with notation',
  examples: [{ sides: 10, dice: 5, traits: [{ name: 'strength', value: 5 }], modifier: 0, difficulty: 7, desperation_dice: 0 }],
})

const UsedValue = Type.Object(
  {
    name: ValueName,
    value: TraitValue('Value when the dice were rolled', 3),
    source: Enum('ValueSource', ['TRAIT', 'TRACKER', 'INPUT', 'MISSING'], 'Where the value came from; MISSING counted as 0'),
  },
  { title: 'UsedValue', description: 'A value that a roll used by its name' },
)

const RolledTerm = Type.Object(
  {
    notation: Text(MAX_RESOLVED_LENGTH, 'The term, without its sign and label', '2d6'),
    label: Nullable(Text(MAX_LABEL_LENGTH, 'Label of the term, as in `2d6[fire]`', 'fire')),
    sign: Type.Unsafe<'+' | '-'>({ type: 'string', enum: ['+', '-'], description: 'Sign with which the term counts', examples: ['+'] }),
    subtotal: Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'Result of the term, without its sign', 7),
  },
  { title: 'RolledTerm', description: 'A part of the sum that a notation is' },
)

const Die = Type.Object(
  {
    kind: Enum('DieKind', ['NORMAL', 'DESPERATION', 'SPECIAL'], 'Kind of the die'),
    sides: Int(2, 10_000, 'Number of sides; a Fudge die has 3', 10),
    value: Int(-1, 10_000, 'Value that the die shows; a Fudge die shows -1, 0 or 1', 8),
    flags: Type.Array(Type.Unsafe<(typeof FLAGS)[number]>({ type: 'string', enum: [...FLAGS] }), {
      maxItems: MAX_FLAGS,
      description: 'How the die counts',
      examples: [['kept', 'success']],
    }),
    counts_as: Type.Optional(Int(-1, 10_000, 'Value that the die counts as, if it differs from the one it shows', 10)),
    term: Type.Optional(
      Int(0, 1000, 'Index of the term that the die belongs to. Absent in pools, and in rolls made before terms existed', 0),
    ),
  },
  { title: 'Die', description: 'A rolled die' },
)

const result = (description: string, example: number) =>
  Nullable(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, description, example))

export const DiceRollRow = Type.Object(
  {
    id: Id('Roll identifier'),
    company_id: Id('Owning company'),
    user_id: Id('User who rolled'),
    campaign_id: Nullable(Id('Campaign of the roll')),
    character_id: Nullable(Id('Character that the roll was made for')),
    notation: Unset({
      ...Notation,
      maxLength: MAX_RESOLVED_LENGTH,
      description:
        'Notation that was rolled, with values in place of names; null for a pool, and if it has values of a sheet that is hidden from the acting user',
    }),
    formula: Unset({ ...Notation, description: 'Notation with names as requested; null without names' }),
    values: Type.Array(UsedValue, {
      maxItems: MAX_USED_VALUES,
      'x-max-bytes': MAX_VALUES_BYTES,
      description: 'Values that the notation names',
      examples: [[]],
    }),
    pool: PoolResolved,
    target: Nullable(Target),
    compare: Nullable(Compare),
    naturals: Naturals,
    ruleset: RollOfRuleset,
    label: Unset(RollLabel),
    group_id: Unset(Id('Group of the roll: one for all rolls of a request with `rolls` or `repeat`')),
    comment: Nullable(Comment),
    visibility: RollVisibility,
    dice: Type.Array(Die, { maxItems: 1000, description: 'All dice in the order they were rolled' }),
    net: result('Successes minus failures, if successes are counted', 3),
    total: Unset(Int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'Sum of the dice, if they are added up', 17)),
    margin: result('By how much the target was reached, or the successes that the pool needed; negative if it failed', 2),
    outcome: Nullable(Outcome('Outcome against the difficulty or the target; null without one')),
    terms: Type.Array(RolledTerm, {
      maxItems: MAX_TERMS,
      'x-max-bytes': MAX_TERMS_BYTES,
      description: 'The parts of the sum that the notation is; empty for a pool',
      examples: [[]],
    }),
    strained: Flag('True if a desperation die shows 1, so that the roll has to be settled'),
    settlement: Unset(Enum('Settlement', ['OVERREACH', 'DESPAIR'], 'Settlement of a strained roll')),
    source: Enum('RollSource', ['SERVER', 'MANUAL'], 'SERVER if the service rolled the dice; MANUAL if they were rolled at the table'),
    date_voided: Unset(Timestamp('When a storyteller voided the roll; null if it counts')),
    voided_by: Unset(Id('User who voided the roll')),
    void_reason: Unset(Text(500, 'Why the roll was voided', 'Wrong character')),
    text: Text(
      10_000,
      'The roll on one line, as plain text. Names and comments are as people wrote them, except for control characters, which are replaced by spaces',
      'Jonathan Crane: 5 dice against 7: 8 10 2 1 7 = 3, SUCCESS',
    ),
    metadata: Metadata,
    ...stored,
  },
  { title: 'DiceRoll', description: 'A roll of dice and its result' },
)
export type DiceRollRow = Static<typeof DiceRollRow>

/** A text in Markdown takes at most four bytes for each character of the text: it has no control characters, and escapes only characters of one byte. */
const markdownBytes = (characters: number) => 4 * characters + 40

/** A roll as it is shown. */
export const DiceRoll = Type.Object(
  {
    ...DiceRollRow.properties,
    text_markdown: {
      ...Text(
        20_100,
        'The text in Markdown, to post in a chat. Struck dice are struck through, and the result is strong. What people wrote is escaped: it is no emphasis, link or mention. An invisible character (U+200B) follows each @',
        'Jonathan Crane\\: 5 dice against 7\\: 8 10 2 1 7 = **3**, **SUCCESS**',
      ),
      'x-follows': 'text',
      'x-max-bytes': markdownBytes(10_000),
    },
  },
  { title: 'DiceRoll', description: 'A roll of dice and its result' },
)
export type DiceRoll = Static<typeof DiceRoll>

/** Lists and events leave out the dice of a roll that has more. */
export const MAX_LISTED_DICE = 100
export const ListedRoll = Type.Object(
  {
    ...DiceRoll.properties,
    text: { ...DiceRoll.properties.text, 'x-max-bytes': markdownBytes(MAX_LISTED_TEXT) },
    text_markdown: { ...DiceRoll.properties.text_markdown, 'x-max-bytes': markdownBytes(MAX_LISTED_TEXT) },
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

/** The reply to a request for several rolls. */
export const RollGroup = Type.Object(
  {
    group_id: Id('Group of the rolls'),
    items: Type.Array(DiceRoll, { maxItems: MAX_ROLLS * MAX_REPEAT, description: 'The rolls, in the order of the request' }),
  },
  { title: 'RollGroup', description: 'Several rolls made by one request' },
)
export type RollGroup = Static<typeof RollGroup>

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

export const DiceRollVoid = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      'x-trim': true,
      description: 'Why the roll does not count. It begins the text of the roll',
      examples: ['Wrong character'],
    }),
  },
  { title: 'DiceRollVoid' },
)

export const DiceRollsQuery = Type.Object({
  ...page,
  ...modifiable,
  campaign_id: Type.Optional(Id('Only rolls in this campaign')),
  character_id: Type.Optional(Id('Only rolls for this character')),
  roller_id: Type.Optional(Id('Only rolls of this user')),
  group_id: Type.Optional(Id('Only the rolls of this group')),
  outcome: Type.Optional(Outcome('Only rolls with this outcome')),
  code: Type.Optional({ ...TraitName, description: 'Only rolls with this outcome of their ruleset', examples: ['success'] }),
  from: Type.Optional(Timestamp('Only rolls at this time or later')),
  to: Type.Optional(Timestamp('Only rolls before this time')),
})
export type DiceRollsQuery = Static<typeof DiceRollsQuery>

export const Proof = Type.Object(
  {
    roll_id: Id('Roll identifier'),
    seed_id: Id('Seed of the roll'),
    commitment: hex('Commitment of the seed, published before the roll'),
    client_seed: ClientSeed,
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

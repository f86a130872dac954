import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Int, Name, Nullable, stored, Text, Timestamp, Unset, WithDefault } from '../../core/fields.ts'
import { modifiable, page } from '../../core/page.ts'
import { RuledSheet } from '../characters/ruled-sheet.ts'
import { CharacterCreate, CharacterType, TraitName } from '../characters/schema.ts'
import { CharactersGenerate } from './generate-schema.ts'

export const MAX_OPEN_CREATIONS = 5
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000
const MAX_STEPS = 30
const MAX_METHODS = 5
const MAX_STEP_TRAITS = 500
const MAX_STEP_FAULTS = 20

/** The dice of a step that were rolled. */
export interface Rolled {
  values: number[]
  roll_ids: string[]
}
/** The answer to a step, and the number of the method that it follows. */
export interface Answered {
  method: number
  answer: string | Record<string, number>
}

const Status = (description: string) => Enum('CreationStatus', ['OPEN', 'FINISHED', 'ABANDONED'], description)

const fields = {
  id: Id('Creation identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the character'),
  version_id: Id('The version of the ruleset by which the character is created'),
  user_id: Id('The user who creates the character, and will play it unless it is an NPC'),
  type: CharacterType('PLAYER for the character of a player, NPC for a character of the storytellers'),
  status: Status('OPEN until there is a character, or nobody wants it any more'),
  character_id: Unset(Id('The character; null until the creation is finished')),
  date_expires: Timestamp('When the creation is deleted: seven days after it was started'),
  ...stored,
}
const byStep = <Value>(description: string) => Type.Unsafe<Record<string, Value>>({ type: 'object', description, examples: [{}] })

/** The columns of the table. */
export const CreationRow = Type.Object({
  ...fields,
  choices: byStep<string>('Choices that no step asks for'),
  answers: byStep<Answered>('Answers by the names of steps'),
  rolled: byStep<Rolled>('Dice by the names of steps'),
  raised: byStep<number>('Traits that the experience of a tier raised'),
})
export type CreationRow = Static<typeof CreationRow>

export const CreationsQuery = Type.Object({ ...page, ...modifiable, status: Type.Optional(Status('Only creations with this status')) })
export type CreationsQuery = Static<typeof CreationsQuery>

export const ListedCreation = Type.Object(fields, { title: 'ListedCreation', description: 'A character that is being created' })
export type ListedCreation = Static<typeof ListedCreation>

const Answer = (description: string) =>
  Type.Unsafe<string | Record<string, number>>({
    type: ['string', 'object'],
    maxLength: 64,
    propertyNames: TraitName,
    additionalProperties: { type: 'integer', minimum: -1_000_000, maximum: 1_000_000, format: 'int32', examples: [2] },
    maxProperties: MAX_STEP_TRAITS,
    description,
    examples: ['soldier'],
  })
const MAX_ANSWER_BYTES = 2 + MAX_STEP_TRAITS * 76

const Rolled = Type.Object(
  {
    values: Type.Array(Int(-1_000_000_000, 1_000_000_000, 'A value', 13), { maxItems: MAX_STEP_TRAITS, description: 'The values' }),
    roll_ids: Type.Array(Id('A dice roll'), { maxItems: MAX_STEP_TRAITS, description: 'The dice rolls, which can be verified' }),
  },
  { title: 'RolledStep', description: 'The dice of a step' },
)

const kinds = ['choose', 'array', 'points', 'priority', 'dice'] as const
const Kind = Enum('CreationMethod', kinds, 'The kind of the method', 'choose')

const Step = Type.Object(
  {
    id: Text(64, 'The name of the step', 'concept'),
    label: Text(100, 'The question of the step', 'Who are you?'),
    done: Flag('True if the step has an answer that follows its rules'),
    methods: Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        // The document of the ruleset, which it is a part of, has at most 256 kB.
        'x-max-bytes': 20_000,
        additionalProperties: true,
        description: 'A method as the document of the ruleset has it: its kind, and what belongs to it',
        examples: [{ kind: 'choose', slot: 'concept' }],
      }),
      { maxItems: MAX_METHODS, description: 'The ways to answer the step, of which one is taken' },
    ),
    rolled: Nullable({ ...Rolled, description: 'The dice of the step; null if none were rolled' }),
    answer: Type.Unsafe<string | Record<string, number> | null>({
      ...Answer('An option, or values of traits; null if there is no answer yet'),
      type: ['string', 'object', 'null'],
      'x-max-bytes': MAX_ANSWER_BYTES,
    }),
    method: Nullable({ ...Kind, description: 'The kind of the method that the answer follows; null if there is no answer yet' }),
    faults: Type.Array(Text(500, 'Description of the fault', 'costs 6 of 5'), {
      maxItems: MAX_STEP_FAULTS,
      description: 'Faults of the answer. A later answer to another step can add faults',
    }),
  },
  { title: 'CreationStep', description: 'A step of creating a character' },
)
export type Step = Static<typeof Step>

export const Creation = Type.Object(
  {
    ...fields,
    steps: Type.Array(Step, { maxItems: MAX_STEPS, description: 'The steps, in the order of the ruleset' }),
    sheet: RuledSheet,
    faults: Type.Array(Text(720, 'A fault', 'choices.concept must be chosen'), {
      maxItems: 50,
      description: 'The faults of the sheet that keep the creation from being finished',
    }),
  },
  { title: 'Creation', description: 'A character that is being created, step by step' },
)
export type Creation = Static<typeof Creation>

export const CreationStart = Type.Object(
  {
    type: WithDefault(fields.type, 'PLAYER'),
    user_id: Type.Optional(Id('The user who creates the character. Default: the acting user')),
    choices: WithDefault(
      Type.Unsafe<Record<string, string>>({
        ...CharacterCreate.properties.choices,
        description: 'Options that are chosen already, by the names of the ruleset. They answer the steps that ask for them',
      }),
      {},
    ),
  },
  { title: 'CreationStart' },
)
export type CreationStart = Static<typeof CreationStart>

export const StepAnswer = Type.Object(
  {
    method: Type.Optional(
      Enum(
        'CreationMethod',
        kinds,
        'The kind of the method, for a step that has several. Default: the first one whose rules the answer follows',
        'choose',
      ),
    ),
    answer: Answer('An option, or the values of the traits of the step'),
  },
  { title: 'StepAnswer' },
)
export type StepAnswer = Static<typeof StepAnswer>

export const CreationRandom = Type.Object(
  {
    steps: Type.Optional(
      Type.Array(TraitName, {
        minItems: 1,
        maxItems: MAX_STEPS,
        uniqueItems: true,
        description: 'The steps to answer, even if they have an answer. Default: those that are not done',
        examples: [['concept']],
      }),
    ),
    tier: CharactersGenerate.properties.tier,
  },
  { title: 'CreationRandom' },
)
export type CreationRandom = Static<typeof CreationRandom>

export const CreationFinish = Type.Object(
  {
    name: Name('Name of the character', 'Jonathan Crane'),
    concept: CharacterCreate.properties.concept,
    biography: CharacterCreate.properties.biography,
    visibility: CharacterCreate.properties.visibility,
  },
  { title: 'CreationFinish' },
)
export type CreationFinish = Static<typeof CreationFinish>

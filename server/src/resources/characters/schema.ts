import { MAX_TRAITS_LENGTH } from '@guildhall/rules/ruleset/traits'
import { type Static, type TSchema, Type } from '@guildhall/rules/type'
import {
  applicationFields,
  applicationPatch,
  archivable,
  Enum,
  Id,
  Int,
  Name,
  Nullable,
  Text,
  Timestamp,
  Unset,
  WithDefault,
} from '../../core/fields.ts'

export const CharacterType = (description: string) => Enum('CharacterType', ['PLAYER', 'NPC'], description)
export const CharacterStatus = (description: string) => Enum('CharacterStatus', ['ACTIVE', 'RETIRED', 'DEAD'], description)

/** The readers of a sheet, most first. */
export const SHEET_VISIBILITIES = ['EVERYONE', 'PLAYER', 'STORYTELLER'] as const

/** As many as a ruleset may define. */
export const MAX_TRAITS = 500
/** A list of 100 characters has to fit into one response. */
export const MAX_TRAITS_BYTES = MAX_TRAITS_LENGTH
/** Low enough that sums of traits stay exact, and high enough for every number on a sheet. */
export const MAX_TRAIT = 1_000_000
export const MAX_DETAILS = 100
const MAX_DETAIL_LENGTH = 2000
/** Validation messages repeat the description after "must be". */
export const TraitName = Type.String({
  pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$',
  maxLength: 64,
  description: 'a snake_case name: lower-case letters and digits, with single underscores between',
  examples: ['strength'],
})
export const TraitValue = (description: string, example: number) => Int(-MAX_TRAIT, MAX_TRAIT, description, example)
const traits = <Value>(title: string, type: unknown, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    title,
    type: 'object',
    'x-ordered': true,
    'x-max-bytes': MAX_TRAITS_BYTES,
    propertyNames: TraitName,
    additionalProperties: { type, minimum: -MAX_TRAIT, maximum: MAX_TRAIT, format: 'int32', examples: [3] },
    maxProperties: MAX_TRAITS,
    description,
    examples: [{ strength: 3, firearms: 2 }],
  })

const details = <Value>(title: string, type: unknown, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    title,
    type: 'object',
    'x-ordered': true,
    propertyNames: TraitName,
    additionalProperties: { type, maxLength: MAX_DETAIL_LENGTH, examples: ['Toreador'] },
    maxProperties: MAX_DETAILS,
    description,
    examples: [{ clan: 'Toreador', pronouns: 'she/her' }],
  })

export const MAX_CHOICES = 20
/** Few games have more conditions than this, and no character has them all. */
export const MAX_CONDITIONS = 20
/** A list of 100 characters has to fit into one response. */
export const MAX_CHOICES_BYTES = 1200
const MAX_CONDITION_BYTES = 72
const MAX_LEVEL = 100

const choices = <Value>(title: string, type: unknown, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    title,
    type: 'object',
    'x-ordered': true,
    'x-max-bytes': MAX_CHOICES_BYTES,
    propertyNames: TraitName,
    additionalProperties: { ...TraitName, type, examples: ['soldier'] },
    maxProperties: MAX_CHOICES,
    description,
    examples: [{ concept: 'soldier' }],
  })

const conditions = Type.Unsafe<Record<string, number>>({
  title: 'ConditionLevels',
  type: 'object',
  'x-ordered': true,
  'x-max-bytes': 2 + MAX_CONDITIONS * MAX_CONDITION_BYTES,
  propertyNames: TraitName,
  additionalProperties: { type: 'integer', minimum: 1, maximum: MAX_LEVEL, format: 'int32', examples: [1] },
  maxProperties: MAX_CONDITIONS,
  description: 'Levels of conditions of the ruleset by name. A condition that is not named has level 0',
  examples: [{ shaken: 1 }],
})

const type = CharacterType('PLAYER for the character of a player, NPC for a character of the storytellers')

/** The fields that clients may write. */
const writable = {
  name: Name('Name of the character', 'Jonathan Crane'),
  status: CharacterStatus('Status of the character. DEAD sets `date_died`, any other status clears it'),
  concept: Nullable(Text(500, 'The character in one sentence', 'Lighthouse keeper who reads too much')),
  biography: Nullable(Text(10_000, 'Story of the character so far', 'Born in Kingsport, left it, came back.')),
  traits: traits<number>(
    'CharacterTraits',
    'integer',
    `Trait values from -1,000,000 to 1,000,000 by snake_case name, at most ${MAX_TRAITS}, and at most ${MAX_TRAITS_BYTES} characters as JSON`,
  ),
  details: details<string>('CharacterDetails', 'string', `Texts of up to 2,000 characters by snake_case name, at most ${MAX_DETAILS}`),
  choices: choices<string>(
    'CharacterChoices',
    'string',
    `What the character chose, such as a class, by the names of the ruleset, at most ${MAX_CHOICES}`,
  ),
  sheet_visibility: Enum(
    'SheetVisibility',
    SHEET_VISIBILITIES,
    'Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only',
  ),
  user_id: Nullable(Id('The player of the character; null for an NPC')),
  visibility: Enum('CharacterVisibility', ['OPEN', 'STORYTELLER'], 'OPEN for all users; STORYTELLER for an NPC that players cannot see'),
  ...applicationFields('character'),
}

/** The columns of the table. */
const columns = {
  id: Id('Character identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the character'),
  type,
  ...writable,
  conditions,
  date_died: Unset(Timestamp('When the character died; null while its status is not DEAD')),
  ...archivable,
}
/** A row of the table. */
export const CharacterRow = Type.Object(columns)
export type CharacterRow = Static<typeof CharacterRow>

/** The fields of a row that belong to the sheet. */
export const SHEET_FIELDS = ['traits', 'details', 'choices', 'conditions'] as const
const ofSheet = <S extends TSchema & { description?: string }>(schema: S) =>
  Nullable({ ...schema, description: `${schema.description}. Null if the sheet is hidden from the acting user` })

export const fields = {
  ...columns,
  traits: ofSheet(columns.traits),
  details: ofSheet(columns.details),
  choices: ofSheet(columns.choices),
  conditions: ofSheet(columns.conditions),
}
export const Character = Type.Object(fields, { title: 'Character', description: 'A character in a campaign' })
export type Character = Static<typeof Character>

export const CharacterPatch = Type.Partial(
  Type.Object({
    ...writable,
    traits: traits<number | null>(
      'CharacterTraitsPatch',
      ['integer', 'null'],
      'Trait values to set by name. null removes a trait; traits that are not named stay',
    ),
    details: details<string | null>(
      'CharacterDetailsPatch',
      ['string', 'null'],
      'Texts to set by name. null removes a text; texts that are not named stay',
    ),
    choices: choices<string | null>(
      'CharacterChoicesPatch',
      ['string', 'null'],
      'Choices to set by name. null removes a choice; choices that are not named stay',
    ),
    ...applicationPatch,
  }),
  { title: 'CharacterPatch' },
)
export type CharacterPatch = Static<typeof CharacterPatch>

export const CharacterCreate = Type.Object(
  {
    ...Type.Partial(Type.Object(writable)).properties,
    name: writable.name,
    type: WithDefault(type, 'PLAYER'),
    status: WithDefault(writable.status, 'ACTIVE'),
    traits: WithDefault(writable.traits, {}),
    details: WithDefault(writable.details, {}),
    choices: WithDefault(writable.choices, {}),
    sheet_visibility: WithDefault(writable.sheet_visibility, 'EVERYONE'),
    user_id: Type.Optional(Nullable(Id('The player of the character. Default: the acting user, or null for an NPC'))),
    visibility: WithDefault(writable.visibility, 'OPEN'),
  },
  { title: 'CharacterCreate' },
)
export type CharacterCreate = Static<typeof CharacterCreate>

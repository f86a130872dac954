import { type Static, Type } from 'typebox'
import {
  applicationFields,
  applicationPatch,
  archivable,
  Enum,
  Id,
  Name,
  Nullable,
  Text,
  Timestamp,
  Unset,
  WithDefault,
} from '../../core/fields.ts'

export const CharacterType = (description: string) => Enum('CharacterType', ['PLAYER', 'NPC'], description)
export const CharacterStatus = (description: string) => Enum('CharacterStatus', ['ACTIVE', 'RETIRED', 'DEAD'], description)

export const MAX_TRAITS = 200
/** Validation messages repeat the description after "must be". */
export const TraitName = Type.String({
  pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$',
  maxLength: 64,
  description: 'a snake_case name: letters and digits, with single underscores between',
  examples: ['strength'],
})
const traits = <Value>(type: unknown, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    type: 'object',
    propertyNames: TraitName,
    additionalProperties: { type, minimum: 0, maximum: 100, format: 'int32', examples: [3] },
    maxProperties: MAX_TRAITS,
    description,
    examples: [{ strength: 3, firearms: 2 }],
  })

const type = CharacterType('PLAYER for the character of a player, NPC for a character of the storytellers')

/** The fields that clients may write. */
const writable = {
  name: Name('Name of the character', 'Jonathan Crane'),
  status: CharacterStatus('Status of the character. DEAD sets `date_died`, any other status clears it'),
  concept: Nullable(Text(500, 'The character in one sentence', 'Lighthouse keeper who reads too much')),
  biography: Nullable(Text(10_000, 'Story of the character so far', 'Born in Kingsport, left it, came back.')),
  traits: traits<number>('integer', `Trait values from 0 to 100 by snake_case name, at most ${MAX_TRAITS}`),
  user_id: Nullable(Id('The player of the character; null for an NPC')),
  visibility: Enum('CharacterVisibility', ['OPEN', 'STORYTELLER'], 'OPEN for all users; STORYTELLER for an NPC that players cannot see'),
  ...applicationFields('character'),
}

export const fields = {
  id: Id('Character identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the character'),
  type,
  ...writable,
  date_died: Unset(Timestamp('When the character died; null while its status is not DEAD')),
  ...archivable,
}
export const Character = Type.Object(fields, { title: 'Character', description: 'A character in a campaign' })
export type Character = Static<typeof Character>

export const CharacterPatch = Type.Partial(
  Type.Object({
    ...writable,
    traits: traits<number | null>(['integer', 'null'], 'Trait values to set by name. null removes a trait; traits that are not named stay'),
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
    user_id: Type.Optional(Nullable(Id('The player of the character. Default: the acting user, or null for an NPC'))),
    visibility: WithDefault(writable.visibility, 'OPEN'),
  },
  { title: 'CharacterCreate' },
)
export type CharacterCreate = Static<typeof CharacterCreate>

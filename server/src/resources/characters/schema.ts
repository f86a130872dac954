import { type Static, Type } from 'typebox'
import { archivable, Enum, Id, Name, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'

export const CharacterType = (description: string) => Enum('CharacterType', ['PLAYER', 'NPC'], description)
export const CharacterStatus = (description: string) => Enum('CharacterStatus', ['ACTIVE', 'RETIRED', 'DEAD'], description)

export const MOST_TRAITS = 200
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
    maxProperties: MOST_TRAITS,
    description,
    examples: [{ strength: 3, firearms: 2 }],
  })

/** What a client may write. */
const writable = {
  name: Name('Character name', 'Jonathan Crane'),
  status: CharacterStatus('Where the character stands, ACTIVE at first; DEAD stamps `date_died`, anything else clears it'),
  concept: Nullable(Text(500, 'The character in a sentence', 'Lighthouse keeper who reads too much')),
  biography: Nullable(Text(10_000, 'The story so far', 'Born in Kingsport, left it, came back.')),
  traits: traits<number>('integer', 'Values by snake_case name, each 0 to 100; at most 200'),
  user_id: Nullable(Id('Whose character it is: the acting user, unless said otherwise; null for an NPC')),
  visibility: Enum(
    'CharacterVisibility',
    ['OPEN', 'STORYTELLER'],
    'OPEN, as it is at first, or STORYTELLER for an NPC that players do not see at all',
  ),
}
const type = CharacterType('PLAYER, unless said otherwise, for a character of a player; NPC for one of the storytellers')

export const fields = {
  id: Id('Character identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign it lives in'),
  type,
  ...writable,
  date_died: Unset(Timestamp('When it died; null while it lives')),
  ...archivable,
}
export const Character = Type.Object(fields, { title: 'Character', description: 'Somebody in a campaign' })
export type Character = Static<typeof Character>

/** Traits are replaced one by one; null takes one away. */
export const CharacterPatch = Type.Partial(
  Type.Object({
    ...writable,
    traits: traits<number | null>(['integer', 'null'], 'Values to set by name; null takes one away; those not named stay'),
  }),
  { title: 'CharacterPatch' },
)
export type CharacterPatch = Static<typeof CharacterPatch>

export const CharacterCreate = Type.Object(
  { ...Type.Partial(Type.Object({ type, ...writable })).properties, name: writable.name },
  { title: 'CharacterCreate' },
)
export type CharacterCreate = Static<typeof CharacterCreate>

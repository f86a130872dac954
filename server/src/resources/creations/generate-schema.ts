import { type Static, Type } from '@guildhall/rules/type'
import { Flag, Id, Int, Name, Nullable, Text, WithDefault } from '../../core/fields.ts'
import { RuledSheet } from '../characters/ruled-sheet.ts'
import { type Character, CharacterCreate, CharacterType, fields } from '../characters/schema.ts'

export const MAX_GENERATED = 10

export const CharactersGenerate = Type.Object(
  {
    count: WithDefault(Int(1, MAX_GENERATED, 'Number of characters', 3), 1),
    type: WithDefault(CharacterType('PLAYER for characters of a player, NPC for characters of the storytellers'), 'NPC'),
    choices: WithDefault(
      Type.Unsafe<Record<string, string>>({
        ...CharacterCreate.properties.choices,
        description: 'Options that are given by the names of the ruleset, instead of chosen at random',
      }),
      {},
    ),
    tier: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The name of a tier of the ruleset: the characters have spent this much experience by its prices',
        examples: ['veteran'],
      }),
    ),
    name: Type.Optional({
      ...Name('The name: of several characters, each has its number after it. Default: the label of their first choice', 'Guard'),
      // The number of a character is added to it.
      maxLength: 96,
    }),
    visibility: CharacterCreate.properties.visibility,
    user_id: Type.Optional(Nullable(Id('The player of the characters. Default: the acting user, or null for NPCs'))),
    dry_run: WithDefault(Flag('True to get the sheets, and store nothing'), false),
  },
  { title: 'CharactersGenerate' },
)
export type CharactersGenerate = Static<typeof CharactersGenerate>

const GeneratedCharacter = Type.Object(
  // A new character has no details.
  { ...fields, details: Type.Unsafe<Character['details']>({ ...fields.details, 'x-max-bytes': 4 }) },
  { title: 'Character', description: 'A character in a campaign' },
)

export const GeneratedCharacters = Type.Object(
  {
    items: Type.Array(GeneratedCharacter, { maxItems: MAX_GENERATED, description: 'The characters. With `dry_run` there are none' }),
    sheets: Type.Array(
      Type.Object(
        { name: Text(100, 'Name of the character', 'Soldier 1'), sheet: RuledSheet },
        { title: 'GeneratedSheet', description: 'The sheet of a generated character' },
      ),
      { maxItems: MAX_GENERATED, description: 'Their sheets by the ruleset, in the same order' },
    ),
  },
  { title: 'GeneratedCharacters', description: 'Random characters that follow the ruleset of the campaign' },
)
export type GeneratedCharacters = Static<typeof GeneratedCharacters>

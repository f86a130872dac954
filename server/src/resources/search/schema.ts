import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Id, Name, Nullable, Text } from '../../core/fields.ts'
import { paging } from '../../core/page.ts'

export const TYPES = ['campaign', 'character', 'item', 'book', 'chapter', 'note', 'user'] as const
export type HitType = (typeof TYPES)[number]
const type = Enum('SearchType', TYPES, 'Type of the resource')

export const Hit = Type.Object(
  {
    type,
    id: Id('Identifier of the resource'),
    name: Name('Name or title of the resource', 'The Drowned Bell'),
    campaign_id: Nullable(Id('Campaign that the resource belongs to, or is; null for a user and a note in a notebook')),
    snippet: Nullable(Text(400, 'An excerpt of its text around the match', '… the bell of Kingsport rings under water …')),
    path: Text(
      1000,
      'Path of the resource. Without an acting user, replace `{user_id}` with the id of the user who is to act',
      '/api/v1/companies/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01/users/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01',
    ),
  },
  { title: 'Hit', description: 'A resource that matches the search' },
)
export type Hit = Static<typeof Hit>

export const SearchQuery = Type.Object({
  ...paging,
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    'x-trim': true,
    description:
      'The text to search for. Names, titles and texts match by parts of words; case and accents do not matter. A text without three letters or digits in a row finds names and titles that begin with it, in the order of the alphabet. If no name or title of a type matches, those with small typing errors are found. Only the first 60,000 characters of a text are searched, counted without accents and ligatures',
    examples: ['bell'],
  }),
  campaign_id: Type.Optional(Id('Only this campaign and the resources in it')),
  type: Type.Optional(
    Type.Array(type, {
      minItems: 1,
      maxItems: TYPES.length,
      uniqueItems: true,
      description: 'Only resources of these types',
      examples: [['campaign', 'note']],
    }),
  ),
})

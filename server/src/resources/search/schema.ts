import { type Static, Type } from 'typebox'
import { Enum, Id, Name, Nullable, Text } from '../../core/fields.ts'
import { page } from '../../core/page.ts'

export const TYPES = ['campaign', 'character', 'book', 'chapter', 'note', 'user'] as const
export type HitType = (typeof TYPES)[number]
const type = Enum('SearchType', TYPES, 'What kind of thing it is')

export const Hit = Type.Object(
  {
    type,
    id: Id('Its identifier'),
    name: Name('Its name or title', 'The Drowned Bell'),
    snippet: Nullable(Text(400, 'Some of its text, around what was searched', '… the bell of Kingsport rings under water …')),
    path: Text(
      1000,
      'Where to get it; without an acting user `{user_id}` stands for whoever is to act',
      '/api/v1/companies/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01/users/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01',
    ),
  },
  { title: 'Hit', description: 'Something that was found' },
)
export type Hit = Static<typeof Hit>

export const SearchQuery = Type.Object({
  ...page,
  q: Type.String({
    minLength: 3,
    maxLength: 100,
    'x-trim': true,
    description:
      'What to search; it needs three letters or digits in a row. Where nothing of a kind has it in its name or title, small typing errors are forgiven; texts match by parts of words; case and accents do not matter. A text that has more than 60,000 characters without its accents and ligatures is searched by its beginning',
    examples: ['bell'],
  }),
  type: Type.Optional(
    Type.Array(type, {
      minItems: 1,
      maxItems: TYPES.length,
      uniqueItems: true,
      description: 'Only these kinds of things',
      examples: [['campaign', 'note']],
    }),
  ),
})

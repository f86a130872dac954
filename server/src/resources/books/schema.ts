import { Type } from '@guildhall/rules/type'
import { applicationFields, applicationPatch, archivable, Id, Int, Name, Nullable, Text } from '../../core/fields.ts'
import { archives, byExternalId, byName, order } from '../../core/page.ts'

/** The fields of a book or a chapter that a client may write. */
export const writable = (noun: string, name: string, description: string) => ({
  name: Name(`${noun} name`, name),
  description: Nullable(Text(10_000, 'Summary of the events', description)),
  ...applicationFields(noun.toLowerCase()),
})

export const number = Nullable(
  Int(
    1,
    2_147_483_647,
    'Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version',
    1,
  ),
)
export const NumberSet = Type.Object({ number: Int(1, 2_147_483_647, 'The new position', 1) }, { title: 'NumberSet' })

/** The query parameters of a list of numbered resources. */
export const numberedList = {
  ...archives,
  ...byExternalId,
  sort: Type.Optional({
    ...order(['number', '-number', ...byName]),
    default: 'number' as const,
    description: 'Order of the items; `-` sorts in descending order',
  }),
}

const book = writable('Book', 'The Drowned Bell', 'The bell of Kingsport rings under water')
const stored = {
  id: Id('Book identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the book'),
  ...book,
  ...archivable,
}
export const BookRow = Type.Object(stored)
export const Book = Type.Object({ ...stored, number }, { title: 'Book', description: 'A part of the story of a campaign' })

export const BookPatch = Type.Partial(Type.Object({ ...book, ...applicationPatch }), { title: 'BookPatch' })
export const BookCreate = Type.Object({ ...Type.Partial(Type.Object(book)).properties, name: book.name }, { title: 'BookCreate' })

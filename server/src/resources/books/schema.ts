import { type Static, Type } from 'typebox'
import { archivable, Id, Int, Name, Nullable, Text } from '../../core/fields.ts'
import { archives, order } from '../../core/page.ts'

/** What a client may write of a book or a chapter. */
export const writable = (noun: string, name: string, description: string) => ({
  name: Name(`${noun} name`, name),
  description: Nullable(Text(10_000, 'What happens in it', description)),
})

/** Its place among its neighbours. */
export const number = Nullable(
  Int(
    1,
    2_147_483_647,
    'Its place, 1 to n without gaps; it may move with its neighbours, which is no change of its own; null while it is archived',
    1,
  ),
)
export const NumberSet = Type.Object(
  { number: Int(1, 2_147_483_647, 'The place it moves to; the others make room', 1) },
  { title: 'NumberSet' },
)

/** What a list of numbered things takes. */
export const numberedList = {
  ...archives,
  sort: Type.Optional(order(['number', '-number', 'name', '-name', 'date_created', '-date_created'])),
}

const book = writable('Book', 'The Drowned Bell', 'The bell of Kingsport rings under water')
const stored = {
  id: Id('Book identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign it tells of'),
  ...book,
  ...archivable,
}
export const BookRow = Type.Object(stored)
export const Book = Type.Object({ ...stored, number }, { title: 'Book', description: 'A part of what happened in a campaign' })

export const BookPatch = Type.Partial(Type.Object(book), { title: 'BookPatch' })
export type BookPatch = Static<typeof BookPatch>
export const BookCreate = Type.Object({ ...BookPatch.properties, name: book.name }, { title: 'BookCreate' })
export type BookCreate = Static<typeof BookCreate>

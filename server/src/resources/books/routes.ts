import { Type } from 'typebox'
import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { mayManage } from '../campaigns/rules.ts'
import { books as table } from './queries.ts'
import { Book, BookCreate, BookPatch, NumberSet, numberedList } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books'
const ONE = `${ALL}/{book_id}` as const
const within = [campaign] as const

/** Books belong to the campaign as its name does. */
const mayHere = ({ actor, campaign }: { actor: Parameters<typeof mayManage>[0]; campaign: Parameters<typeof mayManage>[1] }) =>
  mayManage(actor, campaign)

const place = ({ company_id, campaign_id }: { company_id: string; campaign_id: string }) => ({ company_id, parent_id: campaign_id })

export const books = [
  operation({
    id: 'books.list',
    method: 'GET',
    path: ALL,
    within,
    needs: { key: 'USER' },
    summary: 'List the books of a campaign',
    description: '`sort=number` gives them in their order.',
    query: Type.Object(numberedList),
    reply: [200, Paged(Book)],
    run: ({ db, params, query, ...here }) => table.list(db, place(params), query, mayHere(here)),
  }),
  operation({
    id: 'books.create',
    method: 'POST',
    path: ALL,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Add a book to a campaign',
    description: 'It becomes the last. The owner of the campaign, its storytellers and ADMINs may.',
    body: BookCreate,
    reply: [201, Book],
    emits: 'book.created',
    run: ({ db, params, body }) => table.create(db, place(params), body),
  }),
  operation({
    id: 'books.get',
    method: 'GET',
    path: ONE,
    within,
    needs: { key: 'USER' },
    summary: 'Get a book',
    reply: [200, Book],
    run: ({ db, params }) => table.get(db, place(params), params.book_id),
  }),
  operation({
    id: 'books.update',
    method: 'PATCH',
    path: ONE,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Change a book',
    body: BookPatch,
    reply: [200, Book],
    emits: 'book.updated',
    run: ({ db, params, body }) => table.update(db, place(params), params.book_id, body),
  }),
  operation({
    id: 'books.move',
    method: 'PUT',
    path: `${ONE}/number`,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Move a book to another place',
    description: 'The numbers stay 1 to n.',
    body: NumberSet,
    reply: [200, Book],
    emits: 'book.moved',
    run: ({ db, params, body }) => table.move(db, place(params), params.book_id, body.number),
  }),
  operation({
    id: 'books.delete',
    method: 'DELETE',
    path: ONE,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Archive a book',
    description: 'It is hidden with its chapters and notes, the others close the gap, and it can be restored for 30 days.',
    reply: [204],
    emits: 'book.deleted',
    run: ({ db, params }) => table.archive(db, place(params), params.book_id),
  }),
  operation({
    id: 'books.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Restore an archived book',
    description: 'It becomes the last.',
    reply: [200, Book],
    emits: 'book.restored',
    run: ({ db, params }) => table.restore(db, place(params), params.book_id),
  }),
]

import { campaign } from '../campaigns/place.ts'
import { numberedOperations } from './operations.ts'
import { books as table } from './queries.ts'
import { Book, BookCreate, BookPatch } from './schema.ts'

export const books = numberedOperations({
  noun: 'book',
  parent: 'campaign',
  path: '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books',
  within: [campaign],
  table,
  schemas: { One: Book, Create: BookCreate, Patch: BookPatch },
  with: 'chapters and notes',
})

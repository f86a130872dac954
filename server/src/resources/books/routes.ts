import { resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { numberedOperations } from './operations.ts'
import { chaptersOfBook } from './parts.ts'
import { books as table } from './queries.ts'
import { Book, BookCreate, BookPatch } from './schema.ts'

export const books = resource(
  {
    Books: 'The story of a campaign, in numbered books',
  },
  numberedOperations({
    noun: 'book',
    parent: 'campaign',
    path: below(campaign.path, 'books'),
    table,
    schemas: { One: Book, Create: BookCreate, Patch: BookPatch },
    children: 'chapters and notes',
    parts: chaptersOfBook,
  }),
)

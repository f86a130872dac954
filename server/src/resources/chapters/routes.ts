import { resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { numberedOperations } from '../books/operations.ts'
import { book } from '../books/path-resource.ts'
import { chapters as table } from './queries.ts'
import { Chapter, ChapterCreate, ChapterPatch } from './schema.ts'

export const chapters = resource(
  {
    Chapters: 'The numbered parts of a book',
  },
  numberedOperations({
    noun: 'chapter',
    parent: 'book',
    path: below(book.path, 'chapters'),
    table,
    schemas: { One: Chapter, Create: ChapterCreate, Patch: ChapterPatch },
    children: 'notes',
  }),
)

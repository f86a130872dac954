import { numberedOperations } from '../books/operations.ts'
import { book } from '../books/place.ts'
import { campaign } from '../campaigns/place.ts'
import { chapters as table } from './queries.ts'
import { Chapter, ChapterCreate, ChapterPatch } from './schema.ts'

export const chapters = numberedOperations({
  noun: 'chapter',
  parent: 'book',
  path: '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters',
  within: [campaign, book],
  table,
  schemas: { One: Chapter, Create: ChapterCreate, Patch: ChapterPatch },
  with: 'notes',
})

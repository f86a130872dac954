import { numbered } from '../../db/numbered.ts'
import { ChapterRow } from './schema.ts'

export const chapters = numbered('chapters', ChapterRow, {
  noun: 'Chapter',
  texts: ['description'],
  parent: { table: 'books', column: 'book_id' },
  partOf: { books: 'book_id', campaigns: 'campaign_id' },
})

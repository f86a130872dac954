import { numbered } from '../../db/numbered.ts'
import { BookRow } from './schema.ts'

export const books = numbered('books', BookRow, {
  noun: 'Book',
  texts: ['description'],
  parent: { table: 'campaigns', column: 'campaign_id' },
  partOf: { campaigns: 'campaign_id' },
})

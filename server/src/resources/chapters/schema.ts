import { Type } from '@guildhall/rules/type'
import { applicationPatch, archivable, Id } from '../../core/fields.ts'
import { number, writable } from '../books/schema.ts'

const chapter = writable('Chapter', 'What the tide left', 'The children find it first')
const stored = {
  id: Id('Chapter identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the book'),
  book_id: Id('Book of the chapter'),
  ...chapter,
  ...archivable,
}
export const ChapterRow = Type.Object(stored)
export const Chapter = Type.Object({ ...stored, number }, { title: 'Chapter', description: 'A part of a book' })

export const ChapterPatch = Type.Partial(Type.Object({ ...chapter, ...applicationPatch }), { title: 'ChapterPatch' })
export const ChapterCreate = Type.Object(
  { ...Type.Partial(Type.Object(chapter)).properties, name: chapter.name },
  { title: 'ChapterCreate' },
)

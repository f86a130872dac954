import { type Static, Type } from 'typebox'
import { archivable, Enum, Id, Name, Nullable, Text, Unset } from '../../core/fields.ts'

const visibility = Enum(
  'NoteVisibility',
  ['EVERYONE', 'STORYTELLER', 'AUTHOR'],
  'Who sees it besides its author and ADMINs: EVERYONE, the campaign’s STORYTELLERs, or with AUTHOR nobody',
)

/** What a client may write. A notebook is always its author's own. */
const written = {
  title: Name('Title of the note', 'The tide tables'),
  body: Nullable(Text(20_000, 'The note, in Markdown', 'Low water at **03:12**. Somebody rang the bell.')),
}
const writable = { ...written, visibility }

const stored = {
  id: Id('Note identifier'),
  company_id: Id('Owning company'),
  author_id: Id('Who wrote it'),
  campaign_id: Nullable(Id('Campaign it belongs to; null in a notebook')),
  book_id: Unset(Id('Book it hangs on, itself or by its chapter')),
  chapter_id: Unset(Id('Chapter it hangs on')),
  character_id: Nullable(Id('Character it hangs on')),
  ...writable,
  ...archivable,
}
/** A note as it lies in the table: `parent_id` is what it hangs on. */
export const NoteRow = Type.Object({ ...stored, parent_id: Id('What it hangs on') })

export const Note = Type.Object(stored, { title: 'Note', description: 'Something worth remembering' })
export type Note = Static<typeof Note>

export const NotePatch = Type.Partial(Type.Object(writable), { title: 'NotePatch' })
export type NotePatch = Static<typeof NotePatch>
export const NoteCreate = Type.Object({ ...NotePatch.properties, title: written.title }, { title: 'NoteCreate' })
export type NoteCreate = Static<typeof NoteCreate>

export const NotebookPatch = Type.Partial(Type.Object(written), { title: 'NotebookPatch' })
export const NotebookCreate = Type.Object({ ...NotebookPatch.properties, title: written.title }, { title: 'NotebookCreate' })

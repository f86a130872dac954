import { type Static, Type } from '@guildhall/rules/type'
import { applicationFields, applicationPatch, archivable, Enum, Id, Name, Nullable, Text, Unset, WithDefault } from '../../core/fields.ts'
import { archives, byExternalId } from '../../core/page.ts'

const visibility = Enum(
  'NoteVisibility',
  ['EVERYONE', 'STORYTELLER', 'AUTHOR'],
  'Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else',
)

/** The fields that clients may write in a notebook, where the visibility is always AUTHOR. */
const notebookFields = {
  title: Name('Title of the note', 'The tide tables'),
  body: Nullable(Text(20_000, 'Text of the note, in Markdown', 'Low water at **03:12**. Somebody rang the bell.')),
  ...applicationFields('note'),
}
const writable = { ...notebookFields, visibility }

const stored = {
  id: Id('Note identifier'),
  company_id: Id('Owning company'),
  author_id: Id('User who wrote the note'),
  campaign_id: Nullable(Id('Campaign of the note; null in a notebook')),
  book_id: Unset(Id('Book that the note, or its chapter, belongs to')),
  chapter_id: Unset(Id('Chapter that the note belongs to')),
  character_id: Nullable(Id('Character that the note belongs to')),
  ...writable,
  ...archivable,
}
/** A row of the table. `parent_id` is the resource that the note is written on, or the user of a notebook. */
export const NoteRow = Type.Object({ ...stored, parent_id: Id('Resource that the note is written on') })

export const Note = Type.Object(stored, { title: 'Note', description: 'A note on a resource of a campaign, or in a notebook' })
export type Note = Static<typeof Note>

export const NotePatch = Type.Partial(Type.Object({ ...writable, ...applicationPatch }), { title: 'NotePatch' })
export type NotePatch = Static<typeof NotePatch>
export const NoteCreate = Type.Object(
  {
    ...Type.Partial(Type.Object(notebookFields)).properties,
    title: notebookFields.title,
    visibility: WithDefault(visibility, 'EVERYONE'),
  },
  { title: 'NoteCreate' },
)
export type NoteCreate = Static<typeof NoteCreate>

export const NotebookPatch = Type.Partial(Type.Object({ ...notebookFields, ...applicationPatch }), { title: 'NotebookPatch' })
export const NotebookCreate = Type.Object(
  { ...Type.Partial(Type.Object(notebookFields)).properties, title: notebookFields.title },
  { title: 'NotebookCreate' },
)
export type NotebookCreate = Static<typeof NotebookCreate>

export const CampaignNotesQuery = Type.Object({
  ...archives,
  ...byExternalId,
  scope: Type.Optional(
    Type.Unsafe<'campaign' | 'all'>({
      type: 'string',
      enum: ['campaign', 'all'],
      default: 'campaign',
      description: '`campaign`: notes on the campaign itself; `all`: notes on the campaign, its books, chapters and characters',
    }),
  ),
  author_id: Type.Optional(Id('Only notes of this author')),
})

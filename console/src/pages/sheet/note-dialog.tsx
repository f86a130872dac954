import type { Note } from '@guildhall/client'
import { useLoad } from '../../data/load.ts'
import { text as noteWords } from '../../notes/text.ts'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { LoadedDialog } from '../../ui/loaded-dialog.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = text.notes

interface NoteDialogProps {
  sheet: SheetScope
  /** The note to change. Without it, a new one is written. */
  noteId?: string
  onClose: () => void
}

/** Writes or changes a note. A note is read first, because the list cuts long texts. */
export function NoteDialog({ sheet, noteId, onClose }: NoteDialogProps) {
  const note = useLoad<Note | null>(
    async (signal) => (noteId ? sheet.api.notes.get(noteId, { signal }) : null),
    [sheet.character.id, noteId],
  )
  return (
    <LoadedDialog title={words.dialogEdit} of={note} onClose={onClose}>
      {(loaded) => <NoteForm sheet={sheet} note={loaded} onClose={onClose} />}
    </LoadedDialog>
  )
}

function NoteForm({ sheet: { api }, note, onClose }: { sheet: SheetScope; note: Note | null; onClose: () => void }) {
  const form = useForm(
    { title: note?.title ?? '', body: note?.body ?? '', visibility: note?.visibility ?? 'EVERYONE' },
    async ({ values }) => {
      const wanted = { ...values, body: values.body || null }
      // Two people who write the same note at once must not overwrite each other.
      if (note) await api.notes.update(note.id, wanted, { ifMatch: note })
      else await api.notes.create(wanted)
      onClose()
    },
  )
  return (
    <FormDialog title={note ? words.dialogEdit : words.dialogNew} of={form} onClose={onClose} isWide>
      <div class="form-row">
        <TextField label={words.title} {...form.input('title')} maxlength={100} autofocus />
        <Select label={noteWords.whoReads} options={noteWords.visibilityChoices} {...form.select('visibility')} />
      </div>
      <TextArea label={words.body} hint={text.form.markdown} {...form.input('body')} rows={10} />
    </FormDialog>
  )
}

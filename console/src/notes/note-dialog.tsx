import { ApiError, type Note } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { useLiveLoad } from '../data/live-load.ts'
import { useUserNames } from '../data/names.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { text as shared } from '../text.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Show } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { tell } from '../ui/toast.tsx'
import { bodyOf, mayChange, type NotePlace } from './place.ts'
import { text } from './text.ts'
import { VisibilityMark } from './visibility.tsx'
import { type Saved, WriteDialog } from './write-dialog.tsx'

interface NoteDialogProps {
  id: string
  place: NotePlace
  onClose: () => void
  onChange: () => Promise<void>
}

/** One note, to read, edit and archive. */
export function NoteDialog({ id, place, onClose, onChange }: NoteDialogProps) {
  const [mode, setMode] = useState<'read' | 'edit' | 'archive'>('read')
  const note = useLiveLoad((signal) => place.api.get(id, { signal }), ['note'], [id])
  const archive = useAction(async () => {
    await place.api.delete(id)
    tell(text.archived)
    onClose()
    await onChange()
  })
  const savedOf = ({ title, body, visibility, version }: Note): Saved => ({
    name: title,
    body: body ?? '',
    version,
    visibility: place.isNotebook ? undefined : visibility,
  })
  if (note.data && mode === 'edit')
    return (
      <WriteDialog
        title={text.editNote}
        labels={{ name: text.title, body: text.body }}
        fields={{ name: 'title', body: 'body' }}
        initial={savedOf(note.data)}
        save={async (draft, ifMatch) => {
          note.set(await place.api.update(id, bodyOf(draft), { ifMatch }))
          await onChange()
        }}
        read={async () => savedOf(await place.api.get(id))}
        onClose={() => setMode('read')}
      />
    )
  if (note.data && mode === 'archive')
    return (
      <Confirm
        title={text.archiveTitle(note.data.title)}
        action={text.archive}
        busy={archive.busy}
        onConfirm={() => archive.run()}
        onClose={() => setMode('read')}
      >
        {text.archiveText}
      </Confirm>
    )
  // A note that was archived or hidden in the meantime must not stay on the screen.
  const isGone = ApiError.is(note.error, 'not_found')
  return (
    <Dialog title={isGone ? text.gone.title : (note.data?.title ?? text.note)} onClose={onClose} isWide>
      <div class="dialog-body">
        {isGone ? <p>{text.gone.text}</p> : <Show of={note}>{(shown) => <NoteText note={shown} isNotebook={place.isNotebook} />}</Show>}
      </div>
      <footer>
        {note.data && !isGone && <NoteActions note={note.data} place={place} onMode={setMode} />}
        <Button onClick={onClose}>{shared.close}</Button>
      </footer>
    </Dialog>
  )
}

function NoteText({ note, isNotebook }: { note: Note; isNotebook: boolean }) {
  const { user } = useActing()
  const names = useUserNames([note.author_id])
  return (
    <div class="note-full">
      <p class="note-foot quiet">
        {!isNotebook && <VisibilityMark visibility={note.visibility} isOwn={note.author_id === user.id} />}
        <span>{text.by(names(note.author_id))}</span>
        <Time at={note.date_created} look="full" />
        {note.version > 1 && (
          <span>
            {text.edited} <Time at={note.date_modified} />
          </span>
        )}
      </p>
      {note.body && <Markdown source={note.body} />}
    </div>
  )
}

function NoteActions({ note, place, onMode }: { note: Note; place: NotePlace; onMode: (mode: 'edit' | 'archive') => void }) {
  const { user } = useActing()
  if (!mayChange(note, user, place)) return null
  return (
    <>
      <Button look="quiet" icon="archive" onClick={() => onMode('archive')}>
        {text.archive}
      </Button>
      <Button icon="edit" onClick={() => onMode('edit')}>
        {text.edit}
      </Button>
    </>
  )
}

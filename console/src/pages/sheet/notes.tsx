import type { NoteListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveList } from '../../data/live-list.ts'
import { useUserNames } from '../../data/names.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { visibilityWord } from '../../notes/visibility.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Badge, Secret } from '../../ui/marks.tsx'
import { Time } from '../../ui/time.tsx'
import { tell } from '../../ui/toast.tsx'
import { ArchivedPart } from './archived-part.tsx'
import { ListTab } from './list-tab.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { mayChangeNote, type SheetScope } from './rights.ts'
import { text } from './text.ts'

/** A note of the list. One from an event is not cut, and has no mark for that. */
type ShownNote = Omit<NoteListItem, 'truncated'> & { truncated?: boolean }

const newestFirst = (a: ShownNote, b: ShownNote) => b.id.localeCompare(a.id)
const words = text.notes

/** The notes on a character that the acting user may read. Everyone who sees the character may write one. */
export function Notes({ sheet }: { sheet: SheetScope }) {
  const { character, api, path } = sheet
  const notes = useLiveList<ShownNote>(
    {
      load: (signal) => api.notes.list({}, { signal }).all(500),
      type: 'note',
      accepts: ({ character_id }) => character_id === character.id,
      compare: newestFirst,
    },
    [character.id],
  )
  const nameOf = useUserNames((notes.data ?? []).map(({ author_id }) => author_id))
  return (
    <ListTab
      title={text.tabs.notes}
      words={words}
      items={notes}
      mayAdd
      call={curl('POST', `${path}/notes`, { title: 'Owes the ferryman' })}
      look="notes"
      row={(note) => <Note note={note} sheet={sheet} author={nameOf(note.author_id)} />}
      dialog={(close) => <NoteDialog sheet={sheet} onClose={close} />}
    >
      <ArchivedPart
        load={async (signal) =>
          (await api.notes.list({ archived: true }, { signal }).all(100)).map((note) => ({ ...note, name: note.title }))
        }
        type="note"
        characterId={character.id}
        title={words.archivedTitle}
        restore={(id) => api.notes.restore(id)}
      />
    </ListTab>
  )
}

function Note({ note, sheet, author }: { note: ShownNote; sheet: SheetScope; author: string }) {
  const { user } = useActing()
  const { api, rights } = sheet
  const [isOpen, setOpen] = useState(false)
  const [full, setFull] = useState<{ version: number; body: string | null }>()
  const { id, title, visibility, version, date_created } = note
  const mark = visibilityWord(visibility, note.author_id === user.id)
  const read = useAction(async () => setFull(await api.notes.get(id)))
  const archive = useAction(async () => {
    await api.notes.delete(id)
    tell(words.archived(title))
  })
  const isFull = !note.truncated || full?.version === version
  const body = full?.version === version ? full.body : note.body
  return (
    <article class={`note card ${visibility.toLowerCase()}`}>
      <header>
        <div>
          <h3>{title}</h3>
          <p class="quiet small">
            {author}, <Time at={date_created} />
          </p>
        </div>
        {visibility === 'EVERYONE' ? <Badge>{mark}</Badge> : <Secret>{mark}</Secret>}
      </header>
      {body && <Markdown source={isFull ? body : `${body} …`} />}
      {!isFull && (
        <Button look="quiet" busy={read.busy} onClick={() => read.run()}>
          {words.more}
        </Button>
      )}
      {mayChangeNote(rights, note, user.id) && (
        <footer class="row-buttons">
          <IconButton label={words.edit(title)} icon="edit" onClick={() => setOpen(true)} />
          <IconButton label={words.archive(title)} icon="archive" busy={archive.busy} onClick={() => archive.run()} />
        </footer>
      )}
      {isOpen && <NoteDialog sheet={sheet} noteId={id} onClose={() => setOpen(false)} />}
    </article>
  )
}

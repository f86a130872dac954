import type { NoteListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { curl } from '../data/curl.ts'
import { useUserNames } from '../data/names.ts'
import { useLivePages } from '../data/pages.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { hrefOf, useQuery } from '../router.ts'
import { Button } from '../ui/button.tsx'
import { More } from '../ui/more.tsx'
import { Empty, Show } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { Archived } from './archived.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { bodyOf, type NotePlace, requestPathOf } from './place.ts'
import { text } from './text.ts'
import { VisibilityMark } from './visibility.tsx'
import { WriteDialog } from './write-dialog.tsx'

/** Texts longer than this are cut in the list, and read in the dialog. */
const MAX_SHOWN = 420

/** The notes of a place, newest first, with the dialogs to read and write them. The query `note` names the one that is open, so that it can be shared. */
export function Notes({ place }: { place: NotePlace }) {
  const { path } = useActing()
  const [open, setOpen] = useQuery('note')
  const [isWriting, setWriting] = useState(false)
  const notes = useLivePages<NoteListItem>(
    (after, signal) => place.api.list({ limit: 30, after, sort: '-date_modified' }, { signal }),
    ['note'],
    [place.path, place.isNotebook],
  )
  const names = useUserNames(notes.data?.items.map(({ author_id }) => author_id) ?? [])
  const write = (
    <Button icon="plus" onClick={() => setWriting(true)}>
      {text.write}
    </Button>
  )
  return (
    <div class="notes">
      <Show of={notes}>
        {({ items }) =>
          items.length ? (
            <>
              <div>{write}</div>
              <ul class="note-list">
                {items.map((note) => (
                  <NoteCard key={note.id} note={note} place={place} author={names(note.author_id)} onOpen={() => setOpen(note.id)} />
                ))}
              </ul>
              <More of={notes} />
            </>
          ) : (
            <Empty
              title={place.isNotebook ? text.emptyNotebook : text.empty}
              action={write}
              call={curl('POST', requestPathOf(place, path), { title: 'Ask about the bell' })}
            >
              {place.isNotebook ? text.emptyNotebookText : text.emptyText}
            </Empty>
          )
        }
      </Show>
      <Archived
        of={place.path + place.isNotebook}
        type="note"
        load={async (signal) =>
          (await place.api.list({ archived: true, limit: 100 }, { signal })).items.map(({ id, title, date_archived }) => ({
            id,
            name: title,
            date_archived,
          }))
        }
        onRestore={async (id) => {
          await place.api.restore(id)
          await notes.reload()
        }}
      />
      {isWriting && (
        <WriteDialog
          title={text.newNote}
          labels={{ name: text.title, body: text.body }}
          fields={{ name: 'title', body: 'body' }}
          initial={{ name: '', body: '', visibility: place.isNotebook ? undefined : 'EVERYONE' }}
          save={async (draft) => {
            await place.api.create(bodyOf(draft))
            await notes.reload()
          }}
          onClose={() => setWriting(false)}
        />
      )}
      {open && <NoteDialog key={open} id={open} place={place} onClose={() => setOpen(null)} onChange={notes.reload} />}
    </div>
  )
}

interface NoteCardProps {
  note: NoteListItem
  place: NotePlace
  author: string
  onOpen: () => void
}

function NoteCard({ note, place, author, onOpen }: NoteCardProps) {
  const { user } = useActing()
  const { title, body, visibility, truncated, date_modified } = note
  const isCut = truncated || (body?.length ?? 0) > MAX_SHOWN
  return (
    <li class={`note ${place.isNotebook ? 'author' : visibility.toLowerCase()}`}>
      <h3>
        <a
          href={hrefOf(`${place.path}${place.path.includes('?') ? '&' : '?'}note=${note.id}`)}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            onOpen()
          }}
        >
          {title}
        </a>
      </h3>
      {body && (
        <div class={isCut ? 'note-body cut' : 'note-body'}>
          <Markdown source={body} />
        </div>
      )}
      <p class="note-foot quiet">
        {!place.isNotebook && <VisibilityMark visibility={visibility} isOwn={note.author_id === user.id} />}
        {!place.isNotebook && <span>{text.by(author)}</span>}
        <Time at={date_modified} />
      </p>
    </li>
  )
}

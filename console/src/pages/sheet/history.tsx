import type { ExperienceEntryListItem, HistoryEntry } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { type NameOf, useUserNames } from '../../data/names.ts'
import { mayUndo } from '../../play/may-undo.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { fieldLabel, spendOf, valueWords } from './history-words.ts'
import { useEntries } from './ledger.ts'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'
import { UndoButton } from './undo.tsx'

const words = text.history
const PAGE = 50
/** More fields than this, such as those of a new character, are folded up. */
const MAX_OPEN = 6

/** Every change of the character, newest first: old and new values, who, when and why. */
export function History({ sheet, onChanged }: { sheet: SheetScope; onChanged: () => Promise<void> }) {
  const { character, api, path, rights } = sheet
  const [isEditing, setEditing] = useState(false)
  const [count, setCount] = useState(PAGE)
  // One more than is shown is read, to know if there are more.
  const history = useLiveLoad((signal) => api.history.list({}, { signal }).all(count + 1), ['character'], [character.id, count])
  const entries = useEntries(sheet)
  const users = (history.data ?? []).flatMap(({ user_id, changes }) => [
    user_id,
    ...changes.filter(({ field }) => field === 'user_id').flatMap(({ from, to }) => [from, to] as (string | null)[]),
  ])
  const nameOf = useUserNames(users)
  return (
    <Section title={text.tabs.history} class="tab-section">
      <Show of={history}>
        {(all) =>
          all.length ? (
            <>
              <ol class="history">
                {all.slice(0, count).map((entry) => (
                  <li key={entry.id}>
                    <Change entry={entry} sheet={sheet} nameOf={nameOf} spend={spendOf(entry, entries.data ?? [], character.id)} />
                  </li>
                ))}
              </ol>
              {all.length > count && <Button onClick={() => setCount(count + PAGE)}>{words.more}</Button>}
            </>
          ) : (
            <Empty
              title={words.empty}
              action={
                rights.mayEdit && (
                  <Button icon="edit" onClick={() => setEditing(true)}>
                    {text.form.title(character.name)}
                  </Button>
                )
              }
              call={rights.mayEdit && curl('PATCH', path, { concept: 'Librarian' })}
            >
              {rights.mayEdit ? words.emptyText : words.emptyForOthers}
            </Empty>
          )
        }
      </Show>
      {isEditing && <EditDialog sheet={sheet} onChanged={onChanged} onClose={() => setEditing(false)} />}
    </Section>
  )
}

interface ChangeProps {
  entry: HistoryEntry
  sheet: SheetScope
  nameOf: NameOf
  /** The entry of the ledger that made the change. */
  spend: ExperienceEntryListItem | undefined
}

function Change({ entry: { type, user_id, changes, reason, date_created, truncated }, sheet, nameOf, spend }: ChangeProps) {
  const who = user_id ? nameOf(user_id) : text.application
  const list = (
    <dl class="changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{fieldLabel(field)}</dt>
          <dd>
            <span class="visually-hidden">{words.before} </span>
            <span class="old">{valueWords(field, from, nameOf)}</span>
            <span aria-hidden="true"> → </span>
            <span class="visually-hidden">, {words.after} </span>
            <span class="new">{valueWords(field, to, nameOf)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
  return (
    <div class="change">
      <p>
        <strong>{who}</strong> {words.types[type] ?? type}
        <span class="quiet small">
          <Time at={date_created} />
        </span>
      </p>
      {reason && <p class="reason">“{reason}”</p>}
      {changes.length > MAX_OPEN ? (
        <details>
          <summary>{words.changes(changes.length)}</summary>
          {list}
        </details>
      ) : (
        changes.length > 0 && list
      )}
      {truncated && <p class="quiet small">{words.truncated}</p>}
      {spend && mayUndo({ ...sheet.rights, isOwner: sheet.rights.isOwn }, spend) && <UndoButton entry={spend} />}
    </div>
  )
}

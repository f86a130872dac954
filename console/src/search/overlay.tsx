import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { CampaignContext } from '../data/acting.ts'
import { text as shared } from '../text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { Results } from './results.tsx'
import { text } from './text.ts'
import { useSearch } from './use-search.ts'

/** A text with three letters or digits in a row is looked for everywhere; a shorter one only at the beginning of names. */
const isShort = (query: string) => !/[\p{L}\p{N}]{3}/u.test(query)

/** The search above the page. Arrow keys move between the field and the results, Enter opens, Escape closes. */
export default function SearchOverlay({ onClose }: { onClose: () => void }) {
  const scope = useContext(CampaignContext)
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [isHere, setHere] = useState(false)
  const query = typed.trim().slice(0, 100)
  const { found, isSearching, error } = useSearch(query, isHere ? scope?.campaign.id : undefined)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  const onKey = (event: KeyboardEvent) => {
    // Browsers would only empty the field at the first press.
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    const stops = [...(dialog.current?.querySelectorAll<HTMLElement>('input[type=search], .search-hit') ?? [])]
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
    event.preventDefault()
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <dialog
      ref={dialog}
      class="dialog search"
      aria-label={text.title}
      onKeyDown={onKey}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A press on the dialog itself is one on its backdrop.
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // Results of an older text must not be opened by mistake.
          if (found?.query === query) dialog.current?.querySelector<HTMLElement>('.search-hit')?.click()
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          aria-label={text.label}
          placeholder={text.placeholder}
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          autofocus
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <IconButton label={shared.close} icon="close" onClick={onClose} />
      </form>
      {scope && <Checkbox label={text.here(scope.campaign.name)} checked={isHere} onChange={setHere} />}
      <p class="search-status quiet" role="status">
        {!query
          ? text.begin
          : isSearching
            ? text.searching
            : found && (found.page.total ? text.found(found.page.total, found.page.items.length) : text.none(found.query))}
      </p>
      {query && isShort(query) && <p class="search-status quiet">{text.short}</p>}
      {error !== undefined && !isSearching && <Problem error={error} />}
      {found && query && <Results hits={found.page.items} query={found.query} onOpen={onClose} />}
      {found?.page.total === 0 && isHere && !isSearching && (
        <div class="search-status">
          <Button onClick={() => setHere(false)}>{text.everywhere}</Button>
        </div>
      )}
      <p class="search-keys quiet">{text.keys}</p>
    </dialog>
  )
}

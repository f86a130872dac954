import { useEffect, useState } from 'preact/hooks'
import { TextField } from './field.tsx'

/** The pause in typing after which the list is filtered. */
const PAUSE_MS = 250
/** Shorter lists have no filter. */
const MIN_FILTERED = 10

/** The text of a search field, and the debounced query: it follows the text after a pause in typing. */
export function useFilter(): { typed: string; q: string; type: (text: string) => void } {
  const [typed, type] = useState('')
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, q, type }
}

interface FilterProps {
  label: string
  typed: string
  onType: (text: string) => void
  total: number | undefined
  /** The length from which a list has a filter. */
  min?: number
}

/** The list follows the text by itself. Enter must not send a form around it. */
const ignoreEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

/** A field that narrows a list by name. It appears once the list is long, and stays while it is used. */
export function Filter({ label, typed, onType, total = 0, min = MIN_FILTERED }: FilterProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (total >= min) setShown(true)
  }, [total, min])
  if (!isShown && total < min) return null
  return (
    <div class="filter">
      <TextField label={label} type="search" value={typed} onInput={onType} onKeyDown={ignoreEnter} />
    </div>
  )
}

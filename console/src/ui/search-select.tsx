import { useLoad } from '../data/load.ts'
import { Select } from './field.tsx'
import { Filter, useFilter } from './filter.tsx'

/** The maximum number of names in one list. */
const MAX_LISTED = 100
/** Shorter lists are looked through more quickly than they are searched. */
const MIN_SEARCHED = 20
/** The number of lines that are open while somebody searches. */
const OPEN_LINES = 5

interface NameQuery {
  limit: number
  sort: 'name'
  q?: string
  ids?: string[]
}

interface NamePage {
  items: readonly { id: string; name: string }[]
  total: number
}

interface SearchSelectProps {
  label: string
  words: {
    /** The label of the search field. */
    find: string
    /** The option for no choice. */
    none: string
    /** A resource that is not listed any more. */
    unknown: (id: string) => string
    /** Says how many names the search has found. */
    found: (total: number) => string
    /** Says that the list is only the beginning. */
    first: (shown: number, total: number) => string
  }
  /** The id that is chosen; empty for none. */
  value: string
  error?: string | undefined
  onChange: (id: string) => void
  load: (query: NameQuery, signal: AbortSignal) => PromiseLike<NamePage>
  /** The values that `load` depends on. */
  dependencies: readonly unknown[]
}

/** A choice from a list of names of the service. A long list has a search field, and the names that it finds are shown at once. */
export function SearchSelect({ label, words, value, error, onChange, load, dependencies }: SearchSelectProps) {
  const { typed, q, type } = useFilter()
  const page = useLoad((signal) => load({ limit: MAX_LISTED, sort: 'name', ...(q && { q }) }, signal), [...dependencies, q])
  // The chosen one may be archived, beyond the first names, or not among those that were found.
  const chosen = useLoad<NamePage>(
    async (signal) => (value ? load({ limit: 1, sort: 'name', ids: [value] }, signal) : { items: [], total: 0 }),
    [...dependencies, value],
  )
  const listed = page.data?.items ?? []
  const options: [string, string][] = [['', words.none]]
  if (value && !listed.some(({ id }) => id === value))
    options.push([value, chosen.data ? (chosen.data.items[0]?.name ?? words.unknown(value)) : '…'])
  options.push(...listed.map(({ id, name }): [string, string] => [id, name]))
  const total = page.data?.total ?? 0
  const isCut = total > listed.length
  const hint = page.data && (isCut ? words.first(listed.length, total) : q && words.found(total))
  return (
    <div class="search-select">
      <Filter label={words.find} typed={typed} onType={type} total={page.data?.total} min={MIN_SEARCHED} />
      <Select
        label={label}
        value={value}
        options={options}
        error={error}
        hint={hint && <span role="status">{hint}</span>}
        lines={q ? OPEN_LINES : undefined}
        onChange={onChange}
      />
    </div>
  )
}

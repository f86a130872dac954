import { useEffect, useState } from 'preact/hooks'

// Paths of the console are real paths below /console, so that they can be shared, bookmarked and opened in a new tab.

const BASE = '/console'

type Listener = () => void
const listeners = new Set<Listener>()
const notify = () => {
  for (const listener of listeners) listener()
}
addEventListener('popstate', notify)

/** The present path below /console, with its query. */
export const currentPath = (): string => (location.pathname.slice(BASE.length) || '/') + location.search

/** The address of a path of the console, for links. */
export const hrefOf = (path: string): string => BASE + path

/** Goes to a path of the console. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (path === currentPath()) return
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(path))
  notify()
  if (!replace) scrollTo(0, 0)
}

/** The present path. The component renders again when it changes. */
export function usePath(): string {
  const [path, setPath] = useState(currentPath)
  useEffect(() => {
    const listener = () => setPath(currentPath())
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return path
}

/** A parameter of the query in the address, and a function that changes it without a new entry in the history. */
export function useQuery(name: string): [value: string | null, set: (value: string | null) => void] {
  const path = usePath()
  const query = new URLSearchParams(path.split('?')[1])
  const set = (value: string | null) => {
    if (value === null) query.delete(name)
    else query.set(name, value)
    const text = query.toString()
    navigate(path.split('?')[0] + (text && `?${text}`), { replace: true })
  }
  return [query.get(name), set]
}

/** The values of a pattern such as `/c/:company/users`, or undefined if the path is another. A last `*` matches the rest. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const values: Record<string, string> = {}
  const given = (path.split('?')[0] as string).split('/').filter(Boolean)
  const expected = pattern.split('/').filter(Boolean)
  for (const [index, part] of expected.entries()) {
    if (part === '*') return { ...values, rest: given.slice(index).join('/') }
    const value = given[index]
    if (value === undefined || (!part.startsWith(':') && part !== value)) return undefined
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(value)
  }
  return given.length === expected.length ? values : undefined
}

/** Lets links of the console change the page without loading it again. Everything else is left to the browser: other sites, new tabs, downloads. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return
    event.preventDefault()
    navigate(link.pathname.slice(BASE.length) + link.search)
  })
}

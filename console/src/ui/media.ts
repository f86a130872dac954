import { useEffect, useState } from 'preact/hooks'

/** True while a media query matches, such as `(max-width: 59.99rem)`. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const listener = () => setMatches(list.matches)
    list.addEventListener('change', listener)
    listener()
    return () => list.removeEventListener('change', listener)
  }, [query])
  return matches
}

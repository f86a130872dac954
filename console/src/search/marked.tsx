/** Markdown syntax, which is removed from excerpts. */
export const withoutSigns = (source: string): string => source.replace(/\*+|`+|(^|\s)(#{1,6}|>)(?=\s)/g, '').trim()

/** A text with the searched words marked. Accents and typing errors may keep a match from being marked; it is found all the same. */
export function Marked({ source, query }: { source: string; query: string }) {
  const needle = query.trim().toLowerCase()
  const at = needle ? source.toLowerCase().indexOf(needle) : -1
  // Some letters have another length in lower case, so that the position would be wrong.
  if (at < 0 || source.toLowerCase().length !== source.length) return <>{source}</>
  const end = at + needle.length
  return (
    <>
      {source.slice(0, at)}
      <mark>{source.slice(at, end)}</mark>
      {source.slice(end)}
    </>
  )
}

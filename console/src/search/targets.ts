/** The part of a hit that its page is found by. */
interface Found {
  type: string
  id: string
  /** The path of the resource in the API. */
  path: string
}

/** The path of an API resource below a user, with the ids that it names. */
const idAfter = (path: string, segment: string): string | undefined => new RegExp(`/${segment}/([^/?]+)`).exec(path)?.[1]

/**
 * The path of the console that shows a hit of the search. A note is opened on the page of its book, chapter or campaign, an item on the sheet of its character.
 *
 * @param path the path of the acting user in the console
 */
export function targetOf({ type, id, path: api }: Found, path: string): string {
  if (type === 'user') return `${path}/company/users?user=${id}`
  const campaign = idAfter(api, 'campaigns')
  if (!campaign) return `${path}/notebook?note=${id}`
  const base = `${path}/campaigns/${campaign}`
  const [book, chapter, character] = [idAfter(api, 'books'), idAfter(api, 'chapters'), idAfter(api, 'characters')]
  const note = type === 'note' ? `note=${id}` : ''
  if (character) return `${base}/characters/${character}${type === 'item' ? '?tab=inventory' : note && `?tab=notes&${note}`}`
  const query = note && `?${note}`
  if (chapter) return `${base}/chronicle/books/${book}/chapters/${chapter}${query}`
  if (book) return `${base}/chronicle/books/${book}${query}`
  return type === 'note' ? `${base}/chronicle${query}` : base
}

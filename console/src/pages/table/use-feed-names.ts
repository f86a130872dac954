import { useUserNames } from '../../data/names.ts'
import type { Entry } from './feed/entry.ts'
import type { TableCharacter } from './use-characters.ts'

export interface Names {
  user: (id: string) => string
  /** The name of the character, or of the user if there is none or it is gone. */
  roller: (of: { user_id: string; character_id: string | null }) => string
  character: (id: string) => string | undefined
}

/** The names of everyone in the feed, also of users who have left the campaign. */
export function useFeedNames(characters: readonly TableCharacter[] | undefined, entries: readonly Entry[]): Names {
  const user = useUserNames(entries.flatMap(usersOf))
  const character = (id: string) => characters?.find((each) => each.id === id)?.name
  return { user, character, roller: ({ user_id, character_id }) => (character_id && character(character_id)) || user(user_id) }
}

function usersOf(entry: Entry): string[] {
  if (entry.kind === 'roll') return [entry.roll.user_id]
  if (entry.kind === 'experience') return entry.entries.flatMap(({ user_id, awarded_by }) => [user_id, awarded_by])
  if (entry.kind === 'note') return [entry.note.author_id]
  return 'by' in entry.news && entry.news.by ? [entry.news.by] : []
}

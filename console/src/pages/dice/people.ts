import type { SheetListItem } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { text } from './text.ts'

/** The fields of a roll that identify the roller. */
interface Rolled {
  user_id: string
  character_id: string | null
}

/** The users and characters of a campaign by name. */
export interface People {
  users: readonly (readonly [id: string, name: string])[]
  characters: readonly (readonly [id: string, name: string])[]
  isLoading: boolean
  /** The name to show for a roll: that of its character, or of its user. */
  nameOf: (roll: Rolled) => string
}

const byName = ([, a]: readonly [string, string], [, b]: readonly [string, string]) => a.localeCompare(b)

/** The users and characters that the acting user sees. Unknown names are shown as “Someone”. */
export function usePeople(): People {
  const { user } = useActing()
  const { members, api, campaign } = useCampaign()
  const sheets = useLiveLoad<SheetListItem[]>(
    (signal) => api.characters.list({}, { signal }).all(MAX_CHARACTERS),
    ['character'],
    [campaign.id, user.id],
  )
  const users = new Map([[user.id, user.name], ...members.map(({ user_id, name }) => [user_id, name] as const)])
  const characters = new Map((sheets.data ?? []).map(({ id, name }) => [id, name] as const))
  return {
    users: [...users].sort(byName),
    characters: [...characters].sort(byName),
    isLoading: sheets.isLoading && !sheets.data,
    nameOf: ({ user_id, character_id }) => characters.get(character_id ?? '') ?? users.get(user_id) ?? text.someone,
  }
}

const MAX_CHARACTERS = 500

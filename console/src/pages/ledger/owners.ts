import type { ExperienceBalance, SheetListItem } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import type { Loaded } from '../../data/load.ts'
import { useUserNames } from '../../data/names.ts'
import { text } from './text.ts'

/** Somebody who has a balance, or could have one: a user or a character, whichever owns the experience of the campaign. */
export interface Owner {
  id: string
  name: string
  /** True if the balance is the acting user's own, or of one of their characters. */
  isOwn: boolean
  earned: number
  spent: number
  available: number
}

export interface LedgerData {
  owners: Owner[]
  characters: SheetListItem[]
}

interface Ledger {
  loaded: Loaded<{ balances: ExperienceBalance[]; characters: SheetListItem[] }>
  data: LedgerData | undefined
  characterName: (id: string) => string
}

const MAX_CHARACTERS = 500

/** Reads the balances of everybody, also of those who have none yet, and the characters that entries name. */
export function useLedger(): Ledger {
  const { user } = useActing()
  const { campaign, members, api, path } = useCampaign()
  const loaded = useLiveLoad(
    async (signal) => {
      const [balances, characters] = await Promise.all([
        api.experience.list({}, { signal }).all(),
        api.characters.list({ sort: 'name' }, { signal }).all(MAX_CHARACTERS),
      ])
      return { balances, characters }
    },
    ['experience', 'character', 'member'],
    [path],
  )
  const { balances = [], characters = [] } = loaded.data ?? {}
  const isPerUser = campaign.experience_per === 'USER'
  const names = useUserNames(balances.map(({ user_id }) => user_id))
  const characterName = (id: string) => characters.find((character) => character.id === id)?.name ?? text.formerCharacter
  const without = isPerUser
    ? members.filter(({ role }) => role === 'PLAYER').map(({ user_id }) => ({ id: user_id, user_id }))
    : characters.filter(({ type, status }) => type === 'PLAYER' && status === 'ACTIVE').map(({ id, user_id }) => ({ id, user_id }))
  const known = new Map(balances.map((balance) => [(isPerUser ? balance.user_id : balance.character_id) as string, balance]))
  const nameOf = isPerUser ? names : characterName
  const owners = [...new Map([...without.map(({ id, user_id }) => [id, user_id] as const), ...ownersOf(known)])]
    .map(([id, user_id]): Owner => {
      const { earned = 0, spent = 0, available = 0 } = known.get(id) ?? {}
      return { id, name: nameOf(id), isOwn: user_id === user.id, earned, spent, available }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
  return { loaded, data: loaded.data && { owners, characters }, characterName }
}

const ownersOf = (known: Map<string, ExperienceBalance>) => [...known].map(([id, { user_id }]) => [id, user_id] as const)

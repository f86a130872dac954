import { useContext, useEffect, useMemo } from 'preact/hooks'
import { LiveContext, useActing, useCampaign } from '../../../data/acting.ts'
import { useStore } from '../../../data/store.ts'
import type { TableCharacter } from '../use-characters.ts'
import { compareEntries, type Entry, experienceEntry, joinAwards, noteEntry, rollEntry } from './entry.ts'
import { type FeedState, FeedStore } from './feed-store.ts'

const PAGE_SIZE = 40

export interface UsedFeed extends FeedState {
  store: FeedStore
}

/** The feed of the campaign on the page, including the members who joined and the characters who appeared and died. */
export function useFeed(characters: readonly TableCharacter[] | undefined): UsedFeed {
  const { api } = useActing()
  const { campaign, members, api: campaignApi } = useCampaign()
  const live = useContext(LiveContext)
  const store = useMemo(() => {
    const newest = { limit: PAGE_SIZE, sort: '-date_created' } as const
    return new FeedStore(campaign.id, [
      async (after, signal) => {
        const { items, next_cursor } = await api.diceRolls.list({ ...newest, campaign_id: campaign.id, after }, { signal })
        return { entries: items.map(rollEntry), next: next_cursor }
      },
      async (after, signal) => {
        const { items, next_cursor } = await campaignApi.experienceEntries.list({ ...newest, after }, { signal })
        return { entries: items.map(experienceEntry), next: next_cursor }
      },
      async (after, signal) => {
        const { items, next_cursor } = await campaignApi.notes.list({ ...newest, after }, { signal })
        return { entries: items.map(noteEntry), next: next_cursor }
      },
    ])
  }, [api, campaign.id])
  useEffect(() => {
    const stop = live?.listen((event) => store.apply(event))
    // The cursor in the stream must be known before the lists are read. Otherwise a change between the two would be in neither.
    Promise.resolve(live?.isReady).then(() => store.load())
    return () => {
      stop?.()
      store.stop()
    }
  }, [store, live])
  const state = useStore(store.state)
  const entries = useMemo(() => {
    const first = state.hasEarlier ? (state.entries[0]?.at ?? '') : ''
    const derived = [...members.map(joinedEntry), ...(characters ?? []).flatMap(lifeEntries)].filter(({ at }) => at >= first)
    return joinAwards([...state.entries, ...derived].sort(compareEntries))
  }, [state, members, characters])
  return { ...state, entries, store }
}

const joinedEntry = ({ user_id, name, date_created }: { user_id: string; name: string; date_created: string }): Entry => ({
  kind: 'news',
  key: `joined-${user_id}`,
  at: date_created,
  news: { what: 'joined', userId: user_id, name },
})

/** The entries for the creation and the death of a character. The creation of an NPC is secret until it appears, so only events add an entry for it. */
function lifeEntries({ id, name, type, visibility, date_created, date_died }: TableCharacter): Entry[] {
  const entry = (what: 'created' | 'died', at: string): Entry => ({
    kind: 'news',
    key: `${what}-${id}`,
    at,
    news: { what, characterId: id, name, isSecret: visibility === 'STORYTELLER' },
  })
  return [...(type === 'PLAYER' ? [entry('created', date_created)] : []), ...(date_died ? [entry('died', date_died)] : [])]
}

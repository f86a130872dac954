import type { DiceRollListItem } from '@guildhall/client'
import { useRef, useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveList } from '../../data/live-list.ts'
import type { Loaded } from '../../data/load.ts'
import { useAction } from '../../ui/action.ts'
import { type Filters, isShown, matches, queryOf } from './filters.ts'

const PAGE = 20

/** Sorts newest first, and by id within the same millisecond, as the service does. */
const compare = (a: DiceRollListItem, b: DiceRollListItem) =>
  Date.parse(b.date_created) - Date.parse(a.date_created) || (a.id < b.id ? 1 : -1)

export interface Rolls extends Loaded<DiceRollListItem[]> {
  /** Reads the next page of earlier rolls; undefined if there are none. */
  showEarlier: (() => void) | undefined
  isReading: boolean
}

/** The rolls of the campaign that match the filters, newest first. New ones arrive by themselves, earlier ones page by page. */
export function useRolls(filters: Filters): Rolls {
  const { api, user } = useActing()
  const { campaign } = useCampaign()
  const cursor = useRef<string | null>(null)
  const [, render] = useState({})
  const query = queryOf(filters, campaign.id)
  const read = async (after: string | undefined, signal?: AbortSignal) => {
    const page = await api.diceRolls.list({ ...query, limit: PAGE, after }, signal && { signal })
    return page
  }
  const loaded = useLiveList<DiceRollListItem>(
    {
      load: async (signal) => {
        const { items, next_cursor } = await read(undefined, signal)
        cursor.current = next_cursor
        return items
      },
      type: 'dice_roll',
      accepts: (roll) => matches(roll, filters, campaign.id),
      compare,
    },
    [user.id, campaign.id, JSON.stringify(query)],
  )
  const latest = useRef(loaded)
  latest.current = loaded
  const { run, busy } = useAction(async () => {
    const { items, next_cursor } = await read(cursor.current ?? undefined)
    cursor.current = next_cursor
    const known = latest.current.data ?? []
    const ids = new Set(known.map(({ id }) => id))
    latest.current.set([...known, ...items.filter(({ id }) => !ids.has(id))].sort(compare))
    render({})
  })
  return {
    ...loaded,
    data: loaded.data?.filter((roll) => isShown(roll, filters)),
    showEarlier: loaded.data && cursor.current ? () => void run() : undefined,
    isReading: busy,
  }
}

import type { CampaignOverview, Member } from '@guildhall/client'
import type { RefObject } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { LiveContext, useActing } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'

/** The parts of a campaign that the list does not have. */
export interface CampaignDetails {
  members: Member[]
  membersTotal: number
  /** The time of the latest roll; null if nobody has rolled. */
  lastPlayed: string | null
}

/** Cards load at the same time, but not all at once: the requests of a user are limited. */
const MAX_AT_ONCE = 3
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(task: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve))
  running++
  try {
    return await task()
  } finally {
    running--
    waiting.shift()?.()
  }
}

const detailsOf = ({ members = [], members_total = 0, rolls = [] }: CampaignOverview): CampaignDetails => ({
  members,
  membersTotal: members_total,
  lastPlayed: rolls.reduce<string | null>((last, { date_created }) => (last && last > date_created ? last : date_created), null),
})

const PAUSE_MS = 300

/** True once an element is in view, or nearly. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true), {
      rootMargin: '200px',
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return isSeen
}

/** The members of a campaign, and when it was last played, from when its card is first in view. They follow the events of the campaign. */
export function useCampaignDetails(id: string, card: RefObject<Element | null>): CampaignDetails | undefined {
  const isSeen = useSeen(card)
  const { api } = useActing()
  const live = useContext(LiveContext)
  const { data, reload } = useLoad(
    async (signal) =>
      isSeen
        ? inTurn(async () => {
            signal.throwIfAborted()
            return detailsOf(await api.campaigns.get(id, { include: ['members', 'rolls'] }, { signal }))
          })
        : undefined,
    [api, id, isSeen],
  )
  useEffect(() => {
    if (!isSeen) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live?.listen(({ data: { resource_type, path, resource } }) => {
      if (resource_type !== 'member' && resource_type !== 'dice_roll') return
      if (resource?.campaign_id !== id && !path?.includes(id)) return
      timer ??= setTimeout(() => {
        timer = undefined
        reload()
      }, PAUSE_MS)
    })
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [live, id, isSeen])
  return data
}

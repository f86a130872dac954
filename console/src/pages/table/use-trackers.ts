import type { List, Tracker, TrackerAdjust, TrackerPage } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveList } from '../../data/live-list.ts'
import { type Loaded, noticeEnd } from '../../data/load.ts'
import { tellProblem } from '../../ui/toast.tsx'
import type { TableCharacter } from './use-characters.ts'

export interface Trackers extends Loaded<Tracker[]> {
  mayMove: (tracker: Tracker) => boolean
  /** Moves a tracker. Presses are sent at once and do not wait for one another, so that none is lost. */
  move: (tracker: Tracker, change: { by: number } | { to: number }) => Promise<void>
  /** Shows a tracker as the service answered. */
  replace: (tracker: Tracker) => void
}

interface Operations {
  list: (query: object, options: { signal: AbortSignal }) => List<TrackerPage>
  adjust: (key: string, body: TrackerAdjust) => Promise<Tracker>
}

/** The trackers of a character, or of the campaign. */
export function useTrackers(character?: Pick<TableCharacter, 'id' | 'user_id' | 'traits'>): Trackers {
  const { user } = useActing()
  const { campaign, members, isStoryteller, api } = useCampaign()
  const operations: Operations = character ? api.character(character.id).trackers : api.trackers
  const owner = character?.id ?? null
  // The trackers of a hidden sheet are hidden with it.
  const isHidden = character?.traits === null
  const trackers = useLiveList<Tracker>(
    {
      load: async (signal) => (isHidden ? [] : operations.list({}, { signal }).all()),
      type: 'tracker',
      accepts: ({ campaign_id, character_id }) => campaign_id === campaign.id && character_id === owner,
      compare: (a, b) => (a.id < b.id ? -1 : 1),
    },
    [user.id, campaign.id, owner, isHidden],
  )
  const isMember = members.some(({ user_id }) => user_id === user.id)
  const mayMove = ({ movable_by }: Tracker): boolean =>
    isStoryteller || (movable_by !== 'STORYTELLER' && (character?.user_id === user.id || (movable_by === 'MEMBERS' && isMember)))
  const move = async (tracker: Tracker, change: { by: number } | { to: number }) => {
    try {
      trackers.update(replacing(await operations.adjust(tracker.key, { ...change, clamp: true })))
    } catch (error) {
      noticeEnd(error)
      tellProblem(error)
    }
  }
  return { ...trackers, mayMove, move, replace: (tracker) => trackers.update(replacing(tracker)) }
}

/** Puts the newer one of two versions into the list. Replies and events may overtake one another. */
const replacing = (next: Tracker) => (items: Tracker[]) =>
  items.map((item) => (item.id === next.id && next.version >= item.version ? next : item))

import { useRef } from 'preact/hooks'
import { useActing, useCampaign } from '../../../data/acting.ts'
import { curl } from '../../../data/curl.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Loading } from '../../../ui/page.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { dayTime } from '../../../ui/time.tsx'
import { text } from '../text.ts'
import type { Names } from '../use-feed-names.ts'
import type { Entry } from './entry.ts'
import { EntryView } from './entry-view.tsx'
import type { UsedFeed } from './use-feed.ts'
import { useStick } from './use-stick.ts'

const DAY_MS = 86_400_000

/** The day of a time, for the line between two days. */
function dayOf(at: string): string {
  const day = dayTime(at)
  if (day === dayTime(new Date().toISOString())) return text.feed.today
  return day === dayTime(new Date(Date.now() - DAY_MS).toISOString()) ? text.feed.yesterday : day
}

/** Everything that happens at the table, newest below. */
export function Feed({ feed, names, isPage, isShown }: { feed: UsedFeed; names: Names; isPage: boolean; isShown: boolean }) {
  const { entries, hasEarlier, isLoading, error, store } = feed
  const { path } = useActing()
  const { campaign } = useCampaign()
  const list = useRef<HTMLDivElement>(null)
  const { unseen, toEnd } = useStick(
    list,
    entries.map(({ key }) => key),
    { isPage, isShown },
  )
  // Members who joined are known before the rolls are.
  const isFirst = isLoading && !entries.some(isPlay)
  // What comes after the entries that were there at first has just happened: its dice land.
  const end = useRef<string | undefined>(undefined)
  if (end.current === undefined && !isLoading) end.current = entries.at(-1)?.at ?? ''
  const isNew = ({ at }: Entry) => end.current !== undefined && at > end.current
  return (
    <div class="feed-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list is scrolled with the keyboard. */}
      <div class="feed" ref={list} role="log" aria-label={text.feed.title} aria-busy={isLoading || undefined} tabIndex={0}>
        {hasEarlier && (
          <Button look="quiet" busy={isLoading} onClick={() => store.loadEarlier()}>
            {text.feed.earlier}
          </Button>
        )}
        {error !== undefined && <Problem error={error} onRetry={() => store.load()} />}
        {isFirst && <Loading />}
        {!isLoading && !error && !entries.some(isPlay) && (
          <Empty title={text.feed.empty} call={curl('POST', `${path}/dice-rolls`, { notation: '2d6', campaign_id: campaign.id })}>
            {text.feed.emptyText}
          </Empty>
        )}
        <ol>
          {entries.map((entry, index) => {
            const day = dayOf(entry.at)
            const before = entries[index - 1]
            return (
              <li key={entry.key} class={`entry ${entry.kind}`}>
                {(!before || dayOf(before.at) !== day) && <p class="feed-day">{day}</p>}
                <EntryView entry={entry} names={names} isNew={isNew(entry)} onChanged={(roll) => store.add([roll])} />
              </li>
            )
          })}
        </ol>
      </div>
      {unseen > 0 && (
        <Button class="feed-new" look="primary" icon="down" onClick={toEnd}>
          {text.feed.fresh(unseen)}
        </Button>
      )}
    </div>
  )
}

/** True for rolls, experience and notes, and false for news, such as a member who joined. */
const isPlay = (entry: Entry) => entry.kind !== 'news'

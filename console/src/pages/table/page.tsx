import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import type { Loaded } from '../../data/load.ts'
import { AwardDialog } from '../../play/award-dialog.tsx'
import { useQuery } from '../../router.ts'
import { Tray } from '../../tray/tray.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/marks.tsx'
import { useMedia } from '../../ui/media.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ToastPlace } from '../../ui/toast.tsx'
import { Clocks } from './clocks.tsx'
import type { Entry } from './feed/entry.ts'
import { Feed } from './feed/feed.tsx'
import { useFeed } from './feed/use-feed.ts'
import { GameDate } from './game-date.tsx'
import { Join } from './join.tsx'
import { Levels } from './levels.tsx'
import { Members } from './members.tsx'
import { Party } from './party.tsx'
import { text } from './text.ts'
import { type TableCharacter, useCharacters } from './use-characters.ts'
import { useFeedNames } from './use-feed-names.ts'

type Part = 'feed' | 'party' | 'clocks'

/** One campaign, live: the party, the feed with the dice tray, and the clocks. */
export default function Table() {
  const { user } = useActing()
  const { campaign, members, isStoryteller } = useCampaign()
  const characters = useCharacters()
  const feed = useFeed(characters.data)
  const names = useFeedNames(characters.data, feed.entries)
  const isNarrow = useMedia('(max-width: 59.99rem)')
  const [part, setPart] = useState<Part>('feed')
  const [isAwarding, setAwarding] = useState(false)
  const isMember = members.some(({ user_id }) => user_id === user.id)
  const mayRoll = isMember || user.role === 'ADMIN'
  const hidden = (of: Part) => isNarrow && part !== of

  return (
    <Page
      title={campaign.name}
      above={campaign.status !== 'ACTIVE' && <Badge>{text.status[campaign.status]}</Badge>}
      isWide
      actions={
        <>
          <Levels />
          {isStoryteller && (
            <Button icon="ledger" onClick={() => setAwarding(true)}>
              {text.award}
            </Button>
          )}
        </>
      }
    >
      <Parts isNarrow={isNarrow} part={part} onPart={setPart}>
        <div class="table-party" hidden={hidden('party')}>
          <Party characters={characters} />
        </div>
        <div class="table-middle" hidden={hidden('feed')}>
          <Feed feed={feed} names={names} isPage={isNarrow} isShown={!hidden('feed')} />
          {mayRoll ? (
            <div class="table-foot">
              {!hidden('feed') && <ToastPlace />}
              <TableTray characters={characters} firstMode={lastMode(feed.entries)} onRolled={(rolls) => feed.store.add(rolls)} />
            </div>
          ) : (
            <Join />
          )}
        </div>
        <div class="table-side" hidden={hidden('clocks')}>
          <Clocks characters={characters.data} />
          <GameDate />
          <Members />
        </div>
      </Parts>
      {isAwarding && <AwardDialog onClose={() => setAwarding(false)} />}
    </Page>
  )
}

interface PartsProps {
  isNarrow: boolean
  part: Part
  onPart: (part: Part) => void
  children: ComponentChildren
}

/** The three parts: side by side, or as tabs on a small screen. All of them stay in place, so that nothing typed is lost. */
function Parts({ isNarrow, part, onPart, children }: PartsProps) {
  const element = useRef<HTMLDivElement>(null)
  // A part begins at its top, below the tabs, wherever the part before it was scrolled to. The feed goes to its end by itself.
  useLayoutEffect(() => {
    if (isNarrow && part !== 'feed' && element.current) scrollUpTo(element.current)
  }, [part])
  return (
    <div class={isNarrow ? 'table narrow' : 'table'} ref={element}>
      <Tabs
        isOff={!isNarrow}
        label={text.tabs.label}
        tabs={[
          ['feed', text.tabs.feed],
          ['party', text.tabs.party],
          ['clocks', text.tabs.clocks],
        ]}
        value={part}
        onChange={onPart}
      >
        {children}
      </Tabs>
    </div>
  )
}

/** Scrolls the page up until an element begins below the bar at the top, if its beginning is above it. */
function scrollUpTo(element: HTMLElement): void {
  const hiddenPx = element.getBoundingClientRect().top - (document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0)
  if (hiddenPx < 0) scrollBy({ top: hiddenPx, behavior: 'instant' })
}

/** Returns the mode of the last roll at the table, from which most people go on. */
function lastMode(entries: readonly Entry[]) {
  const last = entries.flatMap((entry) => (entry.kind === 'roll' ? [entry.roll] : [])).at(-1)
  return last && (last.pool ? 'pool' : 'notation')
}

/** The dice tray with the characters that the user may roll for. A sheet may send traits along: `?traits=wits,stealth&character=…`. */
function TableTray({
  characters: loaded,
  firstMode,
  onRolled,
}: { characters: Loaded<TableCharacter[]> } & Pick<Parameters<typeof Tray>[0], 'firstMode' | 'onRolled'>) {
  const { user } = useActing()
  const { campaign, isStoryteller } = useCampaign()
  const [character] = useQuery('character')
  const [traits] = useQuery('traits')
  const { data: characters = [], isLoading } = loaded
  const own = characters.filter(({ user_id, status }) => user_id === user.id && status === 'ACTIVE')
  const others = isStoryteller ? characters.filter((each) => !own.includes(each) && each.status === 'ACTIVE') : []
  return (
    <Tray
      campaign={campaign.levels_display === 'SHOWN' ? campaign : { id: campaign.id, desperation: 0 }}
      isStoryteller={isStoryteller}
      characters={[...own, ...others]}
      isWaiting={!loaded.data && isLoading}
      characterId={character ?? (own.length === 1 ? own[0]?.id : undefined)}
      traits={traits?.split(',').filter(Boolean)}
      firstMode={firstMode}
      {...(onRolled && { onRolled })}
    />
  )
}

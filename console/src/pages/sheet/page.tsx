import { ApiError } from '@guildhall/client'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf, useQuery } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Initials } from '../../ui/marks.tsx'
import { useMedia } from '../../ui/media.ts'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { panelOf, TabRow } from '../../ui/tabs.tsx'
import { Biography, Details } from './about.tsx'
import { Experience } from './experience.tsx'
import { Actions, Summary } from './head.tsx'
import { History } from './history.tsx'
import { Inventory } from './inventory.tsx'
import { Notes } from './notes.tsx'
import { rightsOf, type SheetScope } from './rights.ts'
import { RuledTraits } from './ruled/sheet.tsx'
import { StatisticsTab } from './statistics.tsx'
import { text } from './text.ts'
import { Trackers } from './trackers.tsx'
import { Traits } from './traits.tsx'

/** Formulas of a ruleset read all of these. */
const RULED_TYPES = ['character', 'tracker', 'experience', 'campaign']

/** The sheet of a character. */
export default function Sheet({ params }: PageProps) {
  const acting = useActing()
  const scope = useCampaign()
  const id = params.character as string
  const isRuled = scope.campaign.ruleset_version_id !== null
  const loaded = useLiveLoad(
    (signal) => scope.api.characters.get(id, { include: isRuled ? ['player', 'sheet'] : ['player'] }, { signal }),
    isRuled ? RULED_TYPES : ['character'],
    // Another version is an event of the campaign: what is open on the page stays open.
    [scope.path, id, isRuled],
  )
  if (ApiError.is(loaded.error) && loaded.error.status === 404 && !loaded.data) return <Gone path={`${scope.path}/characters`} />
  const sheet = loaded.data && {
    character: loaded.data,
    api: scope.api.character(id),
    path: `${scope.path}/characters/${id}`,
    rights: rightsOf(acting, scope, loaded.data),
  }
  return (
    <Page
      title={loaded.data?.name ?? text.all}
      above={<a href={hrefOf(`${scope.path}/characters`)}>{text.all}</a>}
      actions={sheet?.rights.mayEdit && <Actions key={id} sheet={sheet} onChanged={loaded.reload} />}
      mark={loaded.data && <Initials name={loaded.data.name} isLarge />}
      below={sheet && <Summary sheet={sheet} />}
      isWide
    >
      <Show of={loaded}>{() => sheet && <Parts key={id} sheet={sheet} onChanged={loaded.reload} />}</Show>
    </Page>
  )
}

function Gone({ path }: { path: string }) {
  return (
    <Page title={text.gone.title}>
      <Empty title={text.gone.text} action={<ButtonLink href={hrefOf(path)}>{text.gone.action}</ButtonLink>} />
    </Page>
  )
}

type Tab = keyof typeof text.tabs

/** A hidden sheet has notes and a history only. NPCs have no experience. */
function tabsOf({ rights, character }: SheetScope): [first: Tab, ...others: Tab[]] {
  if (!rights.seesSheet) return ['about', 'notes', 'history']
  const experience: Tab[] = character.type === 'PLAYER' ? ['experience'] : []
  return ['traits', 'trackers', 'inventory', 'notes', ...experience, 'statistics', 'history']
}

interface PartsProps {
  sheet: SheetScope
  onChanged: () => Promise<void>
}

/**
 * The traits, and one of the other parts. On wide screens they are side by side, on small ones the traits are the first tab. When the width changes, only
 * the row of tabs is drawn in another place: both parts stay as they are, with what is typed in them.
 */
function Parts({ sheet, onChanged }: PartsProps) {
  const isWide = useMedia('(min-width: 1400px)')
  const [wanted, setTab] = useQuery('tab')
  const isRuled = useCampaign().campaign.ruleset_version_id !== null
  const id = useId()
  const [first, ...others] = tabsOf(sheet)
  const tabs = isWide ? others : [first, ...others]
  // The part beside the traits that was shown last stays behind them.
  const last = useRef<Tab>(undefined)
  const tab = tabs.find((each) => each === wanted) ?? tabs.find((each) => isWide && each === last.current) ?? (tabs[0] as Tab)
  if (tab !== first) last.current = tab
  const other = others.find((each) => each === last.current)
  const firstPart = useRef<HTMLDivElement>(null)
  const otherPart = useRef<HTMLDivElement>(null)
  // A small screen shows the part that the person is in. A dialog has the focus, and is in the part that opened it.
  useLayoutEffect(() => {
    if (isWide) return
    if (firstPart.current?.contains(document.activeElement)) setTab(first)
    else if (other && otherPart.current?.contains(document.activeElement)) setTab(other)
  }, [isWide])
  const labelOfTab = (each: Tab) => (each === 'traits' && isRuled ? text.ruled.title : text.tabs[each])
  const words = tabs.map((each) => [each, labelOfTab(each)] as const)
  // With a key for each place, the row is drawn again, and the parts around it are not moved: a dialog closes when it is moved.
  const row = <TabRow key={isWide ? 'beside' : 'above'} id={id} label={text.tabsLabel} tabs={words} value={tab} onChange={setTab} />
  const isFirst = tab === first
  return (
    <div class="sheet">
      {!isWide && row}
      <div class="sheet-first" ref={firstPart} hidden={!isWide && !isFirst} {...(isFirst && panelOf(id, tab))}>
        {isRuled ? <RuledTraits sheet={sheet} onChanged={onChanged} /> : <Traits sheet={sheet} onChanged={onChanged} />}
        <Details sheet={sheet} onChanged={onChanged} />
        <Biography sheet={sheet} onChanged={onChanged} />
      </div>
      {isWide && row}
      <div class="tab-panel" ref={otherPart} hidden={isFirst} {...(!isFirst && panelOf(id, tab))}>
        {other === 'trackers' && <Trackers sheet={sheet} />}
        {other === 'inventory' && <Inventory sheet={sheet} />}
        {other === 'notes' && <Notes sheet={sheet} />}
        {other === 'experience' && <Experience sheet={sheet} />}
        {other === 'statistics' && <StatisticsTab sheet={sheet} />}
        {other === 'history' && <History sheet={sheet} onChanged={onChanged} />}
      </div>
    </div>
  )
}

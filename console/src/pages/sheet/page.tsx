import { ApiError } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf, useQuery } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Initials } from '../../ui/marks.tsx'
import { useMedia } from '../../ui/media.ts'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
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
function tabsOf({ rights, character }: SheetScope, isWide: boolean): Tab[] {
  if (!rights.seesSheet) return isWide ? ['notes', 'history'] : ['about', 'notes', 'history']
  const first: Tab[] = isWide ? [] : ['traits']
  const experience: Tab[] = character.type === 'PLAYER' ? ['experience'] : []
  return [...first, 'trackers', 'inventory', 'notes', ...experience, 'statistics', 'history']
}

interface PartsProps {
  sheet: SheetScope
  onChanged: () => Promise<void>
}

/** Wide screens have the traits next to the other parts. On small ones they are the first tab. */
function Parts({ sheet, onChanged }: PartsProps) {
  const isWide = useMedia('(min-width: 1400px)')
  const [wanted, setTab] = useQuery('tab')
  const isRuled = useCampaign().campaign.ruleset_version_id !== null
  const tabs = tabsOf(sheet, isWide)
  const labelOfTab = (each: Tab) => (each === 'traits' && isRuled ? text.ruled.title : text.tabs[each])
  const tab = tabs.find((each) => each === wanted) ?? (tabs[0] as Tab)
  const first = (
    <div class="sheet-first">
      {isRuled ? <RuledTraits sheet={sheet} onChanged={onChanged} /> : <Traits sheet={sheet} onChanged={onChanged} />}
      <Details sheet={sheet} onChanged={onChanged} />
      <Biography sheet={sheet} onChanged={onChanged} />
    </div>
  )
  return (
    <div class="sheet">
      {isWide && first}
      <div class="sheet-tabs">
        <Tabs label={text.tabsLabel} tabs={tabs.map((each) => [each, labelOfTab(each)] as const)} value={tab} onChange={setTab}>
          {(tab === 'traits' || tab === 'about') && first}
          {tab === 'trackers' && <Trackers sheet={sheet} />}
          {tab === 'inventory' && <Inventory sheet={sheet} />}
          {tab === 'notes' && <Notes sheet={sheet} />}
          {tab === 'experience' && <Experience sheet={sheet} />}
          {tab === 'statistics' && <StatisticsTab sheet={sheet} />}
          {tab === 'history' && <History sheet={sheet} />}
        </Tabs>
      </div>
    </div>
  )
}

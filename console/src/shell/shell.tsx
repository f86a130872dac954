import type { Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { ActingContext, CampaignContext, LiveContext } from '../data/acting.ts'
import { signOut } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { hrefOf, usePath } from '../router.ts'
import { SearchButton } from '../search/search-button.tsx'
import { text } from '../text.ts'
import { type Theme, theme } from '../theme.ts'
import { useAction } from '../ui/action.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Companies, CompanySwitch } from './company-switch.tsx'
import { type NavItem, navItems } from './nav.ts'

/** The frame around all pages: the bar at the top, and the navigation at the side, or at the thumb on a small screen. */
export function Shell({ me, children }: { me: Me; children: ComponentChildren }) {
  const items = navItems(me, useContext(ActingContext), useContext(CampaignContext))
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {text.skip}
      </a>
      <TopBar me={me} />
      <Offline />
      <Rail items={items} />
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function TopBar({ me }: { me: Me }) {
  const acting = useContext(ActingContext)
  const campaign = useContext(CampaignContext)?.campaign
  const live = useContext(LiveContext)
  const [isSwitching, setSwitching] = useState(false)
  return (
    <>
      <header class="top-bar">
        <Mark class="narrow-only" />
        {!acting && (
          <a class="company-name" href={hrefOf('/')}>
            {text.brand}
          </a>
        )}
        {acting && (
          <a class="company-name" href={hrefOf(acting.path)}>
            <span class={campaign && 'wide-only'}>{acting.company.name}</span>
            {campaign && <span class="narrow-only">{campaign.name}</span>}
          </a>
        )}
        {acting && me.developer && <CompanySwitch company={acting.company} onOpen={() => setSwitching(true)} />}
        {live && <LiveMark live={live} />}
        <div class="top-right">
          {acting && (
            <a class={me.user ? 'acting self' : 'acting'} href={hrefOf(me.user ? acting.path : `/c/${acting.company.id}`)}>
              {!me.user && <Icon name="eye" />}
              {!me.user && <span class="acting-prefix">{text.actingAs} </span>}
              <b>{acting.user.name}</b>
            </a>
          )}
          {acting && <SearchButton />}
          <ThemeSwitch />
          <SignOut />
        </div>
      </header>
      {/* A dialog has a header of its own, which must not be inside of another. */}
      {isSwitching && acting && <Companies company={acting.company} onClose={() => setSwitching(false)} />}
    </>
  )
}

interface LiveProps {
  live: { state: Parameters<typeof useStore>[0] }
}

function LiveMark({ live }: LiveProps) {
  const state = useStore(live.state) as keyof typeof text.live
  return (
    <span class={`live ${state}`} role="status">
      {text.live[state]}
    </span>
  )
}

/** Says that nothing new arrives, until the connection is back. */
function Offline() {
  const live = useContext(LiveContext)
  return live ? <OfflineNotice live={live} /> : null
}

/** The service closes a stream from time to time, and another one is there at once. */
const SHORT_LOSS_MS = 2000

function OfflineNotice({ live }: LiveProps) {
  const isLost = useStore(live.state) === 'lost'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isLost) return setShown(false)
    const timer = setTimeout(() => setShown(true), navigator.onLine ? SHORT_LOSS_MS : 0)
    return () => clearTimeout(timer)
  }, [isLost])
  return (
    <p class="offline" role="status" hidden={!isShown}>
      {isShown && text.lost}
    </p>
  )
}

const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' }
const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const

function ThemeSwitch() {
  const value = useStore(theme)
  return <IconButton label={`${text.theme.label}: ${text.theme[value]}`} icon={THEME_ICONS[value]} onClick={() => theme.set(NEXT[value])} />
}

/** On a small screen, the page of the account has it. */
function SignOut() {
  const { run, busy } = useAction(signOut)
  return <IconButton class="wide-only" label={text.signOut} icon="out" busy={busy} onClick={() => run()} />
}

function isCurrent(path: string, item: NavItem): boolean {
  const plain = path.split('?')[0]
  return plain === item.path || (!item.isExact && plain?.startsWith(`${item.path}/`) === true)
}

function NavLink({ item }: { item: NavItem }) {
  const path = usePath()
  return (
    <a href={hrefOf(item.path)} aria-current={isCurrent(path, item) ? 'page' : undefined}>
      <Icon name={item.icon} />
      <span>{item.label}</span>
    </a>
  )
}

const MAX_ITEMS = 5

/** The first pages, and the others behind “More”. */
function Rail({ items }: { items: NavItem[] }) {
  const path = usePath()
  const [isOpen, setOpen] = useState(false)
  const first = items.length > MAX_ITEMS ? items.slice(0, MAX_ITEMS - 1) : items
  const rest = items.slice(first.length)
  return (
    <nav class="rail" aria-label={text.nav.label}>
      <Mark class="wide-only" />
      {first.map((item) => (
        <NavLink key={item.path} item={item} />
      ))}
      {rest.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-current={rest.some((item) => isCurrent(path, item)) || undefined}
          onClick={() => setOpen(true)}
        >
          <Icon name="more" />
          <span>{text.nav.more}</span>
        </button>
      )}
      {isOpen && (
        <Dialog title={text.nav.more} onClose={() => setOpen(false)}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a press on any of the links closes the dialog. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are pressed with the keyboard, too. */}
          <div class="dialog-body more-nav" onClick={() => setOpen(false)}>
            {rest.map((item) => (
              <NavLink key={item.path} item={item} />
            ))}
          </div>
        </Dialog>
      )}
    </nav>
  )
}

import type { Me } from '@guildhall/client'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { match, navigate, usePath } from './router.ts'
import { ActingScope } from './shell/acting-scope.tsx'
import { CampaignFrame } from './shell/campaign-frame.tsx'
import { Shell } from './shell/shell.tsx'
import { text } from './text.ts'
import { Button, ButtonLink } from './ui/button.tsx'
import { Empty, Loading, Page } from './ui/page.tsx'

export interface PageProps {
  me: Me
  params: Record<string, string>
}

interface Route {
  pattern: string
  /** The class of everything on the page is `page-of-<name>`, so that its style sheet does not reach other pages. */
  name: string
  /** The parts around the page: a company and its acting user, and a campaign. */
  inside?: 'company' | 'campaign'
  /** Pages are loaded when they are opened. */
  load: () => Promise<{ default: ComponentType<PageProps> }>
}

const COMPANY = '/c/:company/as/:user'
const CAMPAIGN = `${COMPANY}/campaigns/:campaign`

const ROUTES: readonly Route[] = [
  { pattern: '/', name: 'companies', load: () => import('./pages/companies/page.tsx') },
  { pattern: '/setup', name: 'setup', load: () => import('./setup/page.tsx') },
  { pattern: '/c/:company', name: 'companies', load: () => import('./pages/companies/choose-user.tsx') },
  { pattern: COMPANY, inside: 'company', name: 'campaigns', load: () => import('./pages/campaigns/page.tsx') },
  { pattern: `${COMPANY}/company/*`, inside: 'company', name: 'company', load: () => import('./pages/company/page.tsx') },
  { pattern: '/operators/*', name: 'operators', load: () => import('./pages/operators/page.tsx') },
  { pattern: '/account', name: 'account', load: () => import('./pages/account/page.tsx') },
  { pattern: CAMPAIGN, inside: 'campaign', name: 'table', load: () => import('./pages/table/page.tsx') },
  { pattern: `${CAMPAIGN}/characters`, inside: 'campaign', name: 'sheets', load: () => import('./pages/sheets/page.tsx') },
  { pattern: `${CAMPAIGN}/characters/generate`, inside: 'campaign', name: 'creation', load: () => import('./pages/creation/generate.tsx') },
  {
    pattern: `${CAMPAIGN}/characters/creations/:creation`,
    inside: 'campaign',
    name: 'creation',
    load: () => import('./pages/creation/page.tsx'),
  },
  { pattern: `${CAMPAIGN}/characters/:character`, inside: 'campaign', name: 'sheet', load: () => import('./pages/sheet/page.tsx') },
  { pattern: `${CAMPAIGN}/dice`, inside: 'campaign', name: 'dice', load: () => import('./pages/dice/page.tsx') },
  { pattern: `${CAMPAIGN}/dice/verify`, inside: 'campaign', name: 'verify', load: () => import('./pages/verify/page.tsx') },
  { pattern: `${CAMPAIGN}/dice/verify/:roll`, inside: 'campaign', name: 'verify', load: () => import('./pages/verify/page.tsx') },
  { pattern: `${CAMPAIGN}/statistics`, inside: 'campaign', name: 'statistics', load: () => import('./pages/statistics/page.tsx') },
  { pattern: `${COMPANY}/notebook`, inside: 'company', name: 'notebook', load: () => import('./pages/notebook/page.tsx') },
  { pattern: `${CAMPAIGN}/chronicle`, inside: 'campaign', name: 'chronicle', load: () => import('./pages/chronicle/page.tsx') },
  { pattern: `${CAMPAIGN}/chronicle/books/:book`, inside: 'campaign', name: 'chronicle', load: () => import('./pages/chronicle/book.tsx') },
  {
    pattern: `${CAMPAIGN}/chronicle/books/:book/chapters/:chapter`,
    inside: 'campaign',
    name: 'chronicle',
    load: () => import('./pages/chronicle/chapter.tsx'),
  },
  { pattern: `${CAMPAIGN}/rules`, inside: 'campaign', name: 'rules', load: () => import('./pages/rules/page.tsx') },
  { pattern: `${CAMPAIGN}/ledger`, inside: 'campaign', name: 'ledger', load: () => import('./pages/ledger/page.tsx') },
]

/** The page of the present path. */
export function Routes({ me }: { me: Me }) {
  const path = usePath()
  const own = ownPath(me, path)
  useEffect(() => {
    if (own !== path) navigate(own, { replace: true })
  }, [own, path])
  if (own !== path) return <Loading />
  for (const route of ROUTES) {
    const params = match(route.pattern, path)
    if (params) return <RoutedPage route={route} me={me} params={params} />
  }
  return (
    <Shell me={me}>
      <NotFound />
    </Shell>
  )
}

/** Replaces the company and the user of a path with the player's own, so that a link from a storyteller opens the same page as the player sees it. */
function ownPath({ user, company }: Me, path: string): string {
  if (!user || !company) return path
  const own = `/c/${company.id}/as/${user.id}`
  if (path === '/' || path.startsWith('/?')) return own
  return path.replace(/^\/c\/[^/?]+(\/as\/[^/?]+)?/, own)
}

/** A page in its frame. Frames stay while their company, user and campaign do, so that one event stream serves all pages; only the page itself is replaced. */
function RoutedPage({ route, me, params }: { route: Route } & PageProps) {
  const page = (
    <div class={`page-of page-of-${route.name}`}>
      <LazyPage key={route.pattern} load={route.load} me={me} params={params} />
    </div>
  )
  if (!route.inside) return <Shell me={me}>{page}</Shell>
  return (
    <ActingScope key={`${params.company}/${params.user}`} me={me} companyId={params.company as string} userId={params.user as string}>
      {route.inside === 'campaign' ? (
        <CampaignFrame key={params.campaign} campaignId={params.campaign as string} me={me}>
          {page}
        </CampaignFrame>
      ) : (
        <Shell me={me}>{page}</Shell>
      )}
    </ActingScope>
  )
}

type PageState = ComponentType<PageProps> | 'failed' | undefined

function LazyPage({ load, ...props }: { load: Route['load'] } & PageProps) {
  const [Loaded, setLoaded] = useState<PageState>()
  useEffect(() => {
    let isCurrent = true
    load().then(
      (module) => isCurrent && setLoaded(() => module.default),
      // The usual cause is an upgrade of the service, which removes the scripts of the previous version.
      () => isCurrent && setLoaded('failed'),
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  if (!Loaded) return <Loading />
  if (Loaded !== 'failed') return <Loaded {...props} />
  return (
    <Page title={text.newVersion.title}>
      <Empty
        title={text.newVersion.text}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {text.newVersion.action}
          </Button>
        }
      />
    </Page>
  )
}

function NotFound() {
  return (
    <Page title={text.notFound.title}>
      <Empty
        title={text.notFound.text}
        action={
          <ButtonLink href="/console/" look="primary">
            {text.notFound.action}
          </ButtonLink>
        }
      />
    </Page>
  )
}

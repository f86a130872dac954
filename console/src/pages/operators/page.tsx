import { hrefOf, navigate } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Companies } from './companies.tsx'
import { DeveloperDetails } from './developer.tsx'
import { Developers } from './developers.tsx'
import { Service } from './service.tsx'
import { text } from './text.ts'

type Tab = keyof typeof text.tabs
const TABS = Object.entries(text.tabs) as [Tab, string][]

/** The page of those who run the service: its developers and their keys, all companies, and how the service is. */
export default function Operators({ me, params }: PageProps) {
  if (!me.developer?.is_global_admin)
    return (
      <Page title={text.title}>
        <Empty
          title={text.notAllowed}
          action={
            <ButtonLink href={hrefOf('/account')} look="primary">
              {text.toAccount}
            </ButtonLink>
          }
        >
          {text.notAllowedText}
        </Empty>
      </Page>
    )
  const [part, id] = (params.rest ?? '').split('/')
  if (part === 'developers' && id) return <DeveloperDetails key={id} id={id} me={me} />
  const tab = TABS.find(([each]) => each === part)?.[0] ?? 'developers'
  return (
    <Page title={text.title} above={text.above}>
      <Tabs label={text.title} tabs={TABS} value={tab} onChange={(next) => navigate(`/operators/${next}`)}>
        {tab === 'developers' && <Developers me={me} />}
        {tab === 'companies' && <Companies />}
        {tab === 'service' && <Service me={me} />}
      </Tabs>
    </Page>
  )
}

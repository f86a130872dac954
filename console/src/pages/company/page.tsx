import type { Permission } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { gh } from '../../data/client.ts'
import { useLoad } from '../../data/load.ts'
import { navigate } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { text as shared } from '../../text.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Archived } from './archived.tsx'
import { AuditLog } from './audit.tsx'
import { Grants } from './grants.tsx'
import { type Rights, RightsContext, rightsOf } from './rights.ts'
import { RulesetDetails } from './rulesets/details.tsx'
import { Rulesets } from './rulesets/list.tsx'
import { VersionPage } from './rulesets/version.tsx'
import { Settings } from './settings.tsx'
import { text } from './text.ts'
import { UserDetails } from './user.tsx'
import { Users } from './users.tsx'
import { WebhookDetails } from './webhooks/details.tsx'
import { Webhooks } from './webhooks/list.tsx'

type Tab = keyof typeof text.tabs
const TABS = Object.entries(text.tabs) as [Tab, string][]
/** The tabs that only administrators see. */
const ADMINISTRATIVE: readonly Tab[] = ['developers', 'webhooks', 'changes']

/** The administration of a company: its users, developers, webhooks, rulesets, settings, archived resources and log of changes. */
export default function Company({ me, params }: PageProps) {
  const { company, user } = useActing()
  const [wantsOwn, setWantsOwn] = useState(false)
  const permission = useLoad<Permission>(
    async (signal) => {
      if (!me.developer) return 'USER'
      if (me.developer.is_global_admin) return 'OWNER'
      const { companies } = await gh.account.get({ signal })
      return companies.find(({ company_id }) => company_id === company.id)?.permission ?? 'USER'
    },
    [company.id],
  )
  return (
    <Show of={permission}>
      {(held) => {
        const rights = rightsOf(me, held, user, wantsOwn)
        return (
          <RightsContext.Provider value={rights}>
            <CompanyTabs rest={params.rest ?? ''} rights={rights} onOwn={setWantsOwn} />
          </RightsContext.Provider>
        )
      }}
    </Show>
  )
}

function CompanyTabs({ rest, rights, onOwn }: { rest: string; rights: Rights; onOwn: (isOwn: boolean) => void }) {
  const { company, path, me } = useActing()
  const [part, below, inner] = rest.split('/')
  const tabs = TABS.filter(([tab]) => me.developer || rights.administers || !ADMINISTRATIVE.includes(tab))
  const tab = tabs.find(([each]) => each === part)?.[0] ?? 'users'
  // The id in the path of a tab that is not shown is not one of a user.
  const id = part === tab ? below : undefined
  const own = <OwnPermission rights={rights} onOwn={onOwn} />
  if (tab === 'users' && id) return <UserDetails key={id} id={id} notice={own} />
  if (tab === 'webhooks' && id && rights.administers) return <WebhookDetails key={id} id={id} notice={own} />
  if (tab === 'rulesets' && id)
    return inner ? <VersionPage key={inner} rulesetId={id} id={inner} notice={own} /> : <RulesetDetails key={id} id={id} notice={own} />
  return (
    <Page title={text.title} above={company.name}>
      {own}
      <Tabs label={text.title} tabs={tabs} value={tab} onChange={(next) => navigate(`${path}/company/${next}`)}>
        {ADMINISTRATIVE.includes(tab) && !rights.administers ? <NotAllowed rights={rights} onOwn={onOwn} /> : <Part tab={tab} />}
      </Tabs>
    </Page>
  )
}

function Part({ tab }: { tab: Tab }) {
  if (tab === 'developers') return <Grants />
  if (tab === 'webhooks') return <Webhooks />
  if (tab === 'rulesets') return <Rulesets />
  if (tab === 'settings') return <Settings />
  if (tab === 'archived') return <Archived />
  if (tab === 'changes') return <AuditLog />
  return <Users />
}

/** Says on whose behalf a developer works, and lets them use their own permission where the acting user's role is too low. */
function OwnPermission({ rights, onOwn }: { rights: Rights; onOwn: (isOwn: boolean) => void }) {
  const { user } = useActing()
  if (!rights.couldUseOwn) return null
  const permission = shared.permissions[rights.permission]
  return (
    <div class={rights.isOwn ? 'notice strong' : 'notice'} role="status">
      <p>{rights.isOwn ? text.own.active(permission) : text.own.offer(user.name, shared.roles[user.role], permission)}</p>
      <Button onClick={() => onOwn(!rights.isOwn)}>{rights.isOwn ? text.own.stop(user.name) : text.own.use}</Button>
    </div>
  )
}

function NotAllowed({ rights, onOwn }: { rights: Rights; onOwn: (isOwn: boolean) => void }) {
  const { user } = useActing()
  if (rights.permission === 'USER') return <Empty title={text.own.needsPermission}>{text.own.needsPermissionText}</Empty>
  return (
    <Empty
      title={text.own.needsRole(user.name)}
      action={
        <Button look="primary" onClick={() => onOwn(true)}>
          {text.own.use}
        </Button>
      }
    >
      {text.own.needsRoleText(shared.permissions[rights.permission])}
    </Empty>
  )
}

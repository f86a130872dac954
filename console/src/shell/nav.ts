import type { Me } from '@guildhall/client'
import type { Acting, CampaignScope } from '../data/acting.ts'
import { text } from '../text.ts'
import type { IconName } from '../ui/icon.tsx'

export interface NavItem {
  path: string
  label: string
  icon: IconName
  /** The item is current on its own path only, and not on those below it. */
  isExact?: boolean
}

/** The items of the navigation. The first four are shown at once, the rest behind “More”. */
export function navItems(me: Me, acting: Acting | undefined, scope: CampaignScope | undefined): NavItem[] {
  const { nav } = text
  return [
    ...(scope ? campaignItems(scope) : []),
    ...(acting ? [{ path: acting.path, label: nav.campaigns, icon: 'people', isExact: true } as const] : []),
    ...(acting ? [{ path: `${acting.path}/notebook`, label: nav.notebook, icon: 'edit', isExact: true } as const] : []),
    ...(!acting && me.company && me.user
      ? [{ path: `/c/${me.company.id}/as/${me.user.id}`, label: nav.campaigns, icon: 'people' } as const]
      : []),
    ...(acting ? [{ path: `${acting.path}/company`, label: nav.company, icon: 'company' } as const] : []),
    ...(me.developer ? [{ path: '/', label: nav.companies, icon: 'companies', isExact: true } as const] : []),
    ...(me.developer?.is_global_admin ? [{ path: '/operators', label: nav.operators, icon: 'key' } as const] : []),
    { path: '/account', label: nav.account, icon: 'user' },
  ]
}

function campaignItems({ path, campaign, isStoryteller }: CampaignScope): NavItem[] {
  const { nav } = text
  return [
    { path, label: nav.table, icon: 'table', isExact: true },
    { path: `${path}/characters`, label: nav.sheets, icon: 'sheet' },
    { path: `${path}/dice`, label: nav.dice, icon: 'dice' },
    { path: `${path}/chronicle`, label: nav.chronicle, icon: 'book' },
    { path: `${path}/statistics`, label: nav.statistics, icon: 'chart' },
    { path: `${path}/ledger`, label: nav.ledger, icon: 'ledger' },
    ...(isStoryteller || campaign.ruleset_version_id ? [{ path: `${path}/rules`, label: nav.rules, icon: 'rules' } as const] : []),
  ]
}

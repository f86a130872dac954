import type { Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { CampaignContext, type CampaignScope, useActing } from '../data/acting.ts'
import { useEvents } from '../data/live-list.ts'
import { useLoad } from '../data/load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text.ts'
import { Unavailable } from '../ui/unavailable.tsx'
import { Shell } from './shell.tsx'

/** Loads the campaign of the page with its members, again whenever one of them changes. */
export function CampaignFrame({ campaignId, me, children }: { campaignId: string; me: Me; children: ComponentChildren }) {
  const acting = useActing()
  const loaded = useLoad(
    async (signal) => {
      const campaign = await acting.api.campaigns.get(campaignId, { include: ['members'] }, { signal })
      const { members = [], members_total = 0 } = campaign
      if (members_total <= members.length) return { campaign, members }
      return { campaign, members: await acting.api.campaign(campaignId).members.list({}, { signal }).all() }
    },
    [acting.api, campaignId],
  )
  useEvents(['campaign', 'member'], loaded.reload)
  const scope: CampaignScope | undefined = loaded.data && {
    ...loaded.data,
    api: acting.api.campaign(campaignId),
    isStoryteller: isStoryteller(acting, loaded.data),
    path: `${acting.path}/campaigns/${campaignId}`,
    reload: loaded.reload,
  }
  return (
    <CampaignContext.Provider value={scope}>
      <Shell me={me}>{scope ? children : <Unavailable of={loaded} words={text.noCampaign} href={hrefOf(acting.path)} />}</Shell>
    </CampaignContext.Provider>
  )
}

/** The service decides what a user may do. This only decides which controls are shown. */
function isStoryteller(
  { user }: { user: { id: string; role: string } },
  { campaign, members }: Pick<CampaignScope, 'campaign' | 'members'>,
): boolean {
  if (user.role === 'ADMIN') return true
  // A user with the role PLAYER may own a campaign, but is no storyteller in it.
  if (user.role === 'PLAYER') return false
  return campaign.user_id === user.id || members.some((member) => member.user_id === user.id && member.role === 'STORYTELLER')
}

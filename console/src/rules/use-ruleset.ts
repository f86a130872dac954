import type { CampaignRuleset } from '@guildhall/client'
import { useActing, useCampaign } from '../data/acting.ts'
import { type Loaded, useLoad } from '../data/load.ts'
import type { SheetDocument } from './document.ts'

/** The version of a ruleset that a campaign is played by, with its document. */
export interface PlayedRuleset {
  version: CampaignRuleset['version']
  document: SheetDocument
}

/** More versions than this are rarely shown in one session. */
const MAX_CACHED = 5
const cached = new Map<string, PlayedRuleset>()

/** Loads the ruleset of the campaign; null if there is none. A published version never changes, so it is loaded only once. */
export function useRuleset(): Loaded<PlayedRuleset | null> {
  const { company, user } = useActing()
  const { api, campaign } = useCampaign()
  const { ruleset_version_id } = campaign
  return useLoad(
    async (signal) => {
      if (!ruleset_version_id) return null
      const known = cached.get(`${company.id} ${ruleset_version_id}`)
      if (known) return known
      const { version, document } = await api.rulesets.get({ signal })
      const played = { version, document: document as unknown as SheetDocument }
      const [oldest] = cached.keys()
      if (oldest !== undefined && cached.size >= MAX_CACHED) cached.delete(oldest)
      cached.set(`${company.id} ${version.id}`, played)
      return played
    },
    [company.id, user.id, campaign.id, ruleset_version_id],
  )
}

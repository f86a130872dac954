import type { ExperienceEntryListItem } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import type { Loaded } from '../../data/load.ts'
import type { SheetScope } from './rights.ts'

/** The most entries that the sheet shows. The ledger of the campaign has all of them. */
const MAX_ENTRIES = 200

/** The entries of the character or, where experience belongs to users, of its player, newest first. */
export function useEntries({ character: { id, user_id }, rights }: SheetScope): Loaded<ExperienceEntryListItem[]> {
  const { api, campaign } = useCampaign()
  const owner = campaign.experience_per === 'CHARACTER' ? { character_id: id } : { player_id: user_id ?? undefined }
  return useLiveLoad<ExperienceEntryListItem[]>(
    async (signal) => {
      if (!user_id || !rights.seesSheet) return []
      return api.experienceEntries.list({ ...owner, sort: '-date_created' }, { signal }).all(MAX_ENTRIES)
    },
    ['experience'],
    [id, user_id, rights.seesSheet, campaign.experience_per],
  )
}

import type { SheetListItem } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveList } from '../../data/live-list.ts'
import type { Loaded } from '../../data/load.ts'

/** The fields of a character that the table shows. Lists and events both have them. */
export type TableCharacter = Pick<
  SheetListItem,
  | 'id'
  | 'campaign_id'
  | 'name'
  | 'type'
  | 'status'
  | 'concept'
  | 'traits'
  | 'user_id'
  | 'visibility'
  | 'date_created'
  | 'date_died'
  | 'version'
>

/** The characters of the campaign that the acting user sees: their own first, then by name. */
export function useCharacters(): Loaded<TableCharacter[]> {
  const { user } = useActing()
  const { campaign, api } = useCampaign()
  const rank = (character: TableCharacter) => (character.user_id === user.id ? 0 : 1)
  return useLiveList<TableCharacter>(
    {
      load: (signal) => api.characters.list({}, { signal }).all(),
      type: 'character',
      accepts: ({ campaign_id }) => campaign_id === campaign.id,
      compare: (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name),
    },
    [user.id, campaign.id],
  )
}

import { ArchivedDetails } from '../../archived/archived-rows.tsx'
import { useActing } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { text } from './text.ts'

/** The archived campaigns that the acting user may restore. */
export function ArchivedCampaigns() {
  const { api } = useActing()
  const archived = useLiveLoad(
    (signal) => api.campaigns.list({ archived: true, limit: 100, sort: '-date_modified' }, { signal }),
    ['campaign'],
    [api],
  )
  return (
    <ArchivedDetails
      title={text.archived(archived.data?.total ?? 0)}
      hint={text.archivedText}
      items={archived.data?.items}
      restore={async (id) => {
        await api.campaigns.restore(id)
        await archived.reload()
      }}
    />
  )
}

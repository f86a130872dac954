import { ArchivedDetails } from '../../archived/archived-rows.tsx'
import { gh } from '../../data/client.ts'
import { useLoad } from '../../data/load.ts'
import { text } from './text.ts'

/** The archived companies that the developer may restore. */
export function ArchivedCompanies({ onRestored }: { onRestored: () => Promise<void> }) {
  const archived = useLoad((signal) => gh.companies.list({ limit: 100, sort: '-date_modified', archived: true }, { signal }), [])
  return (
    <ArchivedDetails
      title={text.archived(archived.data?.total ?? 0)}
      hint={text.archivedText}
      items={archived.data?.items}
      restore={async (id) => {
        await gh.companies.restore(id)
        await Promise.all([archived.reload(), onRestored()])
      }}
    />
  )
}

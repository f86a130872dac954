import type { AuditLog as Entry } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { useLivePages } from '../../data/pages.ts'
import { Empty, Section } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { AuditFilters, queryOf, useFilters } from './audit-filters.tsx'
import { useAuditNames } from './audit-names.ts'
import { text } from './audit-text.ts'
import { useRights } from './rights.ts'

const LIMIT = 25
const TYPES = Object.keys(text.resources)

/** The log of changes: who changed what, with the values before and after. */
export function AuditLog() {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [filters, set] = useFilters()
  const entries = useLivePages<Entry>(
    (after, signal) =>
      companyApi.auditLogs.list({ ...queryOf(filters), sort: '-date_created', limit: LIMIT, after }, { ...options, signal }),
    TYPES,
    [companyApi, options.onBehalfOf, JSON.stringify(filters)],
    500,
  )
  const isFiltered = Object.keys(filters).length > 0
  const names = useAuditNames(entries.data?.items ?? [])
  return (
    <Section title={text.title}>
      <p class="lead">{text.intro}</p>
      <AuditFilters filters={filters} set={set} />
      <PagedList
        of={entries}
        class="audit"
        row={(entry) => (
          <AuditEntry
            key={entry.id}
            entry={entry}
            names={names}
            onOnly={filters.id ? undefined : () => set({ id: entry.resource_id, resource: entry.resource_type })}
          />
        )}
        empty={<Empty title={isFiltered ? text.none : text.empty}>{isFiltered && text.noneText}</Empty>}
      />
    </Section>
  )
}

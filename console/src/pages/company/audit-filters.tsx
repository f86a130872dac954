import type { CompanyAuditLogsListQuery } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { currentPath, navigate, usePath } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { text } from './audit-text.ts'
import { kindOf } from './audit-words.ts'
import { useRights } from './rights.ts'

/** The filters are in the address, so that a view of the log can be shared. */
export interface Filters {
  resource?: string
  kind?: string
  id?: string
  user?: string
  from?: string
  to?: string
}

const NAMES = ['resource', 'kind', 'id', 'user', 'from', 'to'] as const

export function useFilters(): [filters: Filters, set: (changes: { [K in keyof Filters]?: string | undefined }) => void] {
  const query = new URLSearchParams(usePath().split('?')[1])
  const filters = Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))) as Filters
  const set = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(currentPath().split('?')[1])
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const rest = next.toString()
    navigate(currentPath().split('?')[0] + (rest && `?${rest}`), { replace: true })
  }
  return [filters, set]
}

/** The start of a day where the person is, or of the day after it. */
function dayStart(day: string, plusDays = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const time = new Date(year, month - 1, date + plusDays)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

export function queryOf({ resource, kind, id, user, from, to }: Filters): CompanyAuditLogsListQuery {
  // The cast leaves unknown types in the address to the service, which names the valid ones when it refuses them.
  return {
    ...(resource && { resource_type: resource }),
    ...(resource && kind && { type: `${resource}.${kind}` }),
    ...(id && { resource_id: id }),
    ...(user && { user_id: user }),
    ...(from && { from: dayStart(from) }),
    ...(to && { to: dayStart(to, 1) }),
  } as CompanyAuditLogsListQuery
}

const RESOURCES = [['', text.anyResource], ...Object.entries(text.resources).map(([type, [label]]) => [type, label])] as [string, string][]

export function AuditFilters({ filters, set }: { filters: Filters; set: ReturnType<typeof useFilters>[1] }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const users = useLoad(
    (signal) => companyApi.users.list({ limit: 100, sort: 'name' }, { ...options, signal }),
    [companyApi, options.onBehalfOf],
  )
  const { resource = '', kind = '', user = '', from = '', to = '' } = filters
  const kinds = (text.resources[resource]?.[1] ?? []).map((each) => [each, kindOf(resource, each)] as const)
  const people = (users.data?.items ?? []).map(({ id, name }) => [id, name] as const)
  return (
    <div class="toolbar filters">
      <Select label={text.resource} value={resource} options={RESOURCES} onChange={(value) => set({ resource: value, kind: '' })} />
      <Select
        label={text.kind}
        value={kind}
        options={[['', text.anyKind] as const, ...kinds]}
        disabled={!resource}
        onChange={(value) => set({ kind: value })}
      />
      <Select
        label={text.user}
        value={user}
        options={[['', text.anyUser] as const, ...people]}
        onChange={(value) => set({ user: value })}
      />
      <TextField label={text.from} type="date" value={from} onInput={(value) => set({ from: value })} />
      <TextField label={text.to} type="date" value={to} onInput={(value) => set({ to: value })} />
      {Object.keys(filters).length > 0 && (
        <Button onClick={() => set(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>{text.clear}</Button>
      )}
    </div>
  )
}

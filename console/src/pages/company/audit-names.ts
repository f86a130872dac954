import type { AuditLog } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { text } from './audit-text.ts'
import { useRights } from './rights.ts'

/** The names behind the ids of a log. */
export interface Names {
  user: (id: string) => string
  developer: (id: string) => string
  /** The name of a user, campaign or developer that an entry is about. */
  resource: (type: string, id: string) => string | undefined
}

const MAX_IDS = 100
const sortedIds = (ids: (string | null | undefined)[]) => [...new Set(ids.filter((id): id is string => Boolean(id)))].sort()

/** Reads many resources by id, whether they are archived or not. */
async function namesOf(
  list: (query: { ids: string[]; archived?: boolean; limit: number }) => PromiseLike<{ items: { id: string; name: string }[] }>,
  ids: string[],
): Promise<[string, string][]> {
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, index) => ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS))
  const pages = await Promise.all(
    parts.flatMap((part) => [list({ ids: part, limit: MAX_IDS }), list({ ids: part, archived: true, limit: MAX_IDS })]),
  )
  return pages.flatMap(({ items }) => items.map(({ id, name }) => [id, name] as [string, string]))
}

/** Finds the names of the people and things in a part of the log. */
export function useAuditNames(entries: AuditLog[]): Names {
  const { companyApi } = useActing()
  const { options } = useRights()
  const ofType = (type: string) => entries.filter(({ resource_type }) => resource_type === type).map(({ resource_id }) => resource_id)
  const users = sortedIds([...entries.map(({ user_id }) => user_id), ...ofType('user')])
  const campaigns = sortedIds(ofType('campaign'))
  const found = useLoad(
    async (signal) => {
      const request = { ...options, signal }
      const found = await Promise.all([
        namesOf((query) => companyApi.users.list(query, request), users),
        namesOf((query) => companyApi.campaigns.list(query, request), campaigns),
      ])
      return new Map(found.flat())
    },
    [companyApi, options.onBehalfOf, [...users, ...campaigns].join()],
  )
  const developers = useLoad(
    async (signal) => {
      const grants = await companyApi.grants.list({ limit: 100 }, { ...options, signal })
      return new Map(grants.items.map(({ id, name }) => [id, name]))
    },
    [companyApi, options.onBehalfOf],
  )
  const nameOf = (id: string, missing: string) => found.data?.get(id) ?? (found.data ? missing : '…')
  return {
    user: (id) => nameOf(id, text.someUser),
    developer: (id) => developers.data?.get(id) ?? (developers.data ? text.someDeveloper : '…'),
    resource: (type, id) => (type === 'grant' ? developers.data?.get(id) : found.data?.get(id)),
  }
}

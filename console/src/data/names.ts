import { useContext, useEffect, useReducer, useRef } from 'preact/hooks'
import { text } from '../text.ts'
import { CampaignContext, useActing } from './acting.ts'

/** The maximum number of ids in one request. */
const MAX_IDS = 100

/** Returns the name of a user, or an ellipsis until it is known. */
export type NameOf = (id: string) => string

/** Returns a function from ids of users to names. Those who are not members of the campaign are asked for once, as the acting user. */
export function useUserNames(ids: readonly (string | null | undefined)[]): NameOf {
  const { companyApi, user } = useActing()
  const members = useContext(CampaignContext)?.members ?? []
  const names = useRef(new Map<string, string>())
  const [, render] = useReducer((count: number) => count + 1, 0)
  names.current.set(user.id, user.name)
  for (const member of members) names.current.set(member.user_id, member.name)
  const missing = [...new Set(ids)].filter((id): id is string => !!id && !names.current.has(id)).slice(0, MAX_IDS)
  const key = missing.join()
  useEffect(() => {
    if (!key) return
    const stopped = new AbortController()
    companyApi.users.list({ ids: missing, limit: MAX_IDS }, { signal: stopped.signal, onBehalfOf: user.id }).then(
      ({ items }) => {
        // Users who were archived are not listed, and must not be asked for again.
        for (const id of missing) names.current.set(id, text.formerUser)
        for (const { id, name } of items) names.current.set(id, name)
        render(undefined as never)
      },
      () => undefined,
    )
    return () => stopped.abort()
  }, [key])
  return (id) => names.current.get(id) ?? '…'
}

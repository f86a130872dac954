import type { Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Acting, ActingContext, LiveContext } from '../data/acting.ts'
import { gh } from '../data/client.ts'
import { Live } from '../data/live.ts'
import { isGone, useLoad } from '../data/load.ts'
import { checkSession } from '../data/session.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text.ts'
import { Unavailable } from '../ui/unavailable.tsx'
import { Shell } from './shell.tsx'

interface ActingScopeProps {
  me: Me
  companyId: string
  userId: string
  children: ComponentChildren
}

/** Loads the company and the acting user, and follows their event stream. It is keyed by both, so that no state of one user is shown to another. */
export function ActingScope({ me, companyId, userId, children }: ActingScopeProps) {
  // Memoized, so that pages that depend on them do not load again when only a name changes.
  const { companyApi, api } = useMemo(() => {
    const companyApi = gh.company(companyId)
    return { companyApi, api: companyApi.as(userId) }
  }, [companyId, userId])
  const loaded = useLoad<Acting>(
    async (signal) => {
      const [company, user] = await Promise.all([gh.companies.get(companyId, { signal }), companyApi.users.get(userId, { signal })])
      return { me, company, user, companyApi, api, path: `/c/${companyId}/as/${userId}` }
    },
    [companyId, userId],
  )
  const [live, setLive] = useState<Live>()
  useEffect(() => {
    const next = new Live(api)
    setLive(next)
    return () => next.stop()
  }, [companyId, userId])
  // A new role or name of the user changes what every page shows.
  useEffect(
    () =>
      live?.listen(({ data }) => {
        if (data.change === 'RESYNC' || data.id === companyId || (data.resource_type === 'user' && data.id === userId)) loaded.reload()
      }),
    [live],
  )
  // A stream that is refused is often that of a user who was archived.
  useEffect(
    () =>
      live?.state.subscribe(() => {
        if (live.state.get() === 'ended') loaded.reload()
      }),
    [live],
  )
  // A player has nowhere to go when the user or the company is archived: the session has ended with it.
  useEffect(() => {
    if (me.user && isGone(loaded.error)) checkSession()
  }, [loaded.error])
  if (!loaded.data || !live)
    return (
      <Shell me={me}>
        <Unavailable of={loaded} words={text.noCompany} href={hrefOf('/')} />
      </Shell>
    )
  return (
    <ActingContext.Provider value={loaded.data}>
      <LiveContext.Provider value={live}>{children}</LiveContext.Provider>
    </ActingContext.Provider>
  )
}

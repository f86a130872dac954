import type { HitPage } from '@guildhall/client'
import { useEffect, useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { noticeEnd } from '../data/load.ts'

/** The state of a search. */
export interface Search {
  /** The hits of `query`, which may be older than the text in the field. */
  found: { query: string; page: HitPage } | undefined
  isSearching: boolean
  error: unknown
}

const DEBOUNCE_MS = 200
const MAX_SHOWN = 50

/** Searches as the acting user, a moment after the last key. A request that is no longer wanted is aborted. */
export function useSearch(query: string, campaignId: string | undefined): Search {
  const { api } = useActing()
  const [state, setState] = useState<Search>({ found: undefined, isSearching: false, error: undefined })
  useEffect(() => {
    if (!query) {
      setState({ found: undefined, isSearching: false, error: undefined })
      return
    }
    const attempt = new AbortController()
    setState((before) => ({ ...before, isSearching: true }))
    const timer = setTimeout(async () => {
      try {
        const page = await api.search.get(
          { q: query, limit: MAX_SHOWN, ...(campaignId && { campaign_id: campaignId }) },
          { signal: attempt.signal },
        )
        if (!attempt.signal.aborted) setState({ found: { query, page }, isSearching: false, error: undefined })
      } catch (error) {
        if (attempt.signal.aborted) return
        noticeEnd(error)
        setState({ found: undefined, isSearching: false, error })
      }
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      attempt.abort()
    }
  }, [query, campaignId])
  return state
}

import { ApiError } from '@guildhall/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { endSession } from './session.ts'

/** Data of the service, as far as it has arrived. `data` stays while it is loaded again. */
export interface Loaded<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
  /** Loads again, for example after a change. */
  reload: () => Promise<void>
  /** Replaces the data, for example with the reply to a change. */
  set: (data: T) => void
  /** Changes the data that has arrived. Several changes before the next rendering are all applied. */
  update: (change: (data: T) => T) => void
}

/**
 * Loads data for a component, again whenever a dependency changes. A reply that arrives after a newer request has begun is ignored. Data of other dependencies is dropped at once: it
 * may be of another user, and must not be shown.
 */
export function useLoad<T>(load: (signal: AbortSignal) => PromiseLike<T>, dependencies: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown; isLoading: boolean; of: readonly unknown[] }>({
    data: undefined,
    error: undefined,
    isLoading: true,
    of: dependencies,
  })
  const running = useRef<AbortController>(undefined)
  const latest = useRef(load)
  latest.current = load

  const reload = async () => {
    running.current?.abort()
    const attempt = new AbortController()
    running.current = attempt
    setState((before) => ({ ...before, isLoading: true }))
    try {
      const data = await latest.current(attempt.signal)
      if (!attempt.signal.aborted) setState({ data, error: undefined, isLoading: false, of: dependencies })
    } catch (error) {
      if (attempt.signal.aborted) return
      noticeEnd(error)
      setState((before) => ({ data: isGone(error) ? undefined : before.data, error, isLoading: false, of: dependencies }))
    }
  }

  useEffect(() => {
    setState({ data: undefined, error: undefined, isLoading: true, of: dependencies })
    reload()
    return () => running.current?.abort()
  }, dependencies)

  const isCurrent = state.of.length === dependencies.length && state.of.every((value, index) => Object.is(value, dependencies[index]))
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
    set: (data) => setState({ data, error: undefined, isLoading: false, of: dependencies }),
    update: (change) => setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) })),
  }
}

/** True if the user can no longer see the data, which must then leave the page. After other errors, such as a lost connection, it stays. */
export const isGone = (error: unknown): boolean => ApiError.is(error) && (error.status === 404 || error.status === 403)

/** Ends the session of the page if an error says that the service has ended it. */
export function noticeEnd(error: unknown): void {
  if (ApiError.is(error) && error.status === 401) endSession()
}

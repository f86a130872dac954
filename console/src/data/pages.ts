import type { Page } from '@guildhall/client'
import { useContext, useRef, useState } from 'preact/hooks'
import { LiveContext } from './acting.ts'
import { useEvents } from './live-list.ts'
import { type Loaded, noticeEnd, useLoad } from './load.ts'

interface Part<T> {
  items: T[]
  total: number
  next: string | null
}

/** A long list, of which one page after another is shown. */
export interface Pages<T> extends Loaded<Part<T>> {
  hasMore: boolean
  isLoadingMore: boolean
  /** Adds the next page. */
  more: () => Promise<void>
}

type LoadPage<T> = (after: string | undefined, signal: AbortSignal) => PromiseLike<Page<T>>

/** Loads a list page by page, by cursor. Loading again keeps as many items as were shown. */
export function usePages<T>(load: LoadPage<T>, dependencies: readonly unknown[]): Pages<T> {
  const [isLoadingMore, setLoadingMore] = useState(false)
  const shown = useRef({ of: dependencies, count: 0 })
  const isSame = dependencies.every((value, index) => Object.is(value, shown.current.of[index]))
  if (!isSame) shown.current = { of: dependencies, count: 0 }
  const loaded = useLoad<Part<T>>(async (signal) => {
    let part: Part<T> = { items: [], total: 0, next: null }
    do {
      const page = await load(part.next ?? undefined, signal)
      part = { items: [...part.items, ...page.items], total: page.total, next: page.next_cursor ?? null }
    } while (part.next && part.items.length < shown.current.count)
    return part
  }, dependencies)
  const more = async () => {
    const { data } = loaded
    if (!data?.next || isLoadingMore) return
    const { current } = shown
    setLoadingMore(true)
    try {
      const page = await load(data.next, new AbortController().signal)
      if (shown.current !== current) return
      const items = [...data.items, ...page.items]
      current.count = items.length
      loaded.set({ items, total: page.total, next: page.next_cursor ?? null })
    } catch (error) {
      noticeEnd(error)
      throw error
    } finally {
      setLoadingMore(false)
    }
  }
  return { ...loaded, hasMore: Boolean(loaded.data?.next), isLoadingMore, more }
}

/** Loads a list page by page, and again after events of these types of resources. */
export function useLivePages<T>(load: LoadPage<T>, types: readonly string[], dependencies: readonly unknown[], pauseMs?: number): Pages<T> {
  const live = useContext(LiveContext)
  const pages = usePages<T>(
    async (after, signal) => {
      // The cursor in the stream must be known before the data is read. Otherwise a change between the two would be in neither.
      await live?.isReady
      return load(after, signal)
    },
    [live, ...dependencies],
  )
  useEvents(types, pages.reload, pauseMs)
  return pages
}

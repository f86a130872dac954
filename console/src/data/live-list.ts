import type { StreamEvent } from '@guildhall/client'
import { applyChange, type Copy, copyKey } from '@guildhall/client/copies'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { LiveContext } from './acting.ts'
import { type Loaded, useLoad } from './load.ts'

interface LiveListOptions<T> {
  /** Reads the list. */
  load: (signal: AbortSignal) => PromiseLike<T[]>
  /** The type of its resources in events, such as `tracker`. */
  type: string
  /** Says which resources of that type belong to the list. */
  accepts: (resource: T) => boolean
  /** The order of the list. */
  compare: (a: T, b: T) => number
  /** The maximum number of items. Items beyond it are dropped from the end. */
  max?: number
}

/** True if everything must be read again, because the user's role changed or the cursor in the stream is too old. */
const isResync = ({ data }: StreamEvent) => data.change === 'RESYNC'

/** Reads a list once, and then keeps it up to date with the events of the stream. */
export function useLiveList<T extends Copy>(options: LiveListOptions<T>, dependencies: readonly unknown[]): Loaded<T[]> {
  const live = useContext(LiveContext)
  const current = useRef(options)
  current.current = options
  const loaded = useLoad(
    async (signal) => {
      await live?.isReady
      return [...(await current.current.load(signal))].sort(current.current.compare)
    },
    [live, ...dependencies],
  )
  const latest = useRef(loaded)
  latest.current = loaded

  useEffect(() => live?.listen((event) => apply(event, current.current, latest)), [live])
  return loaded
}

function apply<T extends Copy>(
  event: StreamEvent,
  { type, accepts, compare, max }: LiveListOptions<T>,
  latest: { current: Loaded<T[]> },
): void {
  const { change, resource_type, id, resource, truncated } = event.data
  // The running request may answer with data from before or after the event, so the list is read once more.
  if (isResync(event) || (resource_type === type && latest.current.isLoading)) return void latest.current.reload()
  if (resource_type !== type) return
  if (change !== 'REMOVE' && (truncated || !resource)) return void latest.current.reload()
  const copies = new Map((latest.current.data ?? []).map((item) => [copyKey(type, item), item]))
  if (!applyChange(copies, event)) return
  const items = [...copies.values()].filter((item) => item.id !== id || accepts(item))
  keep(latest, items.sort(compare).slice(0, max))
}

/** Replaces the data, also in the ref: several events may arrive before the next rendering updates it. */
function keep<T>(latest: { current: Loaded<T[]> }, data: T[]): void {
  latest.current = { ...latest.current, data }
  latest.current.set(data)
}

/** Calls a function after events of these types of resources, at most once per pause. */
export function useEvents(types: readonly string[], run: () => void, pauseMs = 200): void {
  const live = useContext(LiveContext)
  const current = useRef(run)
  current.current = run
  const key = types.join()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live?.listen((event) => {
      if (!isResync(event) && !key.split(',').includes(event.data.resource_type)) return
      timer ??= setTimeout(() => {
        timer = undefined
        current.current()
      }, pauseMs)
    })
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [live, key, pauseMs])
}

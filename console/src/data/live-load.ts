import { useContext } from 'preact/hooks'
import { LiveContext } from './acting.ts'
import { useEvents } from './live-list.ts'
import { type Loaded, useLoad } from './load.ts'

/**
 * Loads data, and again after each event of these types of resources. It is for lists whose order or content depends on more than the resource of an event, such as books, whose
 * numbers all change when one is moved.
 */
export function useLiveLoad<T>(
  load: (signal: AbortSignal) => PromiseLike<T>,
  types: readonly string[],
  dependencies: readonly unknown[],
  pauseMs?: number,
): Loaded<T> {
  const live = useContext(LiveContext)
  const loaded = useLoad(
    async (signal) => {
      // The cursor in the stream must be known before the data is read. Otherwise a change between the two would be in neither.
      await live?.isReady
      return load(signal)
    },
    [live, ...dependencies],
  )
  useEvents(types, loaded.reload, pauseMs)
  return loaded
}

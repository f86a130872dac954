/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })

/** Waits for a promise. Rejects with the reason of the signal as soon as it is aborted. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    promise.then(resolve, reject)
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })

/** A timer of more than 24 days, or of Infinity, ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs something with a signal that is aborted after this time, or with the outer signal. AbortSignal.any would keep a listener for as long as the outer signal lives. */
export async function within<T>(ms: number, outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${ms} ms`)), Math.min(ms, MAX_TIMER_MS))
  outer?.addEventListener('abort', abort)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', abort)
  }
}

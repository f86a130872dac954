import { ApiError, ConnectionError, UsageError } from './errors.ts'
import { type Frame, frameParser } from './frames.ts'
import type { StreamEvent } from './generated.ts'
import { pauseAfter } from './retry.ts'
import type { Transport } from './transport.ts'
import { unlessAborted, within } from './wait.ts'

export interface EventsOptions {
  /** The cursor to go on from: that of an event, or of `changes`. Default: now */
  after?: string | undefined
  /** Ends the stream. The loop then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The acting user, on the stream of a company. */
  onBehalfOf?: string | undefined
  /** Is told when the stream is live, and with the error when it has been lost and will be opened again. */
  onState?: ((state: 'live' | 'lost', error?: unknown) => void) | undefined
}

/** The service sends something every 15 seconds. After this time without anything, the connection is dead. */
const MAX_SILENCE_MS = 45_000
/** The pause doubles with each failure up to this. */
const MAX_PAUSE_MS = 60_000
/** The least that the service can ask for, so that its mistake does not become a flood of requests. */
const MIN_RETRY_MS = 500
/** A connection that was live this long has worked, even without an event. One that is closed at once counts as a failure. */
const STABLE_MS = 5000

/** True if opening the stream again cannot help: the request is wrong, or the reader has no rights any more. */
const isFinal = (error: unknown) =>
  error instanceof StreamReplacedError ||
  error instanceof UsageError ||
  (error instanceof ApiError && error.status < 500 && ![408, 429].includes(error.status))

/** The stream has ended, because the same user has opened ten newer ones. It is not opened again: they would replace one another. */
export class StreamReplacedError extends Error {
  override readonly name: string = 'StreamReplacedError'
}

/**
 * Follows a stream for as long as its reader has the right to, over any number of connections. The next frame is read when the loop asks for the next event: a slow loop slows the
 * service down, and if it is too slow, the stream goes on from its last event.
 */
export async function* follow(
  transport: Transport,
  path: string,
  { after, signal, onState, onBehalfOf, ...query }: EventsOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let cursor: string | undefined
  let retryMs = 2000
  let failures = 0
  for (;;) {
    const connection = new AbortController()
    const abort = () => connection.abort(signal?.reason)
    const limited = <T>(run: (signal: AbortSignal) => Promise<T>) => within(MAX_SILENCE_MS, connection.signal, run)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort)
    let failure: unknown
    let liveSince = Number.POSITIVE_INFINITY
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream', ...(cursor && { 'last-event-id': cursor }) }
      const request = { method: 'GET', path, query: { after, ...query }, isSafe: true, options: { onBehalfOf } }
      // The signal of the connection outlives its opening, so the time limit aborts all of it.
      const response = await limited((opening) => {
        opening.addEventListener('abort', () => connection.abort(opening.reason))
        return transport.open(request, headers, connection.signal)
      })
      if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? ''))
        throw new ApiError(response.status, { detail: 'The reply is no stream of events. Check baseUrl.' })
      for await (const frame of framesOf(response, limited)) {
        if (/^\d{1,6}$/.test(frame.retry ?? '')) retryMs = Math.max(Number(frame.retry), MIN_RETRY_MS)
        if (frame.event === 'ready') {
          liveSince = performance.now()
          onState?.('live')
        }
        if (frame.event === 'bye') leave(frame)
        // Before the event: whoever stops at an event has got it.
        if (frame.id) cursor = frame.id
        if (frame.data && !frame.event) {
          failures = 0
          yield { ...JSON.parse(frame.data), cursor }
        }
      }
      throw new ConnectionError('The stream ended without a reason.')
    } catch (error) {
      signal?.throwIfAborted()
      if (isFinal(error)) throw error
      onState?.('lost', error)
      if (performance.now() - liveSince >= STABLE_MS) failures = 0
      failure = error
    } finally {
      signal?.removeEventListener('abort', abort)
      connection.abort()
    }
    const pauseMs = Math.min(retryMs * 2 ** failures++, MAX_PAUSE_MS)
    // Between half and all of the time, so that not all clients of a server that restarts return at the same moment.
    await pauseAfter(failure, pauseMs * (0.5 + Math.random() / 2), signal)
  }
}

/** The service ends the stream. Whatever the reason, the next connection tells if the reader still has the right to it. */
function leave({ data }: Frame): never {
  const { reason } = JSON.parse(data) as { reason: string }
  if (reason === 'replaced') throw new StreamReplacedError('The stream was replaced, because the same user has opened ten newer ones.')
  throw new ConnectionError(`The service ended the stream: ${reason}.`)
}

async function* framesOf(
  response: Response,
  limited: <T>(run: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): AsyncGenerator<Frame, void, undefined> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const parse = frameParser()
  for (;;) {
    const { done, value } = await limited((signal) => readOf(reader, signal))
    if (done) return
    yield* parse(value)
  }
}

/** Reads a chunk, or rejects when the signal is aborted. */
const readOf = (reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) =>
  unlessAborted(reader.read(), signal).catch((cause) => {
    throw new ConnectionError(`The stream broke: ${(cause as Error)?.message ?? cause}`, { cause })
  })

// The frames of a stream (Server-Sent Events, https://html.spec.whatwg.org/multipage/server-sent-events.html), as pure functions.

/** The reasons for which the service ends a stream; a client reads them in the last frame. */
export type ByeReason = 'draining' | 'expired' | 'revoked' | 'replaced' | 'crowded' | 'too_slow' | 'reset' | 'failed'

interface Frame {
  /** Absent for domain events: a client then receives them all as messages, without naming each type. */
  event?: 'ready' | 'bookmark' | 'bye'
  /** The position from which a client resumes that is disconnected after this frame. */
  id?: string
  data: string
}

/** The three line ends that separate the fields of a frame. */
const LINE_END = /\r\n|\r|\n/

/** Encodes one frame. Data of several lines becomes several fields, which the client joins again; an id has no line ends and no U+0000. */
export function encodeFrame({ event, id, data }: Frame): Buffer {
  const lines = data.split(LINE_END).map((line) => `data: ${line}\n`)
  return Buffer.from(`${event ? `event: ${event}\n` : ''}${id === undefined ? '' : `id: ${idField(id)}\n`}${lines.join('')}\n`)
}

/** Encodes a domain event. All connections whose readers see the same can share the frame. */
export const eventFrame = (id: string, event: unknown) => encodeFrame({ id, data: JSON.stringify(event) })

/** The times after which a client reconnects: usually, and after its stream was given back to another tenant. */
const RETRY_MS = { min: 1000, max: 5000 }
const CROWDED_RETRY_MS = { min: 10_000, max: 20_000 }

/** Encodes the time that the client waits before it reconnects. It is random, so that the clients of a process that ended return one after another. */
const retryField = ({ min, max }: typeof RETRY_MS, random: number) => Buffer.from(`retry: ${Math.floor(min + random * (max - min + 1))}\n`)

export const retryFrame = (random = Math.random()) => Buffer.concat([retryField(RETRY_MS, random), Buffer.from('\n')])

/** The first frame with an id: a client that is disconnected before its first event resumes from here, and misses nothing. */
export const readyFrame = (id: string, now: Date) => encodeFrame({ event: 'ready', id, data: JSON.stringify({ date: now.toISOString() }) })

/** Moves the client's position past events that it is not shown, and keeps the connection alive. */
export const bookmarkFrame = (id: string) => encodeFrame({ event: 'bookmark', id, data: '{}' })

/** Says why the stream ends. One that was given back is not opened again at once: there is no room for it. */
export function byeFrame(reason: ByeReason, random = Math.random()): Buffer {
  const frame = encodeFrame({ event: 'bye', data: JSON.stringify({ reason }) })
  return reason === 'crowded' ? Buffer.concat([retryField(CROWDED_RETRY_MS, random), frame]) : frame
}

/** Rejects an id that would end its line, or that clients ignore. */
function idField(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: clients ignore an id that contains U+0000
  if (/[\r\n\u0000]/.test(id)) throw new Error('The id of a frame contains a line end or U+0000.')
  return id
}

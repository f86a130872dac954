import { ConnectionError } from './errors.ts'

/** A frame of Server-Sent Events: its fields, with the lines of `data` joined. */
export interface Frame {
  event?: string
  id?: string
  retry?: string
  data: string
}

function frameOf(text: string): Frame {
  const fields: { data?: string; [name: string]: string | undefined } = {}
  for (const line of text.split('\n')) {
    const colon = `${line}:`.indexOf(':')
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (name) fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value
  }
  return { ...fields, data: fields.data ?? '' }
}

/**
 * The most characters of a frame. A frame of the service has fewer than 75,000: a resource of at most 20,000 bytes, its changes of at most 48,000, and little else. There is
 * room for what a newer service may add.
 */
const MAX_FRAME_LENGTH = 1_000_000

function limited(frame: string): string {
  if (frame.length > MAX_FRAME_LENGTH) throw new ConnectionError(`The stream has a frame of more than ${MAX_FRAME_LENGTH} characters.`)
  return frame
}

/** Takes the text of a stream as it arrives, and yields the frames that are complete. Throws when a frame gets too long, whether it is complete or not. */
export function frameParser(): (chunk: Uint8Array) => Iterable<Frame> {
  const decoder = new TextDecoder()
  let text = ''
  let half = ''
  return function* (chunk) {
    const arrived = half + decoder.decode(chunk, { stream: true })
    // A line ends with \n, \r\n or \r. A \r at the end may be half of one, and waits for the next chunk.
    half = arrived.endsWith('\r') ? '\r' : ''
    text += arrived.slice(0, arrived.length - half.length).replace(/\r\n?/g, '\n')
    const parts = text.split('\n\n')
    text = parts.pop() as string
    for (const part of parts) yield frameOf(limited(part))
    limited(text)
  }
}

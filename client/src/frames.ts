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

/** Takes the text of a stream as it arrives, and returns the frames that are complete. */
export function frameParser(): (chunk: Uint8Array) => Frame[] {
  const decoder = new TextDecoder()
  let text = ''
  return (chunk) => {
    text += decoder.decode(chunk, { stream: true })
    // A line ends with \n, \r\n or \r. A \r at the end may be half of one, and waits for the next chunk.
    const half = text.endsWith('\r') ? '\r' : ''
    const parts = text
      .slice(0, text.length - half.length)
      .replace(/\r\n?/g, '\n')
      .split('\n\n')
    text = parts.pop() + half
    return parts.map(frameOf)
  }
}

import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after } from 'node:test'

/** A frame of a stream as it was received. */
export interface ReceivedFrame {
  raw: string
  event: string | undefined
  id: string | undefined
  data: string
}

const field = (lines: string[], name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)

function frameOf(raw: string): ReceivedFrame {
  const lines = raw.split('\n')
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
  return { raw, event: field(lines, 'event'), id: field(lines, 'id'), data: data.join('\n') }
}

/** Opens a stream over the network, and returns its frames one after another. */
export async function follow(url: string, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
  response.on('error', () => {})
  after(() => response.destroy())
  const frames: ReceivedFrame[] = []
  let [text, isOver, wake] = ['', false, () => {}]
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() as string
    frames.push(...parts.map(frameOf))
    wake()
  })
  response.on('close', () => {
    isOver = true
    wake()
  })
  if (response.statusCode !== 200) {
    for (; !isOver; ) await new Promise<void>((resolve) => (wake = resolve))
    assert.fail(`${url} answers ${response.statusCode}: ${text}`)
  }

  /** Returns the next frame; undefined at the end of the stream. */
  async function nextOrEnd(ms: number): Promise<ReceivedFrame | undefined> {
    const timer = setTimeout(() => response.destroy(new Error('timeout')), ms)
    while (frames.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
    clearTimeout(timer)
    return frames.shift()
  }
  async function next(ms = 10_000): Promise<ReceivedFrame> {
    return (await nextOrEnd(ms)) ?? assert.fail('the stream has ended')
  }
  return {
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    next,
    /** Returns the next frame that fits, and drops those before. */
    async until(fits: (frame: ReceivedFrame) => boolean, ms?: number): Promise<ReceivedFrame> {
      for (;;) {
        const frame = await next(ms)
        if (fits(frame)) return frame
      }
    },
    /** Returns the last frame, after the service has closed the connection. */
    async last(ms = 10_000): Promise<ReceivedFrame> {
      let last: ReceivedFrame | undefined
      for (;;) {
        const frame = await nextOrEnd(ms)
        if (!frame) return last ?? assert.fail('the stream has no frames')
        last = frame
      }
    },
    close: () => void response.destroy(),
  }
}

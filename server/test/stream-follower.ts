import assert from 'node:assert/strict'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import { follow, type ReceivedFrame } from './sse.ts'

export const isItem = ({ event, id }: ReceivedFrame) => event === undefined && id !== undefined
export const itemOf = ({ data }: ReceivedFrame) => JSON.parse(data) as FeedItem

/** Follows a stream of changes as an application does: it keeps the last id, and resumes from there. */
export class StreamFollower {
  readonly #url: string
  readonly #headers: Record<string, string>
  #stream: Awaited<ReturnType<typeof follow>> | undefined
  lastId = ''
  readonly items: FeedItem[] = []

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url
    this.#headers = headers
  }

  /** Opens the stream, and returns after its first frames. */
  async open(url = this.#url): Promise<this> {
    this.#stream = await follow(url, { ...this.#headers, ...(this.lastId && { 'last-event-id': this.lastId }) })
    this.#keep(await this.#stream.until(({ event }) => event === 'ready'))
    return this
  }

  /** Reads until an item fits, and returns all since the last call. */
  async until(fits: (item: FeedItem) => boolean): Promise<FeedItem[]> {
    const read: FeedItem[] = []
    for (;;) {
      const frame = await (this.#stream ?? assert.fail('not open')).next()
      assert.notEqual(frame.event, 'bye', frame.data)
      const item = this.#keep(frame)
      if (item) read.push(item)
      if (item && fits(item)) return read
    }
  }

  /** Reads for some time, and cuts the connection. */
  async readFor(milliseconds: number): Promise<void> {
    const stream = this.#stream
    for (const end = Date.now() + milliseconds; stream && Date.now() < end; ) {
      const frame = await stream.next(end - Date.now()).catch(() => undefined)
      if (!frame) break
      this.#keep(frame)
    }
    stream?.close()
  }

  /** The reason that the service gives for the end. */
  async bye(ms?: number): Promise<string> {
    const { event, data } = await (this.#stream ?? assert.fail('not open')).last(ms)
    assert.equal(event, 'bye', data)
    return JSON.parse(data).reason
  }

  close(): void {
    this.#stream?.close()
  }

  #keep(frame: ReceivedFrame): FeedItem | undefined {
    if (frame.id) this.lastId = frame.id
    if (!isItem(frame)) return undefined
    const item = itemOf(frame)
    this.items.push(item)
    return item
  }
}

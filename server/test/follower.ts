import assert from 'node:assert/strict'
import { sql } from '../src/db/sql.ts'
import { FEED_TYPES } from '../src/events/feed-types.ts'
import { sequence } from '../src/events/sequencer.ts'
import type { ChangesReply, FeedItem } from '../src/resources/changes/schema.ts'
import { db } from './harness.ts'

/** Gives all events that were written so far their positions. Where other processes do the same, a feed that one of them has locked is awaited. */
export async function sequenceAll(): Promise<void> {
  for (;;) {
    await sequence(db)
    const [{ waiting } = { waiting: 0 }] = await db.query<{ waiting: number }>(sql`SELECT count(*)::integer AS waiting FROM outbox`)
    if (waiting === 0) return
  }
}

interface Reading {
  get(path: string): Promise<{ status: number; body: unknown; text: string }>
}

/** Follows the changes of a reader, as an application does. */
export class Follower {
  readonly #reader: Reading
  readonly #query: string
  cursor: string

  constructor(reader: Reading, cursor: string, query = '') {
    this.#reader = reader
    this.cursor = cursor
    this.#query = query
  }

  static async start(reader: Reading, query = ''): Promise<Follower> {
    await sequenceAll()
    const { body } = await reader.get('/changes')
    return new Follower(reader, (body as ChangesReply).cursor, query)
  }

  /** Returns everything that the reader is told since the last time. */
  async read(): Promise<FeedItem[]> {
    await sequenceAll()
    const items: FeedItem[] = []
    for (let more = true; more; ) {
      const { status, body, text } = await this.#reader.get(`/changes?after=${this.cursor}${this.#query}`)
      assert.equal(status, 200, text)
      const page = body as ChangesReply
      for (const { type } of page.items) assert.ok(FEED_TYPES.includes(type), `${type} is in the catalog`)
      items.push(...page.items)
      this.cursor = page.cursor
      more = page.more
    }
    return items
  }
}

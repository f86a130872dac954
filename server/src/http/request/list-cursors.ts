import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { ListPlace } from '../../core/page.ts'
import { invalid } from '../../core/problem.ts'
import { NONCE_BYTES, seal, unseal } from '../../core/sealed.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { sql } from '../../db/sql.ts'
import type { Caller } from '../caller.ts'
import type { Plan } from '../plan.ts'

/** A list as one caller asks for it. */
interface ListRequest {
  plan: Plan
  caller: Caller
  params: Record<string, string>
  query: { after?: unknown; limit?: number; offset?: number }
}

const hmac = (key: KeyObject | Buffer, ...parts: (Buffer | string)[]) => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/**
 * The list that a cursor belongs to: the operation, its path, everything that selects and sorts the items, and the reader. The size of a page may
 * change from page to page.
 */
function contextOf({ plan, caller: { actor, developer }, params, query }: ListRequest): Buffer {
  const { after, limit, offset, ...filters } = query
  const reader = actor ? `user ${actor.id}` : `developer ${developer.id}`
  return Buffer.from(JSON.stringify(['list', plan.id, params, Object.entries(filters).sort(), reader]))
}

/** The cursors of lists. They contain the place of an item that their reader was shown, and are encrypted, so that clients do not come to rely on their content. */
export class ListCursors {
  readonly #db: Db
  #key: Promise<KeyObject> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Runs a list with the place that the cursor of the request stands for, and gives its reply a cursor for the next page. */
  async walk(request: ListRequest, run: (query: unknown) => Promise<unknown>): Promise<unknown> {
    const { after, ...query } = request.query
    const place = after === undefined ? undefined : await this.#open(request, after as string) // 400
    const page = (await run(place ? { ...query, after: place } : query)) as Page<unknown>
    return page.next_cursor ? { ...page, next_cursor: await this.#seal(request, page.next_cursor) } : page
  }

  /** The nonce follows from the content (a synthetic IV): the same page has the same cursor, and so the same ETag. */
  async #seal(request: ListRequest, { key: value, id }: ListPlace): Promise<string> {
    const [key, context, content] = [await this.#keyOf(), contextOf(request), Buffer.from(JSON.stringify([value, id]))]
    return seal(key, hmac(key, 'nonce', context, content).subarray(0, NONCE_BYTES), context, content)
  }

  async #open(request: ListRequest, text: string): Promise<ListPlace> {
    const content = unseal(await this.#keyOf(), contextOf(request), text)
    if (!content)
      return invalid([
        { field: 'after', message: 'must be the next_cursor of a reply to you, unchanged, with the same path and parameters' },
      ])
    const [key, id] = JSON.parse(content.toString()) as [string | null, string]
    return { key, id }
  }

  /** Reads the key when the first cursor is needed. It never changes while a process runs, and all processes have the same one. */
  #keyOf(): Promise<KeyObject> {
    this.#key ??= this.#readKey().catch((error) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  async #readKey(): Promise<KeyObject> {
    const [row] = await this.#db.query<{ cursor_key: Buffer }>(sql`SELECT cursor_key FROM feed_state`)
    return createSecretKey(hmac((row as { cursor_key: Buffer }).cursor_key, 'cursors of lists'))
  }
}

/** A page of a list. */
export interface Page<Item = unknown> {
  items: Item[]
  limit: number
  offset: number
  total: number
  /** The position behind the page; null on the last one. Lists without cursors do not have it. */
  next_cursor?: string | null | undefined
}

type ItemOf<P> = P extends Page<infer Item> ? Item : never

/** A position in a list, by cursor or by offset. */
interface Position {
  limit?: number
  after?: string
  offset?: number | undefined
}

/** The largest page of the service: whoever wants everything wants few requests. */
const MAX_LIMIT = 100

/** A list: `await list` is its first page, and `for await (const item of list)` reads all pages. Nothing is sent before. */
export class List<P extends Page> implements PromiseLike<P>, AsyncIterable<ItemOf<P>> {
  #read: (position?: Position) => Promise<P>

  constructor(read: (position?: Position) => Promise<P>) {
    this.#read = read
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited like the request that it is.
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(null, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<P> {
    return this.#read().finally(onFinally)
  }

  /** All pages, one after another: by cursor where the list has one, so that concurrent writes neither repeat nor hide an item. */
  async *pages(limit: number = MAX_LIMIT): AsyncGenerator<P, void, undefined> {
    for (let position: Position | undefined = { limit }; position; ) {
      const page: P = await this.#read(position)
      yield page
      position = nextOf(page, limit)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void, undefined> {
    for await (const page of this.pages()) yield* page.items as ItemOf<P>[]
  }

  /** All items, or the first ones. */
  async all(max: number = Number.POSITIVE_INFINITY): Promise<ItemOf<P>[]> {
    const items: ItemOf<P>[] = []
    if (max <= 0) return items
    for await (const page of this.pages(Math.min(max, MAX_LIMIT))) {
      items.push(...(page.items as ItemOf<P>[]))
      if (items.length >= max) break
    }
    return items.slice(0, max)
  }
}

function nextOf({ items, offset, total, next_cursor }: Page, limit: number): Position | undefined {
  if (next_cursor !== undefined) return next_cursor === null ? undefined : { limit, after: next_cursor, offset: undefined }
  const next = offset + items.length
  return items.length && next < total ? { limit, offset: next } : undefined
}

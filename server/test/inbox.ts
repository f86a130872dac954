import assert from 'node:assert/strict'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import type { Mirror } from './mirror.ts'
import type { Received } from './receiver.ts'

/** Stores the deliveries of a webhook and applies them to a mirror in the order of their numbers, as the guide to webhooks says. */
export class Inbox {
  readonly #mirror: Mirror
  readonly #waiting = new Map<number, FeedItem>()
  /** The ids of the changes, by the numbers of their deliveries. */
  readonly #ids = new Map<number, string>()
  #applying: Promise<void>
  /** The number of the next delivery that is applied. */
  next = 1
  /** The deliveries that were stored before, and came again. */
  repeated = 0
  /** The deliveries that came before one with a lower number. */
  early = 0

  /** Deliveries are applied after `listed`, when the mirror has read the lists. */
  constructor(mirror: Mirror, listed: Promise<void>) {
    this.#mirror = mirror
    this.#applying = listed
  }

  store({ headers, body }: Received): void {
    const number = Number(headers['guildhall-number'])
    const id = this.#ids.get(number)
    if (id !== undefined) {
      assert.equal(headers['webhook-id'], id, `${number} is always the same change`)
      this.repeated++
      return
    }
    this.#ids.set(number, body.id)
    this.#waiting.set(number, body)
    if (number > this.#ids.size) this.early++
    this.#applying = this.#applying.then(() => this.#apply())
    // A failure is shown by whoever waits for the end.
    this.#applying.catch(() => {})
  }

  async #apply(): Promise<void> {
    for (let item = this.#waiting.get(this.next); item; item = this.#waiting.get(this.next)) {
      await this.#mirror.apply(item)
      this.#waiting.delete(this.next++)
    }
  }

  /** Waits until everything that can be applied is. */
  async applied(): Promise<void> {
    await this.#applying
  }
}

import type pg from 'pg'

const LOOKS_EVERY = 1000

/** Connections that owe us answers, and when each last gave one. A peer that has gone silent is given up, with all that was asked of it. */
export class Silence {
  readonly #owed = new Map<pg.ClientBase, { answers: number; since: number }>()
  readonly #patience: number
  readonly #timer = setInterval(() => this.#giveUp(), LOOKS_EVERY).unref()

  constructor(patience: number) {
    this.#patience = patience
  }

  asked(client: pg.ClientBase): void {
    const owed = this.#owed.get(client)
    if (owed) owed.answers++
    else this.#owed.set(client, { answers: 1, since: performance.now() })
  }

  answered(client: pg.ClientBase): void {
    const owed = this.#owed.get(client)
    if (!owed) return
    owed.since = performance.now()
    if (--owed.answers === 0) this.#owed.delete(client)
  }

  #giveUp(): void {
    for (const [client, { since }] of this.#owed) {
      if (performance.now() - since < this.#patience) continue
      const { stream } = (client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection
      stream.destroy(new Error('Query read timeout'))
    }
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

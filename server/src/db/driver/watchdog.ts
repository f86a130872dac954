import type pg from 'pg'

const MAX_CHECK_INTERVAL_MS = 1000

/**
 * Watches connections that owe replies, and when each last gave one. A connection that has been silent for too long is destroyed, which
 * fails every statement that waits for it.
 */
export class ReplyWatchdog {
  readonly #waiting = new Map<pg.ClientBase, { replies: number; since: number }>()
  readonly #maxSilenceMs: number
  readonly #timer: NodeJS.Timeout

  constructor(maxSilenceMs: number) {
    this.#maxSilenceMs = maxSilenceMs
    this.#timer = setInterval(() => this.#destroySilent(), Math.min(MAX_CHECK_INTERVAL_MS, maxSilenceMs / 10)).unref()
  }

  sent(client: pg.ClientBase): void {
    const waiting = this.#waiting.get(client)
    if (waiting) waiting.replies++
    else this.#waiting.set(client, { replies: 1, since: performance.now() })
  }

  answered(client: pg.ClientBase): void {
    const waiting = this.#waiting.get(client)
    if (!waiting) return
    waiting.since = performance.now()
    if (--waiting.replies === 0) this.#waiting.delete(client)
  }

  #destroySilent(): void {
    for (const [client, { since }] of this.#waiting) {
      if (performance.now() - since < this.#maxSilenceMs) continue
      const { stream } = (client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection
      stream.destroy(new Error('Query read timeout'))
    }
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

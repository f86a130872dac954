import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** `open` is a port, or 0 for any. */
export type ReceiverCommand = { open: number; delayMs: number } | { count: number[] } | { numbers: number }

/** Receivers of webhooks, in a thread of their own, so that the measurements do not delay their answers. Send one command after the other. */
export class Receivers {
  readonly #worker = new Worker(new URL('receiver-thread.ts', import.meta.url))

  /** Opens a receiver that answers after a time, and returns its port. */
  open = (port = 0, delayMs = 0) => this.#ask<number>({ open: port, delayMs })

  /** Counts the requests that each of these ports has received. */
  count = (ports: number[]) => this.#ask<number[]>({ count: ports })

  /** Returns the numbers of the deliveries that a port has received, in the order of arrival. */
  numbers = (port: number) => this.#ask<number[]>({ numbers: port })

  close = () => this.#worker.terminate()

  async #ask<T>(command: ReceiverCommand): Promise<T> {
    this.#worker.postMessage(command)
    const [answer] = await once(this.#worker, 'message')
    return answer
  }
}

import { FairQueue, QueueFull } from '../../core/shares/fair-queue.ts'
import type { Holder } from '../../core/shares/holder.ts'
import { DatabaseBusy } from '../../db/driver/connection-errors.ts'

/** The maximum wait for a connection. */
const WAIT_MS = 5000

/**
 * Decides which write gets the next of the connections for transactions. One of them is never taken by the developer who has all others, so that a developer whose
 * writes wait for a lock, for example, delays no other one.
 */
export class Transactions {
  readonly #queue: FairQueue

  constructor(connections: number) {
    this.#queue = new FairQueue({
      running: connections,
      runningPerTenant: Math.max(1, connections - 1),
      waiting: Number.POSITIVE_INFINITY,
      waitMs: WAIT_MS,
      overloadWaitMs: WAIT_MS,
    })
  }

  async run<T>(holder: Holder, transaction: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run(holder, transaction)
    } catch (error) {
      if (error instanceof QueueFull) throw new DatabaseBusy('No connection for a transaction became free')
      throw error
    }
  }
}

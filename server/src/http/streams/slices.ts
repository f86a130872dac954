import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection } from './connection.ts'

/** A frame takes about 50 µs per connection: two thousand in one go would delay every request by 100 ms. A request comes back to the loop three times. */
const SLICE_SIZE = 10

/** Acts on many items, and lets the process do other work after each slice of them. */
export async function inSlices<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let count = 0
  for (const item of [...items]) {
    if (count > 0 && count % SLICE_SIZE === 0) await nextTurn()
    act(item)
    count++
  }
}

/** Sends a frame to many connections. Wait for it before you send them the next one, so that the frames of each stay in order. */
export const sendToAll = (connections: Iterable<Connection>, frame: Buffer) => inSlices(connections, (connection) => connection.send(frame))

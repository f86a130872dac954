import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(8192)
let used = pool.length

/** Random bytes to keep. */
export const randomCopy = (length: number) => Buffer.from(randomSlice(length))

/** Random bytes, drawn from the system in large portions: the call costs more than the bytes. Valid until the next call. */
export function randomSlice(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += length
  return pool.subarray(used - length, used)
}

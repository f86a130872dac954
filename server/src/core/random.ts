import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(8192)
let used = pool.length

/** Returns random bytes that the caller may keep. */
export const randomCopy = (length: number) => Buffer.from(randomSlice(length))

/** Returns random bytes that are valid until the next call. They are drawn from the system in large portions, because a call costs more than the bytes. */
export function randomSlice(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += length
  return pool.subarray(used - length, used)
}

const WORD_RANGE = 2 ** 32

/** Returns a whole number from 0 up to, and without, the given one, all with the same probability. Words that would favor some numbers are drawn again. */
export function randomBelow(count: number): number {
  const limit = WORD_RANGE - (WORD_RANGE % count)
  for (;;) {
    const word = randomSlice(4).readUInt32BE()
    if (word < limit) return word % count
  }
}

import type { Clock } from './clock.ts'
import { randomSlice } from './random.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text)

/**
 * Makes UUIDv7 ids (RFC 9562) that grow with every call: 48 bits of milliseconds, a 12-bit counter that starts low,
 * 62 random bits. `date_created` is derived from the id, so ids sort by creation and one index serves both.
 */
export function idMaker(clock: Clock): () => string {
  let time = 0
  let counter = 0
  return () => {
    const random = randomSlice(10)
    const now = clock().getTime()
    if (now > time) {
      time = now
      counter = random.readUInt16BE(0) & 0x1ff
    } else if (++counter > 0xfff) {
      time++
      counter = 0
    }
    random[2] = ((random[2] as number) & 0x3f) | 0x80
    const tail = random.toString('hex', 2, 10)
    const head = time.toString(16).padStart(12, '0')
    return `${head.slice(0, 8)}-${head.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
  }
}

/**
 * The id of nothing. Conditions compare with it instead of NULL if there is no acting user or no character: a planner that folds `id = NULL` to false forgets
 * which company the statement is about.
 */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Returns the instant at which an id was made. */
export const timeOf = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/** Returns the lowest id of an instant: `id >= idAt(t)` is true for everything made at t or later. */
export function idAt(instant: Date): string {
  const head = Math.min(Math.max(instant.getTime(), 0), 0xffffffffffff).toString(16).padStart(12, '0')
  return `${head.slice(0, 8)}-${head.slice(8)}-0000-0000-000000000000`
}

/** The inputs that determine the dice of a roll: the committed seed, the seed of the client, and the number of the roll under the seed. */
export interface Source {
  server_seed: Uint8Array
  client_seed: string
  nonce: number
}

const WORD_RANGE = 2 ** 32
const BYTES_PER_BLOCK = 32
const BYTES_PER_WORD = 4
export const WORDS_PER_BLOCK: number = BYTES_PER_BLOCK / BYTES_PER_WORD

/** Returns the message of a block of words. The block is the HMAC-SHA-256 of the message under the server seed. */
export const messageOf = ({ client_seed, nonce }: Pick<Source, 'client_seed' | 'nonce'>, block: number): string =>
  `${client_seed}:${nonce}:${block}`

/** Yields the 32-bit words of a roll without end. `bytesOf` returns the bytes of a block; blocks are asked for in turn, and only when needed. */
export function* wordsFrom(bytesOf: (block: number) => Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = bytesOf(block)
    for (let i = 0; i < BYTES_PER_BLOCK; i += BYTES_PER_WORD) yield wordAt(bytes, i)
  }
}

/** Reads a big-endian word. */
const wordAt = (bytes: Uint8Array, i: number): number =>
  (((bytes[i] as number) << 24) | ((bytes[i + 1] as number) << 16) | ((bytes[i + 2] as number) << 8) | (bytes[i + 3] as number)) >>> 0

/** Draws a face from 0 to sides - 1, all with the same probability. `lowest` is the number on the lowest face: 1 unless given. */
export type Draw = (sides: number, lowest?: number) => number

export interface Drawing extends Draw {
  /** The number of words that were used so far, including rejected ones. */
  used: number
  /** The number of times that each face was drawn so far, by the number of sides. */
  faces: Map<number, number[]>
}

/** Draws faces from words in turn. Words beyond the largest multiple of `sides` are rejected, because they would favor some faces. */
export function drawFrom(words: Iterator<number, never>): Drawing {
  const draw = ((sides: number) => {
    const limit = Math.floor(WORD_RANGE / sides) * sides
    for (;;) {
      draw.used++
      const word = words.next().value
      if (word >= limit) continue
      const face = word % sides
      let counts = draw.faces.get(sides)
      if (!counts) {
        counts = new Array<number>(sides).fill(0)
        draw.faces.set(sides, counts)
      }
      counts[face] = (counts[face] as number) + 1
      return face
    }
  }) as Drawing
  draw.used = 0
  draw.faces = new Map()
  return draw
}

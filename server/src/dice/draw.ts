import { createHmac, createSecretKey, hash } from 'node:crypto'

/** The inputs that determine the dice of a roll: the committed seed, the seed of the client, and the number of the roll under the seed. */
export interface Source {
  server_seed: Buffer
  client_seed: string
  nonce: number
}

/** Returns the hash of a seed, which is published before the seed is used. */
export const commitmentOf = (server_seed: Buffer) => hash('sha256', server_seed, 'hex')

const WORD_RANGE = 2 ** 32
const WORDS_PER_BLOCK = 8

/** Yields the 32-bit words of a roll without end: the HMAC-SHA-256 of `client_seed:nonce:block` under the seed, block after block. */
export function* wordsOf({ server_seed, client_seed, nonce }: Source): Generator<number, never> {
  const key = createSecretKey(server_seed)
  for (let block = 0; ; block++) {
    const bytes = createHmac('sha256', key).update(`${client_seed}:${nonce}:${block}`, 'ascii').digest()
    for (let i = 0; i < WORDS_PER_BLOCK; i++) yield bytes.readUInt32BE(i * 4)
  }
}

/** Draws a face from 0 to sides - 1, all with the same probability. `lowest` is the number on the lowest face: 1 unless given. */
export type Draw = (sides: number, lowest?: number) => number

interface Drawing extends Draw {
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

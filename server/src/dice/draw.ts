import { createHmac, createSecretKey, hash } from 'node:crypto'

/** What a roll's dice follow from: a seed that was committed to, what the client chose, and which roll of the seed it is. */
export interface Source {
  server_seed: Buffer
  client_seed: string
  nonce: number
}

/** What is published of a seed before it is used. */
export const commitmentOf = (server_seed: Buffer) => hash('sha256', server_seed, 'hex')

const RANGE = 2 ** 32
const WORDS = 8

/** The 32-bit words of a roll, for ever: HMAC-SHA-256 under the seed of `client_seed:nonce:block`, block after block. */
export function* wordsOf({ server_seed, client_seed, nonce }: Source): Generator<number, never> {
  const key = createSecretKey(server_seed)
  for (let block = 0; ; block++) {
    const bytes = createHmac('sha256', key).update(`${client_seed}:${nonce}:${block}`, 'ascii').digest()
    for (let i = 0; i < WORDS; i++) yield bytes.readUInt32BE(i * 4)
  }
}

/** A face from 0 to sides - 1, each as likely as any other. */
export type Draw = (sides: number) => number

interface Drawing extends Draw {
  /** How many words were looked at so far. */
  used: number
  /** How often each face fell so far, by the number of sides. */
  faces: Map<number, number[]>
}

/** Takes words in turn; one that would make some faces likelier than others is passed over. */
export function drawFrom(words: Iterator<number, never>): Drawing {
  const draw = ((sides: number) => {
    const fair = Math.floor(RANGE / sides) * sides
    for (;;) {
      draw.used++
      const word = words.next().value
      if (word >= fair) continue
      const face = word % sides
      let fallen = draw.faces.get(sides)
      if (!fallen) {
        fallen = new Array<number>(sides).fill(0)
        draw.faces.set(sides, fallen)
      }
      fallen[face] = (fallen[face] as number) + 1
      return face
    }
  }) as Drawing
  draw.used = 0
  draw.faces = new Map()
  return draw
}

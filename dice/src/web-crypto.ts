import { messageOf, type Source, WORDS_PER_BLOCK, wordsFrom } from './draw.ts'

// The asynchronous source of words, for browsers and every other runtime with WebCrypto.

type Bytes = Uint8Array<ArrayBuffer>

function subtle() {
  const crypto: Partial<typeof globalThis.crypto> | undefined = globalThis.crypto
  if (!crypto?.subtle) throw new Error('WebCrypto is missing: crypto.subtle is undefined. Browsers have it only on https:// and localhost.')
  return crypto.subtle
}

export const bytesOfHex = (hex: string): Bytes => Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns the hash of a seed, which is published before the seed is used. */
export const commitmentOf = async (server_seed: Bytes): Promise<string> =>
  hexOf(new Uint8Array(await subtle().digest('SHA-256', server_seed)))

/** Thrown if more words are needed than were computed. */
class OutOfWords extends Error {}

/**
 * Runs a synchronous function of the words of a roll, which WebCrypto can only compute ahead of it. `expected` is the number of words that
 * it probably takes; if it takes more, it runs again with twice as many.
 */
export async function withWords<T>(
  source: Source & { server_seed: Bytes },
  expected: number,
  run: (words: () => Iterator<number, never>) => T,
): Promise<T> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle().importKey('raw', source.server_seed, hmac, false, ['sign'])
  const text = new TextEncoder()
  const computeBlock = async (block: number) => new Uint8Array(await subtle().sign('HMAC', key, text.encode(messageOf(source, block))))
  const blocks: Uint8Array[] = []
  const blockAt = (block: number): Uint8Array => {
    const bytes = blocks[block]
    if (!bytes) throw new OutOfWords()
    return bytes
  }
  for (let count = Math.ceil(expected / WORDS_PER_BLOCK); ; count = Math.max(1, count * 2)) {
    const missing = Array.from({ length: count - blocks.length }, (_, i) => blocks.length + i)
    blocks.push(...(await Promise.all(missing.map(computeBlock))))
    try {
      return run(() => wordsFrom(blockAt))
    } catch (error) {
      if (!(error instanceof OutOfWords)) throw error
    }
  }
}

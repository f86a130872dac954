import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { messageOf, type Source, wordsFrom } from './draw.ts'

// The synchronous source of words, for the server. Only this file needs Node; web-crypto.ts is for everywhere else.

/** Returns the hash of a seed, which is published before the seed is used. */
export const commitmentOf = (server_seed: Uint8Array): string => hash('sha256', server_seed, 'hex')

/** Yields the words of a roll without end. The key is made with the first block: a roll without dice needs none. */
export function wordsOf(source: Source): Generator<number, never> {
  let key: KeyObject | undefined
  return wordsFrom((block) => {
    key ??= createSecretKey(source.server_seed)
    return createHmac('sha256', key).update(messageOf(source, block), 'ascii').digest()
  })
}

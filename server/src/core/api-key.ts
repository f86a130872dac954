import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = /^glh_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns six characters of the CRC32 of a secret. */
export function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Makes a random text of letters and digits. */
export const randomText = (length: number) => Array.from({ length }, () => BASE62[randomInt(62)]).join('')

/** Makes an API key: `glh_`, 30 random characters, and 6 characters of their CRC32. It is shown once; only its hash is stored. */
export function newApiKey() {
  const secret = randomText(30)
  const key = `glh_${secret}${checksum(secret)}`
  return { key, key_hash: hashOf(key), prefix: key.slice(0, 8), last_four: key.slice(-4) }
}

/** Returns false for a key that was mistyped or made up, without asking the database. */
export function looksLikeApiKey(text: string): boolean {
  const [, secret, sum] = KEY.exec(text) ?? []
  return secret !== undefined && checksum(secret) === sum
}

/** Returns the hash under which a credential is stored. */
export const hashOf = (credential: string) => hash('sha256', credential, 'buffer')

import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** An older request may be a recorded one that somebody sends again. */
const MAX_AGE_S = 300
/** Clocks differ a little. A timestamp further in the future would make a recorded request last longer. */
const MAX_AHEAD_S = 10

/** Makes a key of the 64 hex digits that the Discord developer portal shows. */
export function publicKeyOf(hex: string): KeyObject {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error('DISCORD_PUBLIC_KEY is not a public key. Expected 64 hex digits.')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') }, format: 'jwk' })
}

/** Discord signs the timestamp and the body as it was sent: JSON that is parsed and written again may have other bytes. */
export function isSigned(key: KeyObject, signature: unknown, timestamp: unknown, body: Buffer): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/i.test(signature)) return false
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  const age = Date.now() / 1000 - Number(timestamp)
  if (age > MAX_AGE_S || age < -MAX_AHEAD_S) return false
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'))
}

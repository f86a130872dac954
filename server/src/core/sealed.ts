import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
export const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The bytes that a sealed text has besides its content. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

/** Encrypts bytes to a text that only this key opens, in the same context, and unchanged. A nonce must not be used for two contents. */
export function seal(key: KeyObject, nonce: Buffer, context: Buffer, content: Buffer): string {
  const cipher = createCipheriv(ALGORITHM, key, nonce)
  cipher.setAAD(context)
  const sealed = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Decrypts a text of `seal`. Returns null for any other text. */
export function unseal(key: KeyObject, context: Buffer, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  // The second comparison rejects other texts that decode to the same bytes.
  if (bytes.length < SEAL_BYTES || bytes.toString('base64url') !== text) return null
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(context).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

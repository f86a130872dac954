import { checksum, hashOf, randomText } from './api-key.ts'
import { newOwnedSecret, ownerOf, type TokenOwner } from './user-token.ts'

/** The prefixes of the secrets of the console: `gls_` of a session, which only its cookie has, and `gll_` of a single-use link, which only signs in. */
type Prefix = 'gls_' | 'gll_'

const UNOWNED = /^(gl[ls]_)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Makes the secret of a session or a link: of a user, which it then names, or of a developer. Only its hash is stored. */
export function newConsoleSecret(prefix: Prefix, owner?: TokenOwner): { secret: string; hash: Buffer } {
  if (owner) return newOwnedSecret(prefix, owner)
  const content = randomText(30)
  const secret = `${prefix}${content}${checksum(content)}`
  return { secret, hash: hashOf(secret) }
}

/** Reads a secret. Returns undefined for one that was mistyped or made up, or is for another place, without asking the database. */
export function readConsoleSecret(prefix: Prefix, text: string): { hash: Buffer; owner?: TokenOwner } | undefined {
  const owner = ownerOf(prefix, text)
  if (owner) return { hash: hashOf(text), owner }
  const [, found, content = '', sum] = UNOWNED.exec(text) ?? []
  return found === prefix && checksum(content) === sum ? { hash: hashOf(text) } : undefined
}

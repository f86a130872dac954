import { BASE62, checksum, hashOf, randomText } from './api-key.ts'

const OWNED = /^(gl[uls]_)(([0-9A-Za-z]{22})([0-9A-Za-z]{22})[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/
const ID_CHARACTERS = 22
const MAX_ID = (1n << 128n) - 1n

/** The user that a token acts as. The token says so itself; the row of the token proves it. */
export interface TokenOwner {
  company_id: string
  user_id: string
}

function encodeId(id: string): string {
  let rest = BigInt(`0x${id.replaceAll('-', '')}`)
  let text = ''
  for (let i = 0; i < ID_CHARACTERS; i++) {
    text = BASE62[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}

/** Decodes an id. Returns undefined for a text that is larger than any id. */
function decodeId(text: string): string | undefined {
  let value = 0n
  for (const character of text) value = value * 62n + BigInt(BASE62.indexOf(character))
  if (value > MAX_ID) return undefined
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The prefixes of the secrets of a user: `glu_` of a token, `gls_` of a console session, `gll_` of a sign-in link. */
export type OwnedPrefix = 'glu_' | 'gls_' | 'gll_'

/**
 * Makes a secret of a user: its prefix, the ids of the company and the user in 22 characters each, 30 random characters, and 6 characters of their CRC32. It is
 * shown once; only its hash is stored.
 */
export function newOwnedSecret(prefix: OwnedPrefix, { company_id, user_id }: TokenOwner) {
  const content = encodeId(company_id) + encodeId(user_id) + randomText(30)
  const secret = `${prefix}${content}${checksum(content)}`
  return { secret, hash: hashOf(secret) }
}

/** Reads the owner of a secret. Returns undefined for one that was mistyped or made up, without asking the database. */
export function ownerOf(prefix: OwnedPrefix, text: string): TokenOwner | undefined {
  const [, found, content = '', company = '', user = '', sum] = OWNED.exec(text) ?? []
  if (found !== prefix || checksum(content) !== sum) return undefined
  const [company_id, user_id] = [decodeId(company), decodeId(user)]
  return company_id && user_id ? { company_id, user_id } : undefined
}

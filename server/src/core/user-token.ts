import { BASE62, checksum, hashOf, randomText } from './api-key.ts'

const TOKEN = /^glu_(([0-9A-Za-z]{22})([0-9A-Za-z]{22})[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/
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

/**
 * Makes a user token: `glu_`, the ids of the company and the user in 22 characters each, 30 random characters, and 6 characters of their CRC32. It is shown
 * once; only its hash is stored.
 */
export function newUserToken({ company_id, user_id }: TokenOwner) {
  const content = encodeId(company_id) + encodeId(user_id) + randomText(30)
  const token = `glu_${content}${checksum(content)}`
  return { token, token_hash: hashOf(token) }
}

/** Reads the owner of a token. Returns undefined for a token that was mistyped or made up, without asking the database. */
export function ownerOfToken(text: string): TokenOwner | undefined {
  const [, content = '', company = '', user = '', sum] = TOKEN.exec(text) ?? []
  if (sum === undefined || checksum(content) !== sum) return undefined
  const [company_id, user_id] = [decodeId(company), decodeId(user)]
  return company_id && user_id ? { company_id, user_id } : undefined
}

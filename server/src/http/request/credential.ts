import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hashOf, looksLikeApiKey } from '../../core/api-key.ts'
import { readConsoleSecret } from '../../core/console-secret.ts'
import { invalidBearer, unauthorized } from '../../core/problem.ts'
import { ownerOf, type TokenOwner } from '../../core/user-token.ts'
import { sessionSecretIn } from './console-cookie.ts'
import { isRepeated } from './headers.ts'

/** The credential of a request. A secret is accepted in its own place only: a session in the cookie, and a link in the body that signs in. */
export interface Credential {
  kind: 'KEY' | 'TOKEN' | 'SESSION' | 'LINK'
  hash: Buffer
  /** The user that a token, or a session or link of a user, says it acts as. Undefined for those of a developer. */
  owner?: TokenOwner
}

/** The credential in `Authorization: Bearer`. Other schemes are for proxies in front of the service, and are ignored. */
const bearerIn = ({ authorization = '' }: IncomingHttpHeaders): string => /^Bearer +(\S.*)$/i.exec(authorization)?.[1]?.trimEnd() ?? ''

/** True for a text that is meant as a credential of this service. */
const isOurs = (text: string) => /^gl[hlsu]_/.test(text)

/** Returns true if the request sends an API key as `Authorization: Bearer`. */
export const hasBearerKey = (headers: IncomingHttpHeaders) => looksLikeApiKey(bearerIn(headers))

/** True if a request has a credential in a header. An Authorization of another scheme is none. */
const hasHeader = (headers: IncomingHttpHeaders) => Boolean(headers['x-api-key']) || bearerIn(headers) !== ''

const keyOf = (key: string): Credential => ({ kind: 'KEY', hash: hashOf(key) })

/** True if `Authorization` has a credential of the service other than the key: generated clients send the one they were given in both headers. */
const isOther = (bearer: string, key: unknown) => isOurs(bearer) && bearer !== key

/**
 * The credential in the headers, if there is exactly one and that is well-formed: a key in either header or the same one in both, a token in `Authorization`
 * only.
 */
export function credentialIn(headers: IncomingHttpHeaders): Credential | undefined {
  const { 'x-api-key': key, authorization } = headers
  const bearer = authorization === undefined ? '' : bearerIn(headers)
  if (key !== undefined && key !== '')
    return typeof key === 'string' && looksLikeApiKey(key) && !isOther(bearer, key) ? keyOf(key) : undefined
  if (bearer === '') return undefined
  if (looksLikeApiKey(bearer)) return keyOf(bearer)
  const owner = ownerOf('glu_', bearer)
  return owner && { kind: 'TOKEN', hash: hashOf(bearer), owner }
}

/** The session in the cookie, if the request is of the console and the cookie is well-formed. */
function sessionIn(headers: IncomingHttpHeaders): Credential | undefined {
  const found = readConsoleSecret('gls_', sessionSecretIn(headers) ?? '')
  return found && { kind: 'SESSION', ...found }
}

/**
 * The credential of a request. Undefined also if Authorization was sent twice, because Node keeps only the first value. A credential in a header is meant, and goes
 * before the cookie, which browsers send with every request.
 */
export function credentialOf(request: FastifyRequest, hasConsole: boolean): Credential | undefined {
  if (isRepeated(request, 'authorization')) return undefined
  return hasHeader(request.headers) || !hasConsole ? credentialIn(request.headers) : sessionIn(request.headers)
}

/** The credential with which a body signs in, if it is well-formed. */
export function credentialInBody({ key, code = '' }: SignInBody): Credential | undefined {
  if (key !== undefined) return looksLikeApiKey(key) ? keyOf(key) : undefined
  const found = readConsoleSecret('gll_', code)
  return found && { kind: 'LINK', ...found }
}

/** The fields of a body that signs in, of which it has one. */
export interface SignInBody {
  key?: string
  code?: string
}

export const SESSION_ENDED = 'The console session has ended. Sign in again.'

/** Rejects a request without a valid credential. It says which header is at fault, and nothing about the credential. */
export function refuseCredential(request: FastifyRequest, hasConsole: boolean): never {
  const { headers } = request
  const { 'x-api-key': key = '' } = headers
  if (isRepeated(request, 'authorization')) return invalidBearer('Send one Authorization header.')
  const bearer = bearerIn(headers)
  const hasCookie = hasConsole && sessionSecretIn(headers) !== undefined
  if (key === '' && bearer === '') return unauthorized(hasCookie ? SESSION_ENDED : 'API key not provided')
  if (key !== '' && isOther(bearer, key)) return unauthorized('Send one credential: either X-API-KEY or Authorization.')
  if (key === '') return invalidBearer(bearer.startsWith('glu_') ? 'Unauthorized user token' : 'Unauthorized API key')
  return unauthorized(String(key).startsWith('glu_') ? 'Send a user token as Authorization: Bearer.' : undefined)
}

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hashOf, looksLikeApiKey } from '../../core/api-key.ts'
import { invalidBearer, unauthorized } from '../../core/problem.ts'
import { ownerOfToken, type TokenOwner } from '../../core/user-token.ts'
import { isRepeated } from './headers.ts'

/** The API key or user token of a request. */
export interface Credential {
  hash: Buffer
  /** The user that a token says it acts as. Undefined for a key. */
  owner?: TokenOwner
}

/** The credential in `Authorization: Bearer`. Other schemes are for proxies in front of the service, and are ignored. */
const bearerIn = ({ authorization = '' }: IncomingHttpHeaders): string => /^Bearer +(\S.*)$/i.exec(authorization)?.[1]?.trimEnd() ?? ''

/** True for a text that is meant as a credential of this service. */
const isOurs = (text: string) => /^gl[hu]_/.test(text)

/** Returns true if the request sends an API key as `Authorization: Bearer`. */
export const hasBearerKey = (headers: IncomingHttpHeaders) => looksLikeApiKey(bearerIn(headers))

/** The credential of a request, if it has exactly one and that is well-formed: a key in either header, a token in `Authorization` only. */
export function credentialIn(headers: IncomingHttpHeaders): Credential | undefined {
  const { 'x-api-key': key, authorization } = headers
  const bearer = authorization === undefined ? '' : bearerIn(headers)
  if (key !== undefined && key !== '')
    return typeof key === 'string' && looksLikeApiKey(key) && !isOurs(bearer) ? { hash: hashOf(key) } : undefined
  if (bearer === '') return undefined
  if (looksLikeApiKey(bearer)) return { hash: hashOf(bearer) }
  const owner = ownerOfToken(bearer)
  return owner && { hash: hashOf(bearer), owner }
}

/** The credential of a request. Undefined also if Authorization was sent twice, because Node keeps only the first value. */
export const credentialOf = (request: FastifyRequest): Credential | undefined =>
  isRepeated(request, 'authorization') ? undefined : credentialIn(request.headers)

/** Rejects a request without a valid credential. It says which header is at fault, and nothing about the credential. */
export function refuseCredential(request: FastifyRequest): never {
  const { headers } = request
  const { 'x-api-key': key = '' } = headers
  if (isRepeated(request, 'authorization')) return invalidBearer('Send one Authorization header.')
  const bearer = bearerIn(headers)
  if (key === '' && bearer === '') return unauthorized('API key not provided')
  if (key !== '' && isOurs(bearer)) return unauthorized('Send one credential: either X-API-KEY or Authorization.')
  if (key === '') return invalidBearer(bearer.startsWith('glu_') ? 'Unauthorized user token' : 'Unauthorized API key')
  return unauthorized(String(key).startsWith('glu_') ? 'Send a user token as Authorization: Bearer.' : undefined)
}

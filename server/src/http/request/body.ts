import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lineAndColumn, syntaxErrorAt } from '../../core/json-syntax.ts'
import { withWrittenNames } from '../../core/parse-json.ts'
import { type Fault, invalid, Problem } from '../../core/problem.ts'

export const MAX_BODY_BYTES = 256 * 1024
const MAX_DEPTH = 32
const utf8 = new TextDecoder('utf-8', { fatal: true })

const MERGE_PATCH = 'application/merge-patch+json'

const unsupported = (detail: string, headers: Record<string, string> = {}) =>
  new Problem(415, 'unsupported_media_type', detail, { headers })

export const notJson = () => unsupported('The body must be JSON. Send it with Content-Type: application/json.')

/** Every `charset` of a Content-Type. */
const CHARSETS = /;\s*charset\s*=\s*"?([^\s;"]*)/gi

/** Rejects a body that would have to be decoded, or that its media type gives another meaning. */
function refuseUnsupported({ method, headers }: FastifyRequest): void {
  const { 'content-type': type = '', 'content-encoding': coding = '' } = headers
  if (coding.split(',').some((name) => !/^(identity)?$/i.test(name.trim()))) {
    // The header tells this 415 from one about the media type (RFC 7694).
    throw unsupported('The body must not be compressed. Send it without Content-Encoding.', { 'accept-encoding': 'identity' })
  }
  for (const [, charset = ''] of type.matchAll(CHARSETS))
    if (!/^utf-?8$/i.test(charset)) throw unsupported('The body must be JSON in UTF-8. Send it without a charset, or with charset=utf-8.')
  if (method !== 'PATCH' && type.trimStart().toLowerCase().startsWith(MERGE_PATCH))
    throw unsupported(`Only PATCH takes ${MERGE_PATCH}. Send the body with Content-Type: application/json.`)
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))

const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Nearly all bodies are storable, and a large one has many texts, so that nothing is noted on the way. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const key in value) if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key])) return false
  return true
}

function unstorableIn(value: unknown, field: string, root: string): Fault[] {
  if (typeof value === 'string')
    return isStorableText(value) ? [] : [{ field: field || root, message: 'must not contain U+0000 or a lone surrogate' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...unstorableIn(key, field, root),
    ...unstorableIn(inner, field ? `${field}.${key}` : key, root),
  ])
}

/** Finds text that PostgreSQL cannot store unchanged: U+0000 and lone surrogates. */
export const unstorable = (value: unknown, field = '', root = 'body'): Fault[] =>
  isStorable(value) ? [] : unstorableIn(value, field, root)

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return invalid([{ field: 'body', message: 'must be valid JSON in UTF-8: its bytes are not UTF-8' }])
  }
}

/** Describes the position of a syntax error. The message of JSON.parse is not shown, because it quotes the body. */
function syntaxFault(text: string): string {
  const position = syntaxErrorAt(text)
  if (position === undefined) return ''
  const { line, column } = lineAndColumn(text, position)
  return `: unexpected ${position < text.length ? 'character' : 'end of the text'} at line ${line}, column ${column}`
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    invalid([{ field: 'body', message: `must be valid JSON${syntaxFault(text)}` }])
  }
  if (isDeeper(value, MAX_DEPTH)) invalid([{ field: 'body', message: `must not be nested deeper than ${MAX_DEPTH}` }])
  return withWrittenNames(text, value)
}

/** Accepts JSON bodies, and empty bodies of any type and coding; anything else is 415. */
export function readBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', MERGE_PATCH], { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    request.bodyBytes = bytes.length
    if (bytes.length) refuseUnsupported(request)
    return parse(bytes)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return
    refuseUnsupported(request)
    throw notJson()
  })
}

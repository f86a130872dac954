import type { FastifyInstance } from 'fastify'
import { isObject } from '../core/json.ts'
import { type Fault, invalid, Problem } from '../core/problem.ts'

export const MOST_BYTES = 256 * 1024
const DEEPEST = 32
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Text that PostgreSQL could not hold, or that would not come back as it was sent. */
export const unstorable = (text: string) => text.includes('\0') || !text.isWellFormed()
const UNSTORABLE = 'must not contain U+0000 or a lone surrogate'

function inspect(value: unknown, field: string, depth: number, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (unstorable(value)) faults.push({ field: field || 'body', message: UNSTORABLE })
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > DEEPEST) invalid([{ field: 'body', message: `must not be nested deeper than ${DEEPEST}` }])
  for (const [key, inner] of Object.entries(value)) {
    const path = field ? `${field}.${key}` : key
    if (unstorable(key)) faults.push({ field: field || 'body', message: UNSTORABLE })
    else inspect(inner, path, depth + 1, faults)
  }
}

/** Refuses text that cannot be stored, wherever in a value it stands. */
export function refuseUnstorable(value: unknown): void {
  const faults: Fault[] = []
  inspect(value, '', 1, faults)
  if (faults.length) invalid(faults)
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    invalid([{ field: 'body', message: 'must be valid JSON in UTF-8' }])
  }
  refuseUnstorable(value)
  if (!isObject(value)) invalid([{ field: 'body', message: 'must be a JSON object' }])
  return value
}

/** Bodies are JSON or absent; anything else is 415, and an empty one is no fault whatever its type. */
export function readBodies(app: FastifyInstance): void {
  const settle = (read: () => unknown, done: (error: Error | null, body?: unknown) => void) => {
    try {
      done(null, read())
    } catch (error) {
      done(error as Error)
    }
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (_request, bytes, done) =>
    settle(() => parse(bytes as Buffer), done),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
    settle(() => {
      if (bytes.length) throw new Problem(415, 'unsupported_media_type', 'The body must be JSON: send Content-Type: application/json.')
    }, done),
  )
}

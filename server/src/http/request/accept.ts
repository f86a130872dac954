import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { weightedValues } from '../../core/quality-values.ts'
import type { Plan } from '../plan.ts'

/** The media type of a success. A problem is always JSON, whatever the client accepts. */
const typeOf = ({ streams }: Pick<Plan, 'streams'>) => (streams ? 'text/event-stream' : 'application/json')

const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$%&'+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)$/

/**
 * Returns false if an Accept header excludes the type, by its most specific range. Parameters other than the weight are ignored. A header with an element that is
 * not a media range excludes nothing, because nobody can tell what its client accepts.
 */
export function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined || header === '*/*' || header === type) return true
  const ranges = weightedValues(header)
  if (ranges.some(({ value, quality }) => quality === undefined || !MEDIA_RANGE.test(value))) return true
  const [group] = type.split('/')
  for (const range of [type, `${group}/*`, '*/*']) {
    const weights = ranges.filter(({ value }) => value === range).map(({ quality }) => quality)
    if (weights.length > 0) return weights.some((weight) => weight !== 0)
  }
  return ranges.length === 0
}

/** True if the client does not accept the reply of the operation. */
export const isUnacceptable = (plan: Plan, { headers }: FastifyRequest): boolean => !accepts(headers.accept, typeOf(plan))

/** Rejects a request whose client does not accept the reply, after its caller is confirmed, and before anything is done. */
export async function refuseUnacceptable(plan: Plan, { session }: FastifyRequest): Promise<never> {
  // The caller of a read is not confirmed yet; a recalled one is confirmed before the error is answered. A request that signs in has none yet.
  if (session && !session.identity) await session.confirm() // 401 429 410 403 404 400
  const type = typeOf(plan)
  throw new Problem(406, 'not_acceptable', `The reply is ${type}, which Accept excludes. Send Accept: ${type}, or omit the header.`)
}

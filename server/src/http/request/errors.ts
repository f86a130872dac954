import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown, ReadTimeout } from '../../db/driver/connection-errors.ts'
import { MAX_LONG_READ_MS } from '../../db/driver/settings.ts'
import { MOST_BYTES, notJson } from './body.ts'
import { pathOf } from './headers.ts'

/** Statement timeout, lock timeout, what was still in the way of others at the last try, and a disk or memory that is full. */
const BUSY = new Set(['57014', '55P03', '40001', '40P01', '26000', '53100', '53200'])

/** What a row refers to was removed by somebody else in the same moment. */
export const REFERENCE_GONE = '23503'

const RECAST: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem(413, 'body_too_large', `The body must not exceed ${MOST_BYTES / 1024} kB.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem(400, 'bad_request', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => new Problem(400, 'bad_request', 'The path is not a valid URL path.'),
}

/** Whatever went wrong, as the problem to tell of it. What is our fault says nothing of its cause. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable)
    return new Problem(503, 'database_away', 'The database is away: try again in a moment.', { retry_after: 1 })
  if (error instanceof OutcomeUnknown) {
    return new Problem(
      503,
      'outcome_unknown',
      'The change may or may not have been made: look before you repeat it, or send an Idempotency-Key.',
    )
  }
  if (error instanceof ReadTimeout)
    return new Problem(
      503,
      'read_timeout',
      `The search took longer than ${MAX_LONG_READ_MS / 1000} s. Search for a longer or rarer text, or try again later.`,
      { retry_after: 1 },
    )
  const { code = '', statusCode = 500 } = error as FastifyError
  if (error instanceof DatabaseBusy || BUSY.has(code))
    return new Problem(503, 'database_busy', 'The database is busy: try again in a moment.', { retry_after: 1 })
  if (code === REFERENCE_GONE) return new Problem(409, 'reference_gone', 'Something this refers to has just been removed: look again.')
  const recast = RECAST[code]
  if (recast) return recast()
  if (statusCode >= 400 && statusCode < 500) return new Problem(statusCode, 'bad_request', 'The request could not be read.')
  return new Problem(500, 'internal_error', 'Something went wrong on our side. The request id finds it in our log.')
}

const MOST_AWAITED = 8 * 1024 * 1024

/**
 * Whether the rest of a refused body is on its way, and will end. The connection is not closed then, as Fastify would: who is still
 * sending might find it gone before the refusal is read, and a proxy would tell of a bad gateway.
 */
const isStillComing = (error: unknown, { raw, headers }: FastifyRequest) =>
  /^FST_ERR_CTP/.test(String((error as FastifyError).code)) && !raw.complete && Number(headers['content-length']) <= MOST_AWAITED

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error)
  request.problem = problem.code
  if (problem.status >= 500 && problem.code !== 'draining') request.log.error({ err: error }, problem.code)
  if (isStillComing(error, request)) reply.removeHeader('connection')
  const { headers, retry_after } = problem.extra
  if (headers) reply.headers(headers)
  if (retry_after !== undefined) reply.header('retry-after', retry_after)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problem.body(pathOf(request.url), request.id)))
}

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown, ReadTimeout } from '../../db/driver/connection-errors.ts'
import { MAX_LONG_READ_MS } from '../../db/driver/settings.ts'
import { MAX_BODY_BYTES, notJson } from './body.ts'
import { codingFor, sendCoded } from './compress.ts'
import { pathOf } from './headers.ts'

/** Statement timeout, lock timeout, serialization failure, deadlock, a lost prepared statement, and a full disk or memory. */
const BUSY = new Set(['57014', '55P03', '40001', '40P01', '26000', '53100', '53200'])

/** Foreign key violation: a referenced row was removed at the same moment. */
export const REFERENCE_REMOVED = '23503'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that the request was answered with. */
    problem: string | undefined
  }
}

const FASTIFY_PROBLEMS: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem(413, 'body_too_large', `The body must not exceed ${MAX_BODY_BYTES / 1024} kB.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem(400, 'bad_request', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => new Problem(400, 'bad_request', 'The path is not a valid URL path.'),
}

/** Turns any error into a problem. An internal error does not reveal its cause. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable)
    return new Problem(503, 'database_unavailable', 'The database is unavailable. Retry after the time in Retry-After.', { retry_after: 1 })
  if (error instanceof OutcomeUnknown) {
    return new Problem(
      503,
      'outcome_unknown',
      'The change may or may not have been made. Read the resource before you retry, or retry with the same Idempotency-Key.',
    )
  }
  if (error instanceof ReadTimeout)
    return new Problem(
      503,
      'read_timeout',
      `The search took longer than ${MAX_LONG_READ_MS / 1000} s. Search for a longer or rarer text, or retry later.`,
      { retry_after: 1 },
    )
  const { code = '', statusCode = 500 } = error as FastifyError
  if (error instanceof DatabaseBusy || BUSY.has(code))
    return new Problem(503, 'database_busy', 'The database is busy. Retry after the time in Retry-After.', { retry_after: 1 })
  if (code === REFERENCE_REMOVED)
    return new Problem(
      409,
      'reference_removed',
      'A resource that the request refers to has just been removed. Read it again before you retry.',
    )
  const fastifyProblem = FASTIFY_PROBLEMS[code]
  if (fastifyProblem) return fastifyProblem()
  if (statusCode >= 400 && statusCode < 500) return new Problem(statusCode, 'bad_request', 'The request could not be read.')
  return new Problem(500, 'internal_error', 'An internal error occurred. Report the request_id to the operators of the service.')
}

const MAX_AWAITED_BYTES = 8 * 1024 * 1024

/**
 * True if the rest of a rejected body is still arriving and will end. Fastify would close the connection then; a client that is still sending might not get to
 * read the response, and a proxy would answer 502.
 */
const isBodyArriving = (error: unknown, { raw, headers }: FastifyRequest) =>
  /^FST_ERR_CTP/.test(String((error as FastifyError).code)) && !raw.complete && Number(headers['content-length']) <= MAX_AWAITED_BYTES

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const problem = toProblem(error)
  request.problem = problem.code
  // A refusal is no fault, and comes from the place where it is written: it needs no stack.
  if (problem === error && problem.status === 503) {
    if (problem.code !== 'draining') request.log.warn({ detail: problem.message }, problem.code)
  } else if (problem.status >= 500) request.log.error({ err: error }, problem.code)
  if (isBodyArriving(error, request)) reply.removeHeader('connection')
  const { headers, retry_after } = problem.extra
  if (headers) reply.headers(headers)
  if (retry_after !== undefined) reply.header('retry-after', retry_after)
  const body = JSON.stringify(problem.body(pathOf(request.url), request.id))
  reply.code(problem.status).header('cache-control', 'no-store').type('application/problem+json')
  return sendCoded(reply, body, codingFor(request, reply, body))
}

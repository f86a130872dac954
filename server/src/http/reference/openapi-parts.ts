import { STATUS_CODES } from 'node:http'
import { type TSchema, Type } from '@guildhall/rules/type'
import { Permission, Role } from '../../core/access.ts'
import { Reason } from '../../core/denial.ts'
import { Id, Int, Text } from '../../core/fields.ts'
import { pageOf } from '../../core/problem.ts'
import { example } from './example.ts'

/** The codes of problems that say how much is available. */
const AMOUNT_CODES = ['not_enough_experience', 'award_spent', 'insufficient_quantity', 'desperation_too_low']

const Problem = Type.Object(
  {
    type: Text(200, 'The page that explains the code, relative to the service', pageOf('last_admin')),
    status: Int(400, 599, 'HTTP status code', 409),
    title: Text(100, 'Status phrase', 'Conflict'),
    detail: Text(10_000, 'Human-readable explanation', 'This is the last ADMIN user of the company. Make another user ADMIN first.'),
    instance: Text(10_000, 'Path of the request that failed', '/api/v1/companies'),
    code: Text(100, 'Stable code of the problem, for programs', 'last_admin'),
    request_id: Text(100, 'Identifies the request in the log of the service', 'req_Yk3xT0c9mQe8Xw1Z'),
    reason: Type.Optional(Reason('Why access is denied, on 403')),
    why: Type.Optional(
      Text(
        200,
        'The same in words for people, with what would allow the request. It completes the sentence of `detail`',
        'the acting user needs the role STORYTELLER or higher',
      ),
    ),
    needs: Type.Optional(
      Type.Partial(
        Type.Object({ permission: Permission('The permission that the key needs'), role: Role('The role that the acting user needs') }),
        {
          description: 'What would allow the request, on 403, if that can be said',
        },
      ),
    ),
    invalid_parameters: Type.Optional(
      Type.Array(
        Type.Object(
          { field: Text(1000, 'The field or parameter', 'name'), message: Text(1000, 'The fault', 'is required') },
          { title: 'Fault', description: 'One fault of a request' },
        ),
        { maxItems: 50, description: 'Every fault of a request that is not valid' },
      ),
    ),
    id: Type.Optional(Id('The resource that causes a `duplicate` or `user_archived`. Absent if the caller may not see it')),
    available: Type.Optional(
      Int(
        0,
        Number.MAX_SAFE_INTEGER,
        `How much there is of what the request wants more of, with ${AMOUNT_CODES.map((code) => `\`${code}\``).join(', ')}`,
        6,
      ),
    ),
  },
  { title: 'Problem', description: 'A problem (RFC 9457)' },
)

const header = (description: string, schema: TSchema) => ({ description, schema })
const text = (maxLength: number, sample: string) => ({ type: 'string', maxLength, examples: [sample] }) as unknown as TSchema

export const HEADERS = {
  'X-Request-Id': header('Identifies the request in the log of the service', text(100, 'req_Yk3xT0c9mQe8Xw1Z')),
  'Guildhall-Version': header('The version of the service', text(50, '1.4.0')),
  'RateLimit-Policy': header('The rate limits that apply', text(200, '"burst";q=100;w=1, "sustained";q=3000;w=60')),
  RateLimit: header('The remaining quota of each limit', text(200, '"burst";r=99;t=0, "sustained";r=2999;t=0')),
  'Retry-After': header('Seconds to wait before a retry', Int(0, 86_400, 'Seconds', 1)),
  ETag: header(
    'Version and hash of the reply, of which If-Match compares the version only; of a list, the hash; of a file, the SHA-256 of its bytes',
    text(100, '"3-Zm9vYmFyYmF6cXV4"'),
  ),
  Location: header('Path of the created resource', text(1000, '/api/v1/companies/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01')),
  Link: header(
    'Paths of the first, previous, next and last page; of a file, the address of its license',
    text(20_000, '</api/v1/companies?limit=10&offset=10>; rel="next"'),
  ),
  'Content-Disposition': header('Name of the file', text(200, 'attachment; filename="neutral-d10-pool.json"')),
  'Set-Cookie': header(
    'The cookie of the console session',
    text(200, '__Host-guildhall=gls_...; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict'),
  ),
  'Idempotent-Replayed': header('`true` if this is the stored reply to an earlier request', text(10, 'true')),
}

/** A header parameter without examples, because the reference page would put those into every sample call. */
const headerParameter = (name: string, maxLength: number, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength },
})

export const PARAMETERS = {
  OnBehalfOf: headerParameter(
    'On-Behalf-Of',
    36,
    'Id of the user on whose behalf the request is made. Their role decides what they may read and play; administering also requires the permission of the key',
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    8000,
    'Makes a retry safe: the same key and body get the first reply again, for one hour',
  ),
  IfMatch: headerParameter(
    'If-Match',
    4000,
    'Make the change only if the version is still the one that this ETag begins with. Send the ETag with its double quotes',
  ),
  LastEventId: headerParameter(
    'Last-Event-ID',
    1000,
    'Resume after the frame with this id: the stream begins with the events that followed it',
  ),
  IfNoneMatch: headerParameter('If-None-Match', 4000, 'Answer 304 if this ETag is still fresh'),
}

interface CommonProblem {
  /** Its codes. The first one is the example. */
  codes: [string, ...string[]]
  reason: string
  detail?: string
}

/** The problems that any operation can answer with. */
const COMMON_PROBLEMS: Record<string, CommonProblem> = {
  400: {
    codes: ['validation_failed', 'response_too_large', 'bad_request'],
    reason: 'A field or parameter is missing, unknown or not valid',
    detail: 'Validation failed for one or more fields.',
  },
  401: {
    codes: ['unauthorized', 'token_expired'],
    reason: 'The API key or user token is missing or not valid',
    detail: 'Unauthorized API key',
  },
  403: {
    codes: ['forbidden'],
    reason: 'The permission of the key, the role of the acting user, or the user token is not sufficient',
    detail: 'No rights to access this resource',
  },
  404: { codes: ['not_found'], reason: 'The resource does not exist, or the caller must not see it', detail: 'User not found' },
  406: { codes: ['not_acceptable'], reason: 'Accept excludes the media type of the reply' },
  410: { codes: ['gone'], reason: 'The operation was withdrawn' },
  412: { codes: ['precondition_failed'], reason: 'The resource has changed since the version in If-Match' },
  408: { codes: ['request_timeout'], reason: 'The body did not arrive within 30 s' },
  413: { codes: ['body_too_large'], reason: 'The body exceeds 256 kB' },
  415: {
    codes: ['unsupported_media_type'],
    reason: 'The body is not JSON in UTF-8, is compressed, or has a media type that the method does not take',
  },
  429: { codes: ['too_many_requests'], reason: 'Too many requests' },
  '429Stream': { codes: ['too_many_requests', 'too_many_streams'], reason: 'Too many requests, or too many open streams' },
  '429Wait': { codes: ['too_many_requests', 'too_many_waits'], reason: 'Too many requests, or too many that wait' },
  500: { codes: ['internal_error'], reason: 'An error of the service' },
  503: {
    codes: [
      'database_unavailable',
      'database_busy',
      'draining',
      'overloaded',
      'too_many_bodies',
      'too_much_unread',
      'too_many_streams',
      'read_timeout',
      'outcome_unknown',
    ],
    reason: 'The service is overloaded or shutting down, or the database is unavailable',
  },
}

/** The codes of 400 that every operation has. */
export const INVALID = COMMON_PROBLEMS[400]?.codes ?? []

/** A reference to a component. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
export const headersOf = (...names: (keyof typeof HEADERS)[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
/** The headers of every response. */
export const COMMON_HEADERS = ['X-Request-Id', 'Guildhall-Version', 'RateLimit-Policy', 'RateLimit'] as const

const RETRYABLE_STATUSES = [409, 429, 503]

/** The description of a problem response: its schema with its codes, its headers and an example with the first code. */
export function problem(status: number, codes: readonly string[], description: string, detail = description) {
  const { invalid_parameters, id, available, ...shape } = example(Problem) as Record<string, unknown>
  const [code = ''] = codes
  const value = {
    ...shape,
    type: pageOf(code),
    status,
    title: STATUS_CODES[status],
    detail,
    code,
    ...(status === 400 && { invalid_parameters }),
    ...(code === 'duplicate' && { id }),
    ...(AMOUNT_CODES.includes(code) && { available }),
  }
  const schema = { allOf: [Problem, { type: 'object', properties: { code: { type: 'string', enum: codes } }, required: ['code'] }] }
  return {
    description,
    headers: headersOf(...COMMON_HEADERS, ...(RETRYABLE_STATUSES.includes(status) ? (['Retry-After'] as const) : [])),
    content: { 'application/problem+json': { schema, examples: { problem: { summary: STATUS_CODES[status], value } } } },
  }
}

/** The responses that are the same for many operations, by status and, if there are several for one, what they are for. */
export const PROBLEMS = Object.fromEntries(
  Object.entries(COMMON_PROBLEMS).map(([name, { codes, reason, detail }]) => [
    `Problem${name}`,
    problem(Number.parseInt(name, 10), codes, reason, detail),
  ]),
)

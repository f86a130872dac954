import { STATUS_CODES } from 'node:http'
import { type TObject, type TSchema, Type } from 'typebox'
import { Id, Int, Text } from '../core/fields.ts'
import { VERSION } from '../core/version.ts'
import { example } from './example.ts'
import { nounOf, type Operation, takesBody } from './operation.ts'

const Problem = Type.Object(
  {
    status: Int(400, 599, 'HTTP status code', 409),
    title: Text(100, 'Status phrase', 'Conflict'),
    detail: Text(10_000, 'Human-readable explanation', 'This is the last ADMIN user of the company: make another user ADMIN first.'),
    instance: Text(10_000, 'Path of the request that failed', '/api/v1/companies'),
    code: Text(100, 'Stable name of the fault, for programs', 'last_admin'),
    request_id: Text(100, 'Finds the request in our log', 'req_Yk3xT0c9mQe8Xw1Z'),
    invalid_parameters: Type.Optional(
      Type.Array(
        Type.Object(
          { field: Text(1000, 'Which field or parameter', 'name'), message: Text(1000, 'What is wrong with it', 'is required') },
          { title: 'Fault', description: 'One fault of a request' },
        ),
        { maxItems: 50, description: 'Every fault of a request that is not valid' },
      ),
    ),
  },
  { title: 'Problem', description: 'What went wrong (RFC 9457)' },
)

const header = (description: string, schema: TSchema) => ({ description, schema })
const text = (maxLength: number, sample: string) => ({ type: 'string', maxLength, examples: [sample] }) as unknown as TSchema

const HEADERS = {
  'X-Request-Id': header('Finds the request in our log', text(100, 'req_Yk3xT0c9mQe8Xw1Z')),
  'RateLimit-Policy': header('The limits in force', text(200, '"burst";q=100;w=1, "sustained";q=3000;w=60')),
  RateLimit: header('What is left of them', text(200, '"burst";r=99;t=0, "sustained";r=2999;t=0')),
  'Retry-After': header('Seconds after which to try again', Int(0, 86_400, 'Seconds', 1)),
  ETag: header('Version and hash of the reply', text(100, '"3-Zm9vYmFyYmF6cXV4"')),
  Location: header('Path of what was created', text(1000, '/api/v1/companies/019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01')),
  Link: header('Paths of the first, previous, next and last page', text(4000, '</api/v1/companies?limit=10&offset=10>; rel="next"')),
  'Idempotent-Replayed': header('`true` when the reply is the kept one', text(10, 'true')),
}

const PARAMETERS = {
  OnBehalfOf: {
    name: 'On-Behalf-Of',
    in: 'header',
    description: 'The user on whose behalf this is done: their role binds',
    schema: Id('User identifier'),
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a retry safe: the same key and body get the first reply again, for one hour',
    schema: text(8000, '5f0c2a1e-6a53-4a5c-9a0e-9a3c1d0f7b21'),
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Only if the version is still that of this ETag',
    schema: text(4000, '"3-Zm9vYmFyYmF6cXV4"'),
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 if this ETag is still fresh',
    schema: text(4000, '"3-Zm9vYmFyYmF6cXV4"'),
  },
}

/** Why a status is answered, where its phrase does not say it. */
const REASONS: Record<number, string> = {
  400: 'A field or parameter is missing, unknown or not valid',
  401: 'The API key is missing or not valid',
  403: 'The key, or the role of the acting user, does not allow this here',
  404: 'It does not exist, or not for you',
  412: 'It has changed since the version named by If-Match',
  413: 'The body exceeds 256 kB',
  415: 'The body is not JSON',
  429: 'Too many requests',
  500: 'Our fault',
  503: 'Overloaded, shutting down, or the database is away',
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const headersOf = (...names: (keyof typeof HEADERS)[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
const EVERY = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const

const inCompany = ({ path }: Operation) => path.includes('{company_id}')
const isList = ({ reply: [, schema] }: Operation) => Boolean((schema as TObject | undefined)?.properties?.items)
const isVersioned = ({ reply: [, schema] }: Operation) => Boolean((schema as TObject | undefined)?.properties?.version)

function parametersOf(op: Operation): object[] {
  const inPath = [...op.path.matchAll(/{(\w+)}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: Id(`${nounOf(name as string)} identifier`),
  }))
  const inQuery = Object.entries((op.query?.properties ?? {}) as Record<string, TSchema & { description?: string }>).map(
    ([name, schema]) => ({
      name,
      in: 'query',
      description: schema.description,
      schema,
    }),
  )
  return [
    ...inPath.map((parameter) => ({ ...parameter, description: (parameter.schema as { description?: string }).description })),
    ...inQuery,
    ...(inCompany(op) ? [ref('parameters', 'OnBehalfOf')] : []),
    ...(takesBody(op) ? [ref('parameters', 'IdempotencyKey')] : []),
    ...(op.method !== 'GET' && op.method !== 'POST' ? [ref('parameters', 'IfMatch')] : []),
    ...(op.method === 'GET' && isVersioned(op) ? [ref('parameters', 'IfNoneMatch')] : []),
  ]
}

function successOf(op: Operation): Record<number, object> {
  const [status, schema] = op.reply
  if (!schema) return { 204: { description: 'Done', headers: headersOf(...EVERY) } }
  const content = { 'application/json': { schema, examples: { reply: { summary: 'A reply', value: example(schema) } } } }
  const reply = (code: number, description: string) => ({
    description,
    headers: headersOf(
      ...EVERY,
      ...(isVersioned(op) ? (['ETag'] as const) : []),
      ...(isList(op) ? (['Link'] as const) : []),
      ...(code === 201 ? (['Location'] as const) : []),
      ...(takesBody(op) ? (['Idempotent-Replayed'] as const) : []),
    ),
    content,
  })
  if (op.method === 'PUT') return { 200: reply(200, 'Changed'), 201: reply(201, 'Created') }
  const fresh = op.method === 'GET' && isVersioned(op) ? { 304: { description: 'Not modified', headers: headersOf(...EVERY, 'ETag') } } : {}
  return { [status]: reply(status, status === 201 ? 'Created' : 'Done'), ...fresh }
}

function failuresOf(op: Operation): Record<number, object> {
  const codes = [400, 401, 429, 500, 503]
  if (op.needs.key !== 'KEY') codes.push(403)
  if (op.path.includes('{')) codes.push(404)
  if (op.method !== 'GET' && op.method !== 'POST') codes.push(412)
  if (takesBody(op)) codes.push(413, 415)
  const failures: Record<number, object> = Object.fromEntries(codes.map((code) => [code, ref('responses', `Problem${code}`)]))
  const conflicts = [
    ...(op.conflict ? [op.conflict] : []),
    ...(takesBody(op) ? ['The Idempotency-Key was used with a different body.'] : []),
  ]
  if (conflicts.length) failures[409] = problem(409, conflicts.join(' '))
  return failures
}

const problem = (code: number, description: string) => ({
  description,
  headers: headersOf(...EVERY, ...(code === 429 || code === 503 || code === 409 ? (['Retry-After'] as const) : [])),
  content: {
    'application/problem+json': {
      schema: Problem,
      examples: { problem: { summary: STATUS_CODES[code], value: { ...(example(Problem) as object), ...problemExample(code) } } },
    },
  },
})

function problemExample(code: number) {
  const fault = code === 400 ? { invalid_parameters: [{ field: 'name', message: 'is required' }] } : { invalid_parameters: undefined }
  const detail: Record<number, [string, string]> = {
    400: ['validation_failed', 'Validation failed for one or more fields.'],
    401: ['unauthorized', 'Unauthorized API key'],
    403: ['forbidden', 'No rights to access this resource'],
    404: ['not_found', 'User not found'],
    409: ['conflict', 'This is the last ADMIN user of the company: make another user ADMIN first.'],
  }
  const [name, words] = detail[code] ?? ['other', REASONS[code] ?? '']
  return { status: code, title: STATUS_CODES[code], detail: words, code: name, ...fault }
}

/** `auditLogs.list` stands under Audit logs. */
const tagOf = ({ id }: Operation) => nounOf((id.split('.')[0] as string).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** What a caller needs, in a sentence for the reference. */
function needsOf({ needs: { key, role } }: Operation): string {
  if (key === 'KEY') return 'Needs an API key.'
  if (key === 'GLOBAL_ADMIN') return 'Needs the API key of a global admin.'
  return `Needs a key with permission ${key} in the company${role ? `, and role ${role} of the user named by On-Behalf-Of` : ''}.`
}

function describe(op: Operation): object {
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    description: [op.description, needsOf(op), op.emits && `Writes the event \`${op.emits}\`.`].filter(Boolean).join(' '),
    ...(op.deprecated && { deprecated: true }),
    security: [{ [op.needs.key === 'GLOBAL_ADMIN' ? 'OperatorKey' : 'ApiKey']: [] }],
    parameters: parametersOf(op),
    ...(op.body && {
      requestBody: {
        description: op.summary,
        required: (op.body.required ?? []).length > 0 || op.method === 'PATCH',
        content: Object.fromEntries(
          (op.method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']).map((type) => [
            type,
            {
              schema: { ...op.body, additionalProperties: false },
              examples: { body: { summary: op.summary, value: example(op.body as TSchema) } },
            },
          ]),
        ),
      },
    }),
    responses: { ...successOf(op), ...failuresOf(op) },
  }
}

/** OpenAPI 3.1 speaks JSON Schema, and TypeBox is JSON Schema: there is nothing to convert. */
export function openapi(operations: Operation[], about: Record<string, string> = {}) {
  const paths: Record<string, Record<string, object>> = {}
  for (const op of operations) {
    const path = `/api/v1${op.path}`
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: describe(op) }
  }
  const responses = Object.fromEntries(Object.entries(REASONS).map(([code, reason]) => [`Problem${code}`, problem(Number(code), reason)]))
  const tags = [...new Set(operations.map(tagOf))]
  const { document, schemas } = hoist({ paths, responses })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guildhall',
      version: VERSION,
      summary: 'The tabletop gaming campaign service',
      description:
        'A multi-tenant REST API on which others build applications for role-playing games. Send your API key as X-API-KEY, and an Idempotency-Key with every write you may have to repeat.',
      contact: { name: 'The operators of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server this document came from: production, staging or local', 'x-internal': false }],
    tags: tags.map((name) => ({ name, description: about[name] ?? name })),
    paths: document.paths,
    components: {
      schemas,
      parameters: hoist(PARAMETERS).document,
      headers: hoist(HEADERS).document,
      responses: document.responses,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The API key of a developer' },
        OperatorKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The API key of a global admin' },
      },
    },
  }
}

/** A schema with a title becomes a component, and a reference wherever it stood. */
function hoist<T extends object>(tree: T) {
  const schemas: Record<string, object> = {}
  const document = JSON.parse(JSON.stringify(tree), (_key, value) => {
    if (value?.type !== 'object' || typeof value.title !== 'string') return value
    schemas[value.title] = { ...schemas[value.title], ...value }
    return { $ref: `#/components/schemas/${value.title}` }
  }) as T
  return { document, schemas }
}

import type { TObject, TSchema } from 'typebox'
import { Id } from '../../core/fields.ts'
import { VERSION } from '../../core/version.ts'
import { eventsOf, isSubject, nounOf, type Operation, readsIfMatch, restores, takesBody } from '../operation.ts'
import { example, sampleOf } from './example.ts'
import { INTRODUCTION } from './introduction.ts'
import { EVERY, HEADERS, headersOf, PARAMETERS, PROBLEMS, problem, ref } from './openapi-parts.ts'

const inCompany = ({ path }: Operation) => path.includes('{company_id}')
const isList = ({ reply: [, schema] }: Operation) => Boolean((schema as TObject | undefined)?.properties?.limit)
const isVersioned = ({ reply: [, schema] }: Operation) => Boolean((schema as TObject | undefined)?.properties?.version)

function parametersOf(op: Operation): object[] {
  const inPath = [...op.path.matchAll(/{(\w+)}/g)].map(([, name = '']) => {
    const description = `${nounOf(name)} identifier`
    return { name, in: 'path', required: true, description, schema: Id(description) }
  })
  const queries = Object.entries((op.query?.properties ?? {}) as Record<string, TSchema & { description?: string }>)
  const inQuery = queries.map(([name, schema]) => {
    // `?include=a,b`
    const list = (schema as { type?: string }).type === 'array' ? { style: 'form', explode: false } : {}
    const required = op.query?.required?.includes(name) && !('default' in schema) ? { required: true } : {}
    return { name, in: 'query', ...required, description: schema.description, ...list, schema }
  })
  const headers: (keyof typeof PARAMETERS)[] = []
  if (inCompany(op)) headers.push('OnBehalfOf')
  if (takesBody(op)) headers.push('IdempotencyKey')
  if (readsIfMatch(op)) headers.push('IfMatch')
  if (op.method === 'GET' && isVersioned(op)) headers.push('IfNoneMatch')
  return [...inPath, ...inQuery, ...headers.map((name) => ref('parameters', name))]
}

function successOf(op: Operation): Record<number, object> {
  const [status, schema] = op.reply
  if (!schema) return { 204: { description: 'Done', headers: headersOf(...EVERY) } }
  const content = { 'application/json': { schema, examples: { reply: { summary: 'A reply', value: example(schema) } } } }
  const reply = (code: number, description: string) => {
    const headers: (keyof typeof HEADERS)[] = [...EVERY]
    if (isVersioned(op)) headers.push('ETag')
    if (isList(op)) headers.push('Link')
    if (code === 201 && (schema as TObject).properties.id) headers.push('Location')
    if (takesBody(op)) headers.push('Idempotent-Replayed')
    return { description, headers: headersOf(...headers), content }
  }
  // Only a PUT to a thing of its own can make one.
  if (op.method === 'PUT' && op.path.endsWith('}')) return { 200: reply(200, 'Changed'), 201: reply(201, 'Created') }
  const fresh = op.method === 'GET' && isVersioned(op) ? { 304: { description: 'Not modified', headers: headersOf(...EVERY, 'ETag') } } : {}
  return { [status]: reply(status, status === 201 ? 'Created' : 'Done'), ...fresh }
}

const KEY_CONFLICTS = {
  idempotency_key_reused: 'The Idempotency-Key was used with a different body',
  idempotency_in_progress: 'A request with this Idempotency-Key is still running; try again after Retry-After',
}

function failuresOf(op: Operation): Record<number, object> {
  const codes = [400, 401, 429, 500, 503]
  if (op.needs.key !== 'KEY') codes.push(403)
  if (op.path.includes('{')) codes.push(404)
  if (readsIfMatch(op)) codes.push(412)
  if (takesBody(op)) codes.push(408, 413, 415)
  if (op.deprecated) codes.push(410)
  const failures: Record<number, object> = Object.fromEntries(codes.map((code) => [code, ref('responses', `Problem${code}`)]))
  const parents = op.within?.filter((place) => !isSubject(op, place)) ?? []
  const conflicts = Object.entries({
    ...op.conflicts,
    ...(restores(op) && parents.length && { parent_archived: 'What it belongs to is archived' }),
    ...(takesBody(op) && KEY_CONFLICTS),
  })
  const [first] = conflicts
  if (first) failures[409] = problem(409, first[0], conflicts.map(([code, when]) => `\`${code}\`: ${when}.`).join(' '), `${first[1]}.`)
  return failures
}

/** `auditLogs.list` stands under Audit logs. */
const tagOf = ({ id }: Operation) => nounOf((id.split('.')[0] as string).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** What a caller needs, in a sentence for the reference. */
function needsOf({ path, needs: { key, role, who } }: Operation): string {
  if (key === 'KEY') return 'Needs an API key.'
  if (key === 'GLOBAL_ADMIN') return 'Needs the API key of a global admin.'
  const actor = /users\/{user_id}\/(?!restore)/.test(path) ? 'the acting user' : 'a user named by On-Behalf-Of'
  return `Needs a key with permission ${key} in the company${role ? `; ${actor} needs role ${role} or higher` : ''}.${who ? ` ${who}` : ''}`
}

const auditOf = (op: Operation) =>
  op.emits &&
  `Stands in the audit log as ${eventsOf(op)
    .map((type) => `\`${type}\``)
    .join(' or ')}.`

function describe(op: Operation): object {
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    description: [op.description, needsOf(op), auditOf(op)].filter(Boolean).join(' '),
    ...(op.deprecated && { deprecated: true }),
    security: [{ [op.needs.key === 'GLOBAL_ADMIN' ? 'OperatorKey' : 'ApiKey']: [] }],
    parameters: parametersOf(op),
    ...(op.body && {
      requestBody: {
        description: op.summary,
        required: (op.body.required ?? []).length > 0 || op.method === 'PATCH' || 'minProperties' in op.body,
        content: Object.fromEntries(
          (op.method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']).map((type) => [
            type,
            {
              schema: { ...op.body, additionalProperties: false, ...(op.method === 'PATCH' && { minProperties: 1 }) },
              examples: { body: { summary: op.summary, value: sampleOf(op.body as TObject) } },
            },
          ]),
        ),
      },
    }),
    responses: { ...successOf(op), ...failuresOf(op) },
  }
}

const usedIn = (paths: object) => {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(PROBLEMS).filter(([name]) => text.includes(`"${ref('responses', name).$ref}"`)))
}

/** OpenAPI 3.1 speaks JSON Schema, and TypeBox is JSON Schema: there is nothing to convert. */
export function openapi(operations: Operation[], about: Record<string, string> = {}) {
  const paths: Record<string, Record<string, object>> = {}
  for (const op of operations) {
    const path = `/api/v1${op.path}`
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: describe(op) }
  }
  const tags = [...new Set(operations.map(tagOf))]
  const { document, schemas } = hoist({ paths, responses: usedIn(paths) })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guildhall',
      version: VERSION,
      summary: 'The tabletop gaming campaign service',
      description: INTRODUCTION,
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

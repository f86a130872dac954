import type { TObject, TSchema } from '@guildhall/rules/type'
import { PERMISSIONS, ROLES } from '../../core/access.ts'
import { Id } from '../../core/fields.ts'
import { VERSION } from '../../core/version.ts'
import type { Operation } from '../operation.ts'
import { nounOf, type Plan, planOf } from '../plan.ts'
import { chaptersOf } from './chapters.ts'
import { example, samplesOf } from './example.ts'
import { descriptionOf, factor, hoist } from './factor.ts'
import { INTRODUCTION } from './introduction.ts'
import { COMMON_HEADERS, HEADERS, headersOf, INVALID, PARAMETERS, PROBLEMS, problem, ref } from './openapi-parts.ts'
import { WEBHOOK_HEADERS, webhookRequests } from './webhook-requests.ts'

function parametersOf(plan: Plan): object[] {
  const inPath = plan.params.map(({ name, noun, text }) => {
    const description = text ? `${noun} ${name.replaceAll('_', ' ')}` : `${noun} identifier`
    return { name, in: 'path', required: true, description, schema: text?.schema ?? Id(description) }
  })
  const queries = Object.entries((plan.query?.properties ?? {}) as Record<string, TSchema & { description?: string }>)
  const inQuery = queries.map(([name, schema]) => {
    // `?include=a,b`
    const list = (schema as { type?: string }).type === 'array' ? { style: 'form', explode: false } : {}
    const required = plan.query?.required?.includes(name) && !('default' in schema) ? { required: true } : {}
    return { name, in: 'query', ...required, description: schema.description, ...list, schema }
  })
  const headers: (keyof typeof PARAMETERS)[] = []
  if (plan.inCompany) headers.push('OnBehalfOf')
  if (plan.takesIdempotencyKey) headers.push('IdempotencyKey')
  if (plan.readsIfMatch) headers.push('IfMatch')
  if (plan.method === 'GET' && plan.hasETag) headers.push('IfNoneMatch')
  if (plan.streams) headers.push('LastEventId')
  return [...inPath, ...inQuery, ...headers.map((name) => ref('parameters', name))]
}

function successOf(plan: Plan): Record<number, object> {
  const [status, schema] = plan.reply
  if (plan.streams && schema) return { 200: streamOf(schema) }
  const common: (keyof typeof HEADERS)[] = [...COMMON_HEADERS]
  if (plan.takesIdempotencyKey) common.push('Idempotent-Replayed')
  // What only a session may do is to end.
  if ((plan.signsIn && plan.writes) || plan.needs.key === 'SESSION') common.push('Set-Cookie')
  if (!schema) return { 204: { description: 'Done', headers: headersOf(...common) } }
  const shown = plan.otherReply ? { oneOf: [schema, plan.otherReply] } : schema
  const content = { 'application/json': { schema: shown, examples: { reply: { summary: 'A reply', value: example(schema) } } } }
  const reply = (code: number, description: string) => {
    const headers = [...common]
    if (plan.hasETag) headers.push('ETag')
    if (plan.isList || plan.file) headers.push('Link')
    if (plan.file) headers.push('Content-Disposition')
    if (code === 201 && (schema as TObject).properties.id) headers.push('Location')
    return { description, headers: headersOf(...headers), content }
  }
  // A PUT creates its resource only where the path ends with the resource's id.
  if (plan.method === 'PUT' && plan.endsWithId && !plan.replaces) return { 200: reply(200, 'Changed'), 201: reply(201, 'Created') }
  if (status === 201 && (plan.body as TObject | undefined)?.properties.dry_run)
    return { 200: reply(200, 'Nothing was stored, because `dry_run` is true'), 201: reply(201, 'Created') }
  const fresh =
    plan.method === 'GET' && plan.hasETag ? { 304: { description: 'Not modified', headers: headersOf(...COMMON_HEADERS, 'ETag') } } : {}
  return { [status]: reply(status, status === 201 ? 'Created' : 'Done'), ...fresh }
}

/** A stream. OpenAPI 3.1 has no word for frames: by convention, the schema is that of the data of an event. */
function streamOf(schema: TSchema): object {
  const description = 'Server-Sent Events. The data of every frame without an event name is one event, as JSON'
  const media = { schema, examples: { event: { summary: 'The data of an event', value: example(schema) } } }
  return { description, headers: headersOf(...COMMON_HEADERS), content: { 'text/event-stream': media } }
}

const KEY_CONFLICTS = {
  idempotency_key_reused: 'The Idempotency-Key was used with a different body',
  idempotency_in_progress: 'A request with this Idempotency-Key is still running; retry after the time in Retry-After',
}

const sentences = (codes: [code: string, when: string][]) => codes.map(([code, when]) => `\`${code}\`: ${when}.`).join(' ')

function conflictsOf(plan: Plan): [code: string, when: string][] {
  const hasParents = plan.through.some((resource) => resource !== plan.subject)
  return Object.entries({
    ...(plan.mayTakeExternalId && { duplicate: 'Another live resource of this kind in the company has the external_id' }),
    ...plan.conflicts,
    ...(plan.act === 'restore' && hasParents && { parent_archived: 'Its parent is archived' }),
    ...(plan.writes && { reference_removed: 'A resource that the request refers to was removed at the same moment' }),
    ...(plan.takesIdempotencyKey && KEY_CONFLICTS),
  })
}

function failuresOf(plan: Plan): Record<number, object> {
  // 403 also where every key is accepted, because a user token may not be.
  const statuses = [400, 401, 403, 406, 429, 500, 503]
  if (plan.params.length > 0 || plan.acceptsToken || plan.signsIn) statuses.push(404)
  if (plan.readsIfMatch) statuses.push(412)
  if (plan.takesBody) statuses.push(408, 413, 415)
  if (plan.deprecated) statuses.push(410)
  const failures: Record<number, object> = Object.fromEntries(statuses.map((status) => [status, ref('responses', `Problem${status}`)]))
  if (plan.streams) failures[429] = ref('responses', 'Problem429Stream')
  if (plan.wait) failures[429] = ref('responses', 'Problem429Wait')
  if (plan.signsIn)
    failures[403] = problem(
      403,
      ['sign_in_refused', 'forbidden'],
      "`sign_in_refused`: The request came over plain HTTP from another machine, or not from the console's own pages.",
      'The console signs in only over HTTPS, or on the machine of the service.',
    )
  const invalid = Object.entries(plan.invalidFor ?? {})
  if (invalid.length) {
    const description = `A field or parameter is not valid. ${sentences(invalid)}`
    failures[400] = problem(400, [...INVALID, ...invalid.map(([code]) => code)], description, 'Validation failed for one or more fields.')
  }
  const conflicts = conflictsOf(plan)
  const codes = conflicts.map(([code]) => code)
  if (conflicts[0]) failures[409] = problem(409, codes, sentences(conflicts), `${conflicts[0][1]}.`)
  return failures
}

/** The tag of an operation: `auditLogs.list` belongs to Audit logs. */
const tagOf = ({ id }: Plan) => nounOf((id.split('.')[0] as string).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** The values of an order that are enough, as in `ADMIN or OWNER`. */
const enough = <T extends string>(order: readonly T[], needed: T) => {
  const accepted = order.slice(order.indexOf(needed))
  return [accepted.slice(0, -1).join(', '), accepted.at(-1)].filter(Boolean).join(' or ')
}

/** The requirements of an operation, as sentences. */
function needsOf({ actor, needs: { key, role, may }, inCompany, writesExternalId, acceptsToken, writes, signsIn }: Plan): string {
  if (signsIn)
    return 'Needs no credential other than the body, and only the pages of the console may use it: the request needs `Sec-Fetch-Site: same-origin` and `X-Guildhall-Console: 1`.'
  if (key === 'SESSION') return 'Needs a console session.'
  if (key === 'KEY') return 'Needs an API key.'
  if (key === 'ANY') return 'Needs an API key or a user token.'
  if (key === 'GLOBAL_ADMIN') return 'Needs the API key of a global admin.'
  const externalId =
    inCompany && writesExternalId && role !== 'ADMIN' ? ' An acting user who is not ADMIN may not write `external_id`.' : ''
  const user = actor === 'path' ? 'the acting user' : 'a user named by On-Behalf-Of'
  const token = acceptsToken ? `, or a user token${writes ? ' with scope PLAY' : ''}` : ''
  const permission = `Needs a key with permission ${enough(PERMISSIONS, key)} in the company${token}`
  return `${permission}${role ? `; ${user} needs role ${enough(ROLES, role)}` : ''}.${may ? ` ${may.sentence}` : ''}${externalId}`
}

const COOKIE = { type: 'apiKey', in: 'cookie', name: '__Host-guildhall' } as const
const COOKIE_COUNTS = 'It counts only in requests with `Sec-Fetch-Site: same-origin` and `X-Guildhall-Console: 1`'

/** The credentials that an operation accepts, each alone. */
function securityOf({ needs: { key }, acceptsKey, acceptsToken, signsIn }: Plan): Record<string, string[]>[] {
  if (signsIn) return []
  if (!acceptsKey) return [{ ConsoleSession: [] }]
  const keys: Record<string, string[]>[] =
    key === 'GLOBAL_ADMIN' ? [{ OperatorKey: [] }, { OperatorBearer: [] }] : [{ ApiKey: [] }, { ApiKeyBearer: [] }]
  const session: Record<string, string[]> = key === 'GLOBAL_ADMIN' ? { OperatorSession: [] } : { ConsoleSession: [] }
  return [...keys, ...(acceptsToken ? [{ UserToken: [] }] : []), session]
}

const auditOf = ({ events }: Plan) => events.length > 0 && `Recorded in the audit log as ${events.map((type) => `\`${type}\``).join(', ')}.`

/** True if an empty body is never valid. */
const needsFields = ({ body, method }: Plan) =>
  (body?.required ?? []).length > 0 || method === 'PATCH' || ['minProperties', 'x-alternatives'].some((keyword) => keyword in (body ?? {}))

function describe(plan: Plan): object {
  return {
    operationId: plan.id.replace('.', '_'),
    tags: [tagOf(plan)],
    summary: plan.summary,
    description: [plan.description, needsOf(plan), auditOf(plan)].filter(Boolean).join(' '),
    ...(plan.deprecated && { deprecated: true }),
    security: securityOf(plan),
    parameters: parametersOf(plan),
    ...(plan.body && {
      requestBody: {
        description: plan.summary,
        required: needsFields(plan),
        content: Object.fromEntries(
          (plan.method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']).map((type) => [
            type,
            {
              schema: {
                description: descriptionOf((plan.body as { title?: string }).title ?? '') ?? plan.summary,
                ...plan.body,
                additionalProperties: false,
                ...(plan.method === 'PATCH' && { minProperties: 1 }),
              },
              examples: samplesOf(plan),
            },
          ]),
        ),
      },
    }),
    responses: { ...successOf(plan), ...failuresOf(plan) },
  }
}

/** The components of a kind that a part of the document refers to. */
const usedIn = (part: object, kind: string, components: object) => {
  const text = JSON.stringify(part)
  return Object.fromEntries(Object.entries(components).filter(([name]) => text.includes(`"${ref(kind, name).$ref}"`)))
}

/** The OpenAPI 3.1 document. Its schemas are JSON Schema, as TypeBox schemas are, so that nothing is converted. */
export function openapi(operations: Operation[], share = factor) {
  const paths: Record<string, Record<string, object>> = {}
  const plans = operations.map(planOf)
  for (const plan of plans) {
    const path = `/api/v1${plan.path}`
    paths[path] = { ...paths[path], [plan.method.toLowerCase()]: describe(plan) }
  }
  const tags = [...new Set(plans.map(tagOf))]
  const about: Record<string, string> = Object.assign({}, ...plans.map((plan) => plan.about))
  const webhooks = webhookRequests(plans)
  const { document, schemas } = hoist({ paths, webhooks, responses: usedIn(paths, 'responses', PROBLEMS) })
  const shared = share(document.paths)
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
    'x-tagGroups': chaptersOf(tags),
    paths: document.paths,
    webhooks: document.webhooks,
    components: {
      schemas,
      parameters: {
        ...hoist(usedIn({ paths, webhooks }, 'parameters', { ...PARAMETERS, ...WEBHOOK_HEADERS })).document,
        ...shared.parameters,
      },
      examples: shared.examples,
      headers: hoist(HEADERS).document,
      responses: { ...document.responses, ...shared.responses },
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The API key of a developer' },
        OperatorKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The API key of a global admin' },
        ApiKeyBearer: { type: 'http', scheme: 'bearer', bearerFormat: 'glh_...', description: 'The API key of a developer' },
        OperatorBearer: { type: 'http', scheme: 'bearer', bearerFormat: 'glh_...', description: 'The API key of a global admin' },
        UserToken: { type: 'http', scheme: 'bearer', bearerFormat: 'glu_...', description: 'A token of one user' },
        ConsoleSession: { ...COOKIE, description: `The session of a developer or a user in the console. ${COOKIE_COUNTS}` },
        OperatorSession: { ...COOKIE, description: `The session of a global admin in the console. ${COOKIE_COUNTS}` },
      },
    },
  }
}

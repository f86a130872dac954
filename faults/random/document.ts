import { readFileSync } from 'node:fs'

/** The part of JSON Schema that requests use. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: boolean | Schema
}

interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

interface Media {
  schema: Schema
  examples?: Record<string, { $ref?: string; value: Record<string, unknown> }>
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { $ref?: string; content?: object }>
}

/** An operation as the OpenAPI document describes it. */
export interface Documented {
  id: string
  method: string
  path: string
  query: Parameter[]
  body: Media | undefined
  statuses: string[]
}

interface Document {
  paths: Record<string, Record<string, Described>>
  components: unknown
}

export const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document

/** Follows a reference. */
export function resolve<T extends { $ref?: string }>(node: T): T {
  if (!node.$ref) return node
  const steps = node.$ref.split('/').slice(1)
  return resolve(steps.reduce((value, step) => (value as Record<string, unknown>)[step], document as unknown) as T)
}

/** A stream does not end, so that a random request would wait for it. */
const isStream = ({ responses }: Described) => 'text/event-stream' in (resolve(responses[200] ?? {}).content ?? {})

const withExamples = (media: Media | undefined): Media | undefined =>
  media?.examples && { ...media, examples: Object.fromEntries(Object.entries(media.examples).map(([name, one]) => [name, resolve(one)])) }

export const documented: Documented[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, described]) => !isStream(described))
    .map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      query: parameters.map(resolve).filter((parameter) => parameter.in === 'query'),
      body: withExamples(requestBody?.content['application/json']),
      statuses: Object.keys(responses),
    })),
)

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Fault, invalid } from '../../core/problem.ts'
import { type Operation, readsIfMatch, takesBody } from '../operation.ts'
import { unstorable } from './body.ts'
import { matchFaults } from './etag.ts'
import { parameterHint } from './parameter-hints.ts'

const ajv = new Ajv({ verbose: true, allErrors: true, useDefaults: true, strict: true, allowUnionTypes: true })
formats.default(ajv, ['uuid', 'date-time', 'email'])
const { validate: isDateTime } = ajv.formats['date-time'] as { validate(text: string): boolean }
// A leap second is a date-time to the RFC, and nothing to JavaScript.
ajv.addFormat('date-time', (text: string) => isDateTime(text) && !Number.isNaN(Date.parse(text)))
ajv.addFormat('int32', true)
ajv.addFormat('int64', true)
ajv.addKeyword('x-enum')
/** A keyword that puts text into its one form before it is measured. */
const tidy = (keyword: string, form: (text: string) => string) =>
  ajv.addKeyword({
    keyword,
    type: 'string',
    before: 'maxLength',
    modifying: true,
    compile: () => (value, at) => {
      if (at) at.parentData[at.parentDataProperty] = form(value)
      return true
    },
  })
tidy('x-trim', (name) => name.trim())
tidy('x-lowercase', (id) => id.toLowerCase())

const NOTHING = Type.Object({})

/** A body may only hold what its schema names: bodies become columns. */
const closed = (schema: TObject, also = {}) => ajv.compile({ ...schema, additionalProperties: false, ...also })

/** Query parameters arrive as text. What does not read as its type stays text, and is refused for it. */
function typed(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = { ...query }
  for (const [name, { type }] of Object.entries(schema.properties as Record<string, TSchema & { type?: string }>)) {
    const text = values[name]
    if (type === 'integer' && typeof text === 'string' && /^(0|-?[1-9]\d{0,15})$/.test(text)) values[name] = Number(text)
    if (type === 'array' && typeof text === 'string') values[name] = text.split(',')
    if (type === 'boolean' && (text === 'true' || text === 'false')) values[name] = text === 'true'
  }
  return values
}

/** The message for a field or parameter that the schema does not name. */
type Unknown = (name: string) => string
const unknownField: Unknown = () => 'is not an accepted field'
const unknownParameter =
  (query: TObject): Unknown =>
  (name) =>
    ['is not an accepted parameter', parameterHint(name, query)].filter(Boolean).join('. ')

function faultOf(
  { keyword, instancePath, propertyName, parentSchema, params, message = 'is not valid' }: ErrorObject,
  unknown: Unknown,
): Fault {
  const at = propertyName === undefined ? instancePath : `${instancePath}/${propertyName}`
  const path = at.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const below = (name: string) => (path ? `${path}.${name}` : name)
  switch (keyword) {
    case 'required':
      return { field: below(params.missingProperty), message: 'is required' }
    case 'additionalProperties':
      return { field: below(params.additionalProperty), message: unknown(params.additionalProperty) }
    case 'enum':
      return { field: path, message: `must be one of ${params.allowedValues.join(', ')}` }
    case 'maxProperties':
      return { field: path || 'body', message: `must name at most ${params.limit}` }
    case 'pattern':
      return { field: path, message: `must be ${parentSchema?.description ?? `like ${params.pattern}`}` }
    case 'uniqueItems':
      return { field: path, message: 'must not name anything twice' }
    case 'minProperties':
      return { field: path || 'body', message: 'must name at least one field' }
    case 'minLength':
      return { field: path, message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters` }
    case 'maxLength':
      return { field: path, message: `must have at most ${params.limit} characters` }
    case 'type':
      return { field: path || 'body', message: `must be of type ${[params.type].flat().join(' or ')}` }
    case 'format':
      return { field: path, message: `must be a valid ${params.format}` }
    default:
      return { field: path || 'body', message }
  }
}

/** Reads query and body as the operation declares them, or refuses with every fault of both and of the If-Match header. */
export function validator(op: Operation) {
  const query = op.query ?? NOTHING
  const checkQuery = closed(query)
  const checkBody = closed(op.body ?? NOTHING, op.method === 'PATCH' ? { minProperties: 1 } : {})
  return (given: Pick<FastifyRequest, 'query' | 'body' | 'headers'>): { query: unknown; body: unknown } => {
    const read = { query: typed(query, given.query as Record<string, unknown>), body: given.body === undefined ? {} : given.body }
    const faults = [...unstorable(read.query, '', 'query'), ...faultsOf(checkQuery, read.query, unknownParameter(query))]
    if (takesBody(op)) faults.push(...unstorable(read.body), ...faultsOf(checkBody, read.body, unknownField))
    if (readsIfMatch(op)) faults.push(...matchFaults(given.headers['if-match']))
    if (faults.length) invalid(faults)
    return read
  }
}

const faultsOf = (check: ValidateFunction, value: unknown, unknown: Unknown): Fault[] =>
  check(value) ? [] : (check.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames').map((error) => faultOf(error, unknown))

import { type TObject, type TSchema, Type } from '@guildhall/rules/type'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { type Fault, invalid, MAX_FAULTS } from '../../core/problem.ts'
import { unstorable } from './body.ts'
import { matchFaults } from './etag.ts'
import { parameterHint } from './parameter-hints.ts'
import { byPresentNames, placeFaults } from './query-names.ts'

// Optimizing the code takes a third of the time of compiling, and the checks are as fast without it.
const ajv = new Ajv({ verbose: true, allErrors: true, useDefaults: true, strict: true, allowUnionTypes: true, code: { optimize: false } })
formats.default(ajv, ['uuid', 'date-time', 'email'])
const { validate: isDateTime } = ajv.formats['date-time'] as { validate(text: string): boolean }
// RFC 3339 allows leap seconds, which JavaScript cannot parse.
ajv.addFormat('date-time', (text: string) => isDateTime(text) && !Number.isNaN(Date.parse(text)))
ajv.addFormat('int32', true)
ajv.addFormat('int64', true)
// Keywords that others read: the reference, the mask of private fields, the limits of replies.
for (const keyword of [
  'x-enum',
  'x-private',
  'x-follows',
  'x-default',
  'x-alternatives',
  'x-unique',
  'x-max-bytes',
  'x-max-items-with',
  'x-ordered',
  'dependentRequired',
  'dependentSchemas',
])
  ajv.addKeyword(keyword)
/** Adds a keyword that normalizes text before its length is checked. */
const addNormalizer = (keyword: string, normalize: (text: string) => string) =>
  ajv.addKeyword({
    keyword,
    type: 'string',
    before: 'maxLength',
    modifying: true,
    compile: () => (value, context) => {
      if (context) context.parentData[context.parentDataProperty] = normalize(value)
      return true
    },
  })
addNormalizer('x-trim', (name) => name.trim())
addNormalizer('x-lowercase', (id) => id.toLowerCase())

const NOTHING = Type.Object({})

/** Compiles a schema that rejects undeclared fields, because bodies become columns. */
const closed = (schema: TObject, keywords = {}) => ajv.compile({ ...schema, additionalProperties: false, ...keywords })

/** Converts query parameters from text. Text that does not parse stays text, and is rejected for its type. */
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

/** The message for a field or parameter that the schema does not name, among those that it names. */
type Unknown = (name: string, known: string[]) => string
const unknownField: Unknown = () => 'is not an accepted field'
const unknownParameter =
  (query: TObject): Unknown =>
  (name) =>
    ['is not an accepted parameter', parameterHint(name, query)].filter(Boolean).join('. ')

const MAX_LISTED_VALUES = 20
/** The accepted values, or how to find them if there are many. */
const listed = (values: unknown[]) =>
  values.length <= MAX_LISTED_VALUES
    ? values.map(String).join(', ')
    : `${values.slice(0, 3).join(', ')} and ${values.length - 3} others, which GET /api/v1/companies/{company_id}/options lists`

/** A plus sign is a space in a query, where the offset of a time is often sent without encoding it. */
const timeFault = (text: unknown) =>
  `must be a time such as 2026-11-15T18:30:00.000Z${/ \d\d:\d\d$/.test(String(text)) ? '. Write + as %2B in a query' : ''}`

function faultOf(
  { keyword, instancePath, propertyName, parentSchema, params, data, message = 'is not valid' }: ErrorObject,
  unknown: Unknown,
): Fault {
  const pointer = propertyName === undefined ? instancePath : `${instancePath}/${propertyName}`
  const path = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const below = (name: string) => (path ? `${path}.${name}` : name)
  switch (keyword) {
    case 'required':
      return { field: below(params.missingProperty), message: 'is required' }
    case 'additionalProperties':
      return {
        field: below(params.additionalProperty),
        message: unknown(params.additionalProperty, Object.keys(parentSchema?.properties ?? {})),
      }
    case 'enum':
      return { field: path, message: `must be one of ${listed(params.allowedValues)}` }
    case 'maxProperties':
      return { field: path || 'body', message: `must have at most ${params.limit} fields` }
    case 'pattern':
      return { field: path, message: `must be ${parentSchema?.description ?? `like ${params.pattern}`}` }
    case 'uniqueItems':
      return { field: path, message: 'must not contain duplicates' }
    case 'minProperties':
      return { field: path || 'body', message: 'must have at least one field' }
    case 'minLength':
      return { field: path, message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters` }
    case 'maxLength':
      return { field: path, message: `must have at most ${params.limit} characters` }
    case 'type':
      return { field: path || 'body', message: `must be of type ${[params.type].flat().join(' or ')}` }
    case 'format':
      return { field: path, message: params.format === 'date-time' ? timeFault(data) : `must be a valid ${params.format}` }
    default:
      return { field: path || 'body', message }
  }
}

/** Returns a function that finds the faults of a text in the path, which stands for the parameter of this name. */
export function textFaults(name: string, schema: TSchema): (text: unknown) => Fault[] {
  const check = closed(Type.Object({ [name]: schema }))
  return (text) => [...unstorable(text, name), ...faultsOf(check, { [name]: text }, unknownField)]
}

/** Returns a function that finds the faults in the shape of a document, at most fifty. Its schema must not have defaults: the document stays as it is. */
export function shapeFaults(schema: TSchema, unknown: Unknown): (document: unknown) => Fault[] {
  const check = ajv.compile(schema)
  return (document) => faultsOf(check, document, unknown)
}

export type Validate = (given: { query: unknown; body: unknown; headers: object }) => { query: unknown; body: unknown }

/** Reads query and body as the operation declares them, or rejects the request with every fault of both and of the If-Match header. */
export function validator(op: {
  method: string
  query?: TObject
  formerly?: Record<string, string>
  body?: TObject
  takesBody: boolean
  readsIfMatch: boolean
}): Validate {
  const query = op.query ?? NOTHING
  const checkQuery = closed(query)
  const hasCursors = 'after' in query.properties && 'offset' in query.properties
  const checkBody = closed(op.body ?? NOTHING, op.method === 'PATCH' ? { minProperties: 1 } : {})
  return (given) => {
    const sent = byPresentNames(given.query as Record<string, unknown>, op.formerly)
    const values = { query: typed(query, sent.query), body: given.body === undefined ? {} : given.body }
    const faultsOfQuery = [
      ...unstorable(values.query, '', 'query'),
      ...(hasCursors ? placeFaults(sent.query) : []),
      ...faultsOf(checkQuery, values.query, unknownParameter(query)),
    ]
    const faults = [...sent.faults, ...faultsOfQuery.map(({ field, message }) => ({ field: sent.sentAs(field), message }))]
    if (op.takesBody) faults.push(...unstorable(values.body), ...faultsOf(checkBody, values.body, unknownField))
    if (op.readsIfMatch) faults.push(...matchFaults((given.headers as { 'if-match'?: string })['if-match']))
    if (faults.length) invalid(faults)
    return values
  }
}

const faultsOf = (check: ValidateFunction, value: unknown, unknown: Unknown): Fault[] =>
  check(value)
    ? []
    : (check.errors ?? [])
        .filter(({ keyword }) => keyword !== 'propertyNames')
        .slice(0, MAX_FAULTS)
        .map((error) => faultOf(error, unknown))

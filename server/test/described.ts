import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer } from './harness.ts'

// Every answer of every test is compared with openapi.json: its status, type, headers and body.

interface Described {
  headers?: Record<string, unknown>
  content?: Record<string, unknown>
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Described | { $ref: string }>; security: object[] }>>
}

/** Clients ignore fields that they do not know. The service sends none that is not described; the code of a problem is described twice. */
const closed = (_name: string, value: { type?: unknown; properties?: object } | null) =>
  value?.type === 'object' && value.properties && Object.keys(value.properties).join() !== 'code'
    ? { additionalProperties: false, ...value }
    : value
export const document: Document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'), closed)

const [NAME, PATH] = ['openapi.json', /^[^?]*/]
const pointer = (...parts: string[]) => parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
const at = (path: string) =>
  path
    .split('/')
    .slice(1)
    .reduce((value: unknown, part) => (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

let ajv: Ajv2020 | undefined
const validators = new Map<string, ValidateFunction>()
/** Returns the validator of the schema at a JSON pointer. Compiling takes 5 ms, so it is done when a test needs it, and the code is not optimized. */
function validatorAt(path: string): ValidateFunction {
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } })
    formats.default(ajv)
    ajv.addSchema(document, NAME)
  }
  const compiled = validators.get(path) ?? ajv.compile({ $ref: `${NAME}#${encodeURI(path)}` })
  validators.set(path, compiled)
  return compiled
}

/** The described paths by their number of segments. A literal segment is preferred to a parameter. */
const templates = new Map<number, { path: string; segments: string[] }[]>()
for (const path of Object.keys(document.paths).toSorted((a, b) => a.replaceAll('{', '~').localeCompare(b.replaceAll('{', '~'), 'en'))) {
  const segments = path.split('/')
  templates.set(segments.length, [...(templates.get(segments.length) ?? []), { path, segments }])
}
function templateOf(path: string): string | undefined {
  const parts = path.split('/')
  const fits = (segments: string[]) => segments.every((segment, i) => segment === parts[i] || (segment.startsWith('{') && parts[i] !== ''))
  return templates.get(parts.length)?.find(({ segments }) => fits(segments))?.path
}

/** Headers that only some responses have: openapi.json says which. */
const STATED = ['etag', 'location', 'link', 'retry-after', 'idempotent-replayed', 'set-cookie', 'content-disposition']

/** Fails if the answer to a described request is not what openapi.json describes. */
export function assertDescribed(method: string, path: string, { status, headers, body, text }: Answer): void {
  const [bare] = PATH.exec(path) as RegExpExecArray
  const template = templateOf(bare)
  const operation = template && document.paths[template]?.[method.toLowerCase()]
  if (!operation) return
  const what = `${method} ${path}: ${status} ${text.slice(0, 500)}`
  const stated = operation.responses[status]
  assert.ok(stated, `${what}\nopenapi.json does not describe this status`)
  const place =
    '$ref' in stated ? (stated.$ref as string).slice(1) : pointer('paths', template, method.toLowerCase(), 'responses', `${status}`)
  const response = at(place) as Described

  const described = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  for (const name of STATED)
    assert.ok(headers[name] === undefined || described.has(name), `${what}\nopenapi.json does not describe ${name}`)

  const type = String(headers['content-type'] ?? '').replace(/;.*/, '')
  if (text === '') return
  assert.ok(response.content?.[type], `${what}\nopenapi.json does not describe ${type}`)
  if (!type.endsWith('json')) return
  const validate = validatorAt(`${place}${pointer('content', type, 'schema')}`)
  assert.ok(validate(body), `${what}\n${ajv?.errorsText(validate.errors)}`)
}

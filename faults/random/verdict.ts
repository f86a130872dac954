import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Try } from '../client.ts'
import { foreignIds, type Known } from '../known.ts'
import { document } from './document.ts'
import type { GeneratedRequest } from './requests.ts'

const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { int32: true, int64: true, double: true } })
formats.default(ajv, ['uuid', 'date-time', 'date', 'email'])
// Replies must not have undeclared fields. The parts of an `allOf` are not closed: the first of them has all fields.
const open = ({ additionalProperties: _, ...part }: { additionalProperties?: unknown }) => part
const closed = JSON.parse(JSON.stringify(document), (_key, value) => {
  if (Array.isArray(value?.allOf)) return { ...value, allOf: value.allOf.map(open) }
  return value?.properties && value.type?.includes('object') ? { additionalProperties: false, ...value } : value
})
ajv.addSchema(closed, 'api')

const pointer = (...steps: string[]) => steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

function schemaOf({ op }: GeneratedRequest, status: number, media: string) {
  const steps = ['paths', op.path, op.method.toLowerCase(), 'responses', String(status)]
  const described = closed.paths[op.path][op.method.toLowerCase()].responses[status]
  const location = described.$ref ? `${described.$ref.slice(2)}` : pointer(...steps)
  return ajv.compile({ $ref: `api#/${location}/${pointer('content', media, 'schema')}` })
}

/** Compares an answer with the document, and returns its faults. */
export function faultsOf(generated: GeneratedRequest, { status, text, headers, lost }: Try): string[] {
  if (status === 0) return [`no answer: ${lost}`]
  if (status >= 500) return [`answered ${status} ${text.slice(0, 200)}`]
  if (!generated.op.statuses.includes(String(status)))
    return [`answered ${status}, which the document does not list: ${text.slice(0, 200)}`]
  if (status === 204 || status === 304) return text === '' ? [] : [`answered ${status} with a body`]
  const media = String(headers['content-type']).split(';')[0] as string
  if (media !== (status < 400 ? 'application/json' : 'application/problem+json')) return [`answered ${status} as ${media}`]
  const validate = schemaOf(generated, status, media)
  return validate(JSON.parse(text))
    ? []
    : [`the reply does not match its schema: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`]
}

/** Returns the ids of another company in an answer. A problem repeats the path of the request, which reveals nothing. */
export function leaksOf({ op, request }: GeneratedRequest, { status, text }: Try, known: Known, company_id: string): string[] {
  // An operator may see every company.
  if (op.path.startsWith('/api/v1/admin')) return []
  const shown = status >= 400 && text ? JSON.stringify({ ...JSON.parse(text), instance: '' }) : text
  // An external id is a text of the caller, who may choose any.
  const mayRepeat = status >= 400 || op.path.includes('{external_id}')
  return foreignIds(known, company_id, shown).filter((id) => !mayRepeat || !request.path.includes(id))
}

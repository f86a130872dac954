import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Try } from '../client.ts'
import { foreignIds, type Known } from '../known.ts'
import { document } from './document.ts'
import type { Shot } from './requests.ts'

const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { int32: true, int64: true, double: true } })
formats.default(ajv, ['uuid', 'date-time', 'date', 'email'])
// A field that nobody declared must not be there.
const closed = JSON.parse(JSON.stringify(document), (_key, value) =>
  value?.properties && value.type?.includes('object') ? { additionalProperties: false, ...value } : value,
)
ajv.addSchema(closed, 'api')

const pointer = (...steps: string[]) => steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

function schemaOf({ op }: Shot, status: number, media: string) {
  const at = ['paths', op.path, op.method.toLowerCase(), 'responses', String(status)]
  const described = closed.paths[op.path][op.method.toLowerCase()].responses[status]
  const place = described.$ref ? `${described.$ref.slice(2)}` : pointer(...at)
  return ajv.compile({ $ref: `api#/${place}/${pointer('content', media, 'schema')}` })
}

/** What is wrong with an answer, by the document alone. */
export function faultsOf(shot: Shot, { status, text, headers, lost }: Try): string[] {
  if (status === 0) return [`no answer: ${lost}`]
  if (status >= 500) return [`answered ${status} ${text.slice(0, 200)}`]
  if (!shot.op.statuses.includes(String(status))) return [`answered ${status}, which the document does not have: ${text.slice(0, 200)}`]
  if (status === 204 || status === 304) return text === '' ? [] : [`answered ${status} with a body`]
  const media = String(headers['content-type']).split(';')[0] as string
  if (media !== (status < 400 ? 'application/json' : 'application/problem+json')) return [`answered ${status} as ${media}`]
  const validate = schemaOf(shot, status, media)
  return validate(JSON.parse(text))
    ? []
    : [`its schema refuses the reply to it: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`]
}

/** Ids of another company that an answer tells. A problem names the path it was asked by, and that tells nothing. */
export function leaksOf({ op, ask }: Shot, { status, text }: Try, known: Known, company_id: string): string[] {
  // An operator is told of every company.
  if (op.path.startsWith('/api/v1/admin')) return []
  const told = status >= 400 && text ? JSON.stringify({ ...JSON.parse(text), instance: '' }) : text
  return foreignIds(known, company_id, told).filter((id) => status < 400 || !ask.path.includes(id))
}

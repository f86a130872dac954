import fc from 'fast-check'
import { resolve, type Schema } from './document.ts'

/** Generates ids for a field, by its name. */
export type IdsFor = (field: string) => fc.Arbitrary<string>

/** Strings that have broken other services. */
const NAUGHTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'null',
  '{{7*7}}',
  "' OR 1=1 --",
  '../../etc/passwd',
  '%00',
  '\u202e',
  'ﷺ',
  '👩‍👩‍👧‍👦',
  'İ',
  'x'.repeat(20_000),
]

const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...NAUGHTY),
  fc.constantFrom(null, true, -1, 0, 1.5, 1e308, -(2 ** 53), 2 ** 31, Number.MIN_VALUE),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Generates values that a schema accepts. */
export function valid(schema: Schema, ids: IdsFor, field = ''): fc.Arbitrary<unknown> {
  const { type, anyOf, oneOf, ...rest } = resolve(schema)
  // A nullable reference, or one of several ways to fill in a body.
  const union = anyOf ?? oneOf
  if (union) return fc.oneof(...union.map((one) => (one.type === 'null' ? fc.constant(null) : valid(one, ids, field))))
  if (Array.isArray(type)) {
    const [other = 'string'] = type.filter((one) => one !== 'null')
    return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: valid({ ...rest, type: other }, ids, field) })
  }
  if (rest.enum) return fc.constantFrom(...rest.enum)
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numbers(rest)
    case 'array':
      return fc.array(valid(rest.items ?? {}, ids, field.replace(/s$/, '')), {
        minLength: rest.minItems ?? 0,
        maxLength: Math.min(rest.maxItems ?? 3, 3),
      })
    case 'object':
      return objects(rest, ids)
    case 'null':
      return fc.constant(null)
    default:
      return strings(rest, ids, field)
  }
}

/** Generates mostly small numbers: a million dice or books would only take time. */
const numbers = ({ minimum = 0, maximum = 1000 }: Schema) =>
  fc.oneof(fc.integer({ min: minimum, max: Math.min(maximum, Math.max(minimum, 10)) }), fc.constantFrom(minimum, maximum))

function strings({ format, pattern, minLength = 0, maxLength = 60 }: Schema, ids: IdsFor, field: string): fc.Arbitrary<string> {
  if (format === 'uuid') return ids(field)
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'email') return fc.emailAddress()
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength })
  if (field === 'notation') return fc.constantFrom('4d6kh3+2', '1d20', '5d10>=7', '2dF')
  return fc.string({ minLength: Math.max(1, minLength), maxLength: Math.min(maxLength, 60), unit: 'grapheme' })
}

function objects({ properties, required = [], propertyNames, additionalProperties }: Schema, ids: IdsFor): fc.Arbitrary<object> {
  if (!properties) {
    const names = propertyNames ? strings(resolve(propertyNames), ids, '') : fc.string({ minLength: 1, maxLength: 10 })
    const values = typeof additionalProperties === 'object' ? valid(additionalProperties, ids) : fc.integer({ min: 0, max: 5 })
    return fc.dictionary(names, values, { maxKeys: 3 })
  }
  const fields = Object.entries(properties).map(([name, field]) => [name, valid(field, ids, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required })
}

/** Generates values with one error: a field is missing, added, or of another type. */
export const mutated = (schema: Schema, ids: IdsFor): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: wild },
    {
      weight: 6,
      arbitrary: fc
        .tuple(valid(schema, ids), fc.nat(), wild, fc.constantFrom('replace', 'remove', 'add'))
        .map(([body, index, value, how]) => {
          const changed = { ...(body as Record<string, unknown>) }
          const names = Object.keys(changed)
          const name = names[index % Math.max(1, names.length)] ?? 'name'
          if (how === 'remove') delete changed[name]
          else changed[how === 'add' ? '__proto__x' : name] = value
          return changed
        }),
    },
  )

/** Generates texts for query parameters and headers, without those that cannot be sent there. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NAUGHTY.filter((text) => text.isWellFormed() && text.length < 1000)),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
)

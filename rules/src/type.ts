import type { TSchema, Type as Typebox } from 'typebox'

// The builders of schemas that Guildhall uses. Their types are those of typebox, and so are their results, as type.test.ts checks. Typebox itself
// would load 370 modules at every start and in every command, which took a sixth of the time.

export type { Static, TObject, TSchema } from 'typebox'

type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

/** The mark of an optional property. It is hidden, so that it is not part of the JSON Schema, and a schema that spreads another one is required. */
const OPTIONAL = '~optional'

const copyOf = (schema: Schema): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

const optional = (schema: Schema): Schema => Object.defineProperty(copyOf(schema), OPTIONAL, { value: true, configurable: true })

const scalar = (type: string) => (options?: Schema) => ({ type, ...options })

function object(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as Schema)))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: scalar('boolean'),
  Enum: (values: unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: scalar('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: scalar('null'),
  Number: scalar('number'),
  Object: object,
  Omit: ({ properties }: { properties: Properties }, names: string[], options?: Schema) =>
    object(Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))), options),
  Optional: optional,
  Partial: ({ properties }: { properties: Properties }, options?: Schema) =>
    object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])), options),
  String: scalar('string'),
  Union: (anyOf: TSchema[], options?: Schema) => ({ anyOf, ...options }),
  Unsafe: copyOf,
}

export const Type = builders as unknown as Pick<typeof Typebox, keyof typeof builders>

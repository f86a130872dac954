import { hash } from 'node:crypto'
import { type Static, type TObject, type TSchema, Type } from '@guildhall/rules/type'

/** Derives an example id from a description, so that examples differ. */
const exampleId = (description: string) => {
  const digits = hash('sha1', description, 'hex')
  return `019a8f3e-7c1a-7${digits.slice(0, 3)}-b${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

const EXAMPLE_TIME = '2026-11-15T18:30:00.000Z'

/** An id. Characters that PostgreSQL cannot store are rejected when the body is read, so no string schema needs a pattern for them. */
export const Id = (description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, 'x-lowercase': true, description, examples: [exampleId(description)] })

export const Timestamp = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description, examples: [EXAMPLE_TIME] })

/** A name or a title. It is trimmed before its length is checked. */
export const Name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, 'x-trim': true, description, examples: [example] })

export const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

export const Email = (description: string) => Type.String({ format: 'email', maxLength: 254, description, examples: ['mina@example.com'] })

export const Int = (minimum: number, maximum: number, description: string, example = minimum) =>
  Type.Integer({ minimum, maximum, description, examples: [example], format: maximum > 2_147_483_647 ? 'int64' : 'int32' })

export const Flag = (description: string) => Type.Boolean({ description, examples: [false] })

/** A named enumeration. `GET .../options` lists all of them. */
export const Enum = <const Values extends readonly string[]>(name: string, values: Values, description: string, example = values[0]) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], 'x-enum': name, description, examples: [example] })

/** Allows null. Uses `type: [..., 'null']` instead of a union, which the serializer handles faster. */
export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values, ...rest } = schema as S & { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}

/** Allows null, and shows null as the example: for fields that are rarely set. */
export const Unset = <S extends TSchema>(schema: S) => Type.Unsafe<Static<S> | null>({ ...Nullable(schema), examples: [null] })

/** A field of a create body that clients may leave out. Validation fills in the default, so handlers always read a value. */
export const WithDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  Type.Optional(Type.Unsafe<Static<S>>({ ...schema, default: value })) as unknown as S

/** A field whose default only the document names, because the service must know whether the client sent it. */
export const WithStatedDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  Type.Optional(Type.Unsafe<Static<S>>({ ...schema, 'x-default': value }))

/** One way to fill in a body: the fields that it requires, and those that it allows but other ways may not. */
interface Alternative {
  requires: string[]
  allows?: string[]
  /** Flags that it allows only if they are false. */
  allowsFalse?: string[]
}

/**
 * Says that a client chooses exactly one of several ways to fill in a body. Fields that no way names belong to all of them. The document shows each way as a
 * schema of its own; rules check it, because their messages are better than those of a union.
 */
export const alternatives = (ways: Record<string, Alternative>) => ({ 'x-alternatives': ways })

/** A condition for `dependentSchemas`: the object has one of these fields. Like alternatives, the document states it, and rules check it. */
export const hasOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ properties: { [name]: true }, required: [name] })) })
/** A condition for `dependentSchemas`: the object does not have this field. */
export const hasNo = (name: string) => ({ properties: { [name]: false } })
/** A condition for `dependentSchemas`: the flag of this name is not set, or the other condition holds. */
export const isUnsetOr = (name: string, { anyOf }: { anyOf: object[] }) => ({
  anyOf: [{ properties: { [name]: { enum: [false, null] } } }, ...anyOf],
})

export const MAX_METADATA_KEYS = 50
const metadataOf = (title: string, type: string | string[], description: string) =>
  Type.Unsafe<Record<string, string>>({
    title,
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type, maxLength: 500, examples: ['1049'] },
    maxProperties: MAX_METADATA_KEYS,
    description,
    examples: [{ channel: '1049' }],
  })

/** Data of the client application. The service stores it in the order it was sent, as `json`, and never reads it. */
export const Metadata = metadataOf(
  'Metadata',
  'string',
  `Data of the client application: up to ${MAX_METADATA_KEYS} texts of up to 500 characters, by keys of 1 to 40 characters`,
)
const MetadataPatch = metadataOf(
  'MetadataPatch',
  ['string', 'null'],
  'Metadata to set by key. null removes a key; keys that are not named stay',
)

/** An id of the client application's own. */
export const ExternalId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] })

/** The fields in which an application keeps data of its own on a resource. */
export const applicationFields = (noun: string, unique = true) => ({
  external_id: Nullable(
    ExternalId(
      `The id of the ${noun} in the client application.${unique ? ' Unique in the company.' : ''} Only ADMINs, and keys without an acting user, may write it`,
      `app:${noun}:17`,
    ),
  ),
  metadata: Metadata,
})

/** The fields of `applicationFields` that a merge patch declares in another way. */
export const applicationPatch = { metadata: MetadataPatch }

/** A schema without the fields of `applicationFields`, which may be larger than the rest of it. */
export function withoutApplicationData(schema: TObject): TObject {
  const { external_id, metadata, ...properties } = schema.properties
  const { title, description } = schema as { title?: string; description?: string }
  return Type.Object(properties, { ...(title && { title }), ...(description && { description }) })
}

/** The fields that every stored resource has. */
export const stored = {
  date_created: Timestamp('When the resource was created'),
  date_modified: Timestamp('When the resource last changed'),
  version: Int(1, 2_147_483_647, 'Number of changes, from 1; the first part of the ETag'),
}

/** The fields of resources that DELETE archives and `/restore` restores. */
export const archivable = {
  ...stored,
  date_archived: Unset(Timestamp('When the resource was archived; null while it is live')),
}

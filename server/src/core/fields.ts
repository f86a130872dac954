import { hash } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'

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

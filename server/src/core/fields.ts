import { hash } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'

/** A different id for each thing that is described. */
const exampleId = (description: string) => {
  const digits = hash('sha1', description, 'hex')
  return `019a8f3e-7c1a-7${digits.slice(0, 3)}-b${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

const EXAMPLE_TIME = '2026-11-15T18:30:00.000Z'

/** Characters PostgreSQL cannot hold are refused for every string when the body is read, so no field repeats that. */
export const Id = (description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, 'x-lowercase': true, description, examples: [exampleId(description)] })

export const Timestamp = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description, examples: [EXAMPLE_TIME] })

/** A name or a title: trimmed, then measured. */
export const Name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, 'x-trim': true, description, examples: [example] })

export const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

export const Email = (description: string) => Type.String({ format: 'email', maxLength: 254, description, examples: ['mina@example.com'] })

export const Int = (minimum: number, maximum: number, description: string, example = minimum) =>
  Type.Integer({ minimum, maximum, description, examples: [example], format: maximum > 2_147_483_647 ? 'int64' : 'int32' })

export const Flag = (description: string) => Type.Boolean({ description, examples: [false] })

/** An enumeration with a name: `GET .../options` lists every one the API accepts. */
export const Enum = <const Values extends readonly string[]>(name: string, values: Values, description: string, example = values[0]) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], 'x-enum': name, description, examples: [example] })

/** `type: [..., 'null']` rather than a union: the serialiser has a straight path for it. */
export const Nullable = <S extends TSchema>(schema: S) => {
  const { type, enum: values, ...rest } = schema as S & { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({ ...rest, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}

/** The same for what is mostly unset. */
export const Unset = <S extends TSchema>(schema: S) => Type.Unsafe<Static<S> | null>({ ...Nullable(schema), examples: [null] })

/** What every stored resource carries besides its own fields. */
export const stored = {
  date_created: Timestamp('When it was created'),
  date_modified: Timestamp('When it last changed'),
  version: Int(1, 2_147_483_647, 'Counts its changes, from 1; the first part of its ETag'),
}

/** The same for what DELETE archives and `/restore` brings back. */
export const archivable = {
  ...stored,
  date_archived: Unset(Timestamp('When it was archived; null while it is live')),
}

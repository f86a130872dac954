import type { TObject, TSchema } from '@guildhall/rules/type'
import type { Operation } from '../operation.ts'

interface Schema {
  type?: string | string[]
  examples?: unknown[]
  default?: unknown
  properties?: Record<string, Schema>
  items?: Schema
}

/** A value that a schema would accept, put together from the examples of its fields. */
export function example(schema: TSchema | Schema): unknown {
  const { examples, type, properties, items } = schema as Schema
  if (examples?.length) return examples[0]
  if ('default' in schema) return schema.default
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, example(field)]))
  if (items) return [example(items)]
  return Array.isArray(type) ? null : undefined
}

/**
 * A body that can be sent as it is. Optional ids are left out, because a made-up id would not be found, and so are external ids, which only ADMINs
 * may write.
 */
export function sampleOf(body: TObject): Record<string, unknown> {
  const [given] = (body as Schema).examples ?? []
  if (given) return given as Record<string, unknown>
  const fields = Object.entries(body.properties as Record<string, Schema & { format?: string }>)
  const sent = fields.filter(([name, { format }]) => (format !== 'uuid' && name !== 'external_id') || body.required?.includes(name))
  return Object.fromEntries(sent.map(([name, field]) => [name, example(field)]))
}

/** The sample bodies of an operation: those that it lists, or the one that follows from its schema. */
export const samplesOf = ({ body, summary, examples }: Pick<Operation, 'body' | 'summary' | 'examples'>) =>
  examples ?? (body && { body: { summary, value: sampleOf(body) } })

import { type TSchema, Type } from 'typebox'
import { type Operation, operation } from '../../http/operation.ts'

/** Every enumeration named in the operations, found by walking their schemas: a new one cannot be forgotten here. */
function enumerations(operations: Operation[]): Record<string, string[]> {
  const found = new Map<string, string[]>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { 'x-enum': name, enum: values } = value as { 'x-enum'?: string; enum?: (string | null)[] }
    if (name && values)
      found.set(
        name,
        values.filter((item) => item !== null),
      )
    Object.values(value).forEach(walk)
  }
  for (const { body, query } of operations) walk([body, query])
  return Object.fromEntries([...found].map(([name, values]) => [snake(name), values]))
}

const snake = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()

/** What a client offers in its menus. Made of the operations listed before it. */
export function options(operations: Operation[]): Operation[] {
  const values = enumerations(operations)
  const list = (name: string, items: string[]) =>
    Type.Array(Type.String({ maxLength: 100, examples: [items[0]] }), {
      maxItems: 100,
      description: `Accepted values of ${name.replaceAll('_', ' ')}`,
      examples: [items],
    })
  const properties: Record<string, TSchema> = Object.fromEntries(Object.entries(values).map(([name, items]) => [name, list(name, items)]))
  return [
    operation({
      id: 'options.get',
      method: 'GET',
      path: '/companies/{company_id}/options',
      needs: { key: 'USER' },
      summary: 'List every enumerated value the API accepts',
      reply: [200, Type.Object(properties, { title: 'Options', description: 'Enumerated values by name' })],
      run: () => values,
    }),
  ]
}

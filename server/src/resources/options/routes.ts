import { type TSchema, Type } from '@guildhall/rules/type'
import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'

/** Collects the named enumerations from the schemas of the operations, so that none can be forgotten. */
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

/** The example of a list shows its first values: the enumeration itself has all of them. */
const SHOWN = 4

/** Lists the enumerated values of the given operations, for example for the menus of a client. */
export function options(operations: Operation[]): Operation[] {
  const values = enumerations(operations)
  const list = (name: string, items: string[]) =>
    Type.Array(Type.String({ maxLength: 100, examples: [items[0]] }), {
      maxItems: 200,
      description: `Accepted values of ${name.replaceAll('_', ' ')}`,
      examples: [items.slice(0, SHOWN)],
    })
  const properties: Record<string, TSchema> = Object.fromEntries(Object.entries(values).map(([name, items]) => [name, list(name, items)]))
  return resource(
    {
      Options: 'Every enumerated value that the API accepts',
    },
    [
      operation({
        id: 'options.get',
        method: 'GET',
        path: below(COMPANY, 'options'),
        needs: { key: 'USER' },
        summary: 'List every enumerated value that the API accepts',
        reply: [200, Type.Object(properties, { title: 'Options', description: 'Enumerated values by name' })],
        run: () => values,
      }),
    ],
  )
}

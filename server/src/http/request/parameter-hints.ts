import type { TObject } from '@guildhall/rules/type'

/** Names that other APIs use for our query parameters. */
const ALTERNATIVES = new Map([
  ['page', ['limit', 'offset']],
  ['cursor', ['after']],
  ['next_cursor', ['after']],
  ['starting_after', ['after']],
  ['per_page', ['limit']],
  ['page_size', ['limit']],
  ['size', ['limit']],
  ['count', ['limit']],
  ['start', ['offset']],
  ['skip', ['offset']],
  ['order', ['sort']],
  ['order_by', ['sort']],
  ['sort_by', ['sort']],
  ['search', ['q']],
  ['query', ['q']],
  ['id', ['ids']],
  ['updated_since', ['modified_since']],
])
/** Parameters that are not filters. */
const NO_FILTERS = new Set(['limit', 'offset', 'after', 'sort', 'q', 'include', 'archived', 'ids', 'modified_since'])

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Suggests the parameters to use instead of one that is not accepted, if the operation has them. */
export function parameterHint(name: string, { properties }: TObject): string | undefined {
  const accepted = Object.keys(properties)
  if (name === 'filter') {
    const filters = accepted.filter((other) => !NO_FILTERS.has(other))
    return filters.length ? `Use ${filters.join(' or ')}.` : undefined
  }
  const instead = ALTERNATIVES.get(snakeCase(name))
  return instead?.every((other) => accepted.includes(other)) ? `Use ${instead.join(' and ')}.` : undefined
}

/** Longer values are written on several lines. */
const MAX_LINE = 100

/** Writes a document as people write it: what is short on one line, and the rest with one value on each. */
export function formatDocument(value: unknown, indent = '', used = 0): string {
  const flat = flatten(value)
  if (typeof value !== 'object' || value === null || (indent && indent.length + used + flat.length <= MAX_LINE)) return flat
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([key, each]) => {
    const start = isList ? '' : `${JSON.stringify(key)}: `
    return inner + start + formatDocument(each, inner, start.length + 1)
  })
  const [open, close] = isList ? '[]' : '{}'
  return lines.length ? `${open}\n${lines.join(',\n')}\n${indent}${close}` : `${open}${close}`
}

/** A value on one line, with a space after commas and colons. */
function flatten(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flatten).join(', ')}]`
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${flatten(each)}`)
  return entries.length ? `{ ${entries.join(', ')} }` : '{}'
}

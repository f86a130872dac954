const WIDTH = 140

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value on one line, or nothing if it takes more than `room` characters. */
function onOneLine(value: unknown, room: number): string | undefined {
  if (!isNode(value)) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let left = room
  for (const [key, item] of Object.entries(value)) {
    const name = isList ? '' : `${JSON.stringify(key)}: `
    const text = left > 0 ? onOneLine(item, left) : undefined
    if (text === undefined) return undefined
    parts.push(name + text)
    left -= name.length + text.length + 2
  }
  const text = isList ? `[${parts.join(', ')}]` : parts.length ? `{ ${parts.join(', ')} }` : '{}'
  return text.length <= room ? text : undefined
}

/**
 * JSON with every object and list on one line where it fits. Half of a document with an indented line for each value would be spaces, and a field of a
 * schema is easier to review as one line.
 */
export function formatJson(value: unknown, indent = '', before = 0): string {
  const line = onOneLine(value, WIDTH - before)
  if (line !== undefined || !isNode(value)) return line ?? JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(([key, item]) => {
    const start = isList ? inner : `${inner}${JSON.stringify(key)}: `
    return start + formatJson(item, inner, start.length + 1)
  })
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

import { randomUUID } from 'node:crypto'

// JSON.parse of Node 24 sometimes takes a name that contains an escape for a name of an earlier object that contains a backslash: after
// {"a":1,"\\":1} it reads {"a":1,"\n":1} as {"a":1,"\\":1}, even if these are bodies of two callers. V8 expects the names of an object to follow
// each other as in earlier ones, and compares the expected name with the text before it reads the escapes. Names without escapes are safe.

/** Strings of a JSON text, and the colon that makes a name of one. Strings are matched from the first one on, so that none begins within another. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs

/** Returns what was parsed from a JSON text, with all names as they are written in it. The value must not be nested deeply. */
export function withWrittenNames(text: string, parsed: unknown): unknown {
  if (!text.includes('\\')) return parsed
  const names = new Map<string, string>()
  const mark = randomUUID()
  const marked = text.replace(STRINGS, (string: string, colon?: string) => {
    if (colon === undefined || !string.includes('\\')) return string
    const name = `${mark} ${names.size}`
    names.set(name, JSON.parse(string.slice(0, -colon.length)))
    return `"${name}":`
  })
  if (names.size === 0) return parsed
  return JSON.parse(marked, (_, value) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [names.get(name) ?? name, part])),
  )
}

export const parseJson = (text: string): unknown => withWrittenNames(text, JSON.parse(text))

import { NotationFault } from './scanner.ts'

/** The names of traits and trackers. A tracker has a maximum, too. */
const NAME = /^([a-z][a-z0-9]*(?:_[a-z0-9]+)*)(?:\.max)?$/
const MAX_NAME_LENGTH = 64

interface Place {
  name: string
  start: number
  end: number
}

/** Returns the names in the braces of a notation, each once, in their order. Throws a NotationFault if a brace or a name is malformed. */
export const namesIn = (text: string): string[] => [...new Set(placesIn(text).map(({ name }) => name))]

/**
 * Replaces the names in a notation by their values. A name stands for its value as if in parentheses: a negative value turns the + or -
 * before it, and stands in parentheses elsewhere. Throws a NotationFault where a negative value has no meaning, such as the count of dice.
 */
export function resolveNames(text: string, valueFor: (name: string) => number): string {
  let resolved = ''
  let end = 0
  for (const place of placesIn(text)) {
    resolved = insert(resolved + text.slice(end, place.start), valueFor(place.name), text.slice(place.end), place)
    end = place.end
  }
  return resolved + text.slice(end)
}

function placesIn(text: string): Place[] {
  const places: Place[] = []
  const fail = (position: number, reason: string): never => {
    throw new NotationFault(position, reason)
  }
  for (const { 0: found, index: start } of text.matchAll(/\[[^\]]*\]?|@?\{[^}]*\}?|\}/g)) {
    if (found.startsWith('[')) {
      const brace = found.search(/[{}]/)
      if (brace >= 0) fail(start + brace, 'a label has no brackets, braces or control characters')
      continue
    }
    if (found === '}') fail(start, 'this brace was not opened')
    const end = start + found.length
    if (!found.endsWith('}')) fail(end, 'a brace is not closed: } is missing here')
    const name = found.slice(found.indexOf('{') + 1, -1)
    if (name === '') fail(end - 1, 'a name is missing here')
    const [, key] = NAME.exec(name) ?? fail(end - 1 - name.length, 'a name is in snake_case, as in {strength} or {hit_points.max}')
    if ((key as string).length > MAX_NAME_LENGTH) fail(end - 1 - name.length, `a name has at most ${MAX_NAME_LENGTH} characters`)
    if (found.startsWith('@')) fail(start, `write {${name}} instead of @{${name}}`)
    // Otherwise the digits of both would become one number.
    if (/[\d}]/.test(text[start - 1] ?? '') || /\d/.test(text[end] ?? ''))
      fail(start, `an operator is missing between {${name}} and the number next to it`)
    places.push({ name, start, end })
  }
  return places
}

/** Appends a value to the text before it. Only a negative value depends on the text around it. */
function insert(before: string, value: number, after: string, { name, start }: Place): string {
  if (!Number.isSafeInteger(value)) throw new NotationFault(start, `{${name}} is ${value}, which is not a whole number`)
  if (value >= 0) return `${before}${value}`
  if (/[a-z][ \t]*$/i.test(before) || /^[ \t]*d/i.test(after))
    throw new NotationFault(start, `{${name}} is ${value}, and only a number of 0 or more can stand here`)
  if (/[<>=][ \t]*$/.test(before)) return `${before}${value}`
  const [, head = '', sign, space = ''] = /^(.*?[^ \t])?([ \t]*[+-])([ \t]*)$/s.exec(before) ?? []
  const flipped = sign?.endsWith('-') ? sign.replace('-', '+') : sign?.replace('+', '-')
  // Between two operands the sign is that of a sum. It binds weaker than all that may follow the name.
  if (flipped && /[\d)\]%!fo]$/i.test(head)) return `${head}${flipped}${space}${-value}`
  if (flipped?.endsWith('+') && /[<>=]$/.test(head)) return `${head}${space}${-value}`
  return `${before}(${value})`
}

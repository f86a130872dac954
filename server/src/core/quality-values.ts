/** One element of a header such as Accept: its value in lower case without parameters, and its weight. */
export interface Weighted {
  value: string
  /** From 0, not acceptable, to 1. Undefined if the weight is not a number in this range. */
  quality: number | undefined
}

/** Splits at a separator outside of quoted strings. One pass, because a client chooses the text. */
function splitUnquoted(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let [start, isQuoted] = [0, false]
  for (let i = 0; i < text.length; i++) {
    if (isQuoted && text[i] === '\\') i++
    else if (text[i] === '"') isQuoted = !isQuoted
    else if (text[i] === separator && !isQuoted) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, text.slice(start)]
}

const WEIGHT = /^(?:0?\.\d+|[01](?:\.\d*)?)$/

function qualityOf(parameters: string[]): number | undefined {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'q') continue
    const weight = parameter.slice(equals + 1).trim()
    return WEIGHT.test(weight) && Number(weight) <= 1 ? Number(weight) : undefined
  }
  return 1
}

/** The elements of a header with weights (RFC 9110, 12.4.2), in the order of the header. Empty elements are ignored. */
export function weightedValues(header: string): Weighted[] {
  const found: Weighted[] = []
  for (const element of splitUnquoted(header, ',')) {
    const [value = '', ...parameters] = splitUnquoted(element, ';')
    if (value.trim() === '' && parameters.length === 0) continue
    found.push({ value: value.trim().toLowerCase(), quality: qualityOf(parameters) })
  }
  return found
}

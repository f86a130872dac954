import { fold } from '../../core/text.ts'

const BEFORE = 60
const LENGTH = 200

/** Where in a text its folded form has so many characters: folding makes some shorter and others longer. */
function unfolded(text: string, at: number): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fold(text.slice(0, middle)).length <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The part of a text around what was searched, given folded; its beginning where the name was found instead. */
export function snippetOf(text: string | null, q: string): string | null {
  if (!text) return null
  const begin = Math.max(0, unfolded(text, Math.max(0, fold(text).indexOf(q))) - BEFORE)
  // A character made of two halves is not cut between them.
  const part = text.slice(begin, begin + LENGTH).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
  return `${begin > 0 ? '… ' : ''}${part}${begin + LENGTH < text.length ? ' …' : ''}`
}

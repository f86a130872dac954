import { fold } from '../../core/text.ts'

const BEFORE = 60
const LENGTH = 200
const STEP = 64

/**
 * About where a text is once its folded form has so many characters, of which folding makes some texts more and others
 * fewer: in small steps, each folded once.
 */
function unfolded(text: string, at: number): number {
  let folded = 0
  for (let position = 0; position < text.length; position += STEP) {
    const step = text.slice(position, position + STEP)
    const { length } = fold(step)
    if (folded + length > at) return position + Math.floor(((at - folded) / length) * step.length)
    folded += length
  }
  return text.length
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The part of a text around a place in its folded form, cut between what a reader takes for characters. */
export function snippetOf(text: string | null, at: number): string | null {
  if (!text) return null
  const begin = at <= BEFORE ? 0 : Math.max(0, unfolded(text, at) - BEFORE)
  const part = [...characters.segment(text.slice(begin, begin + LENGTH))].map(({ segment }) => segment)
  // The first and the last may be half of one.
  const whole = part.slice(begin > 0 ? 1 : 0, begin + LENGTH < text.length ? -1 : undefined)
  return `${begin > 0 ? '… ' : ''}${whole.join('')}${begin + LENGTH < text.length ? ' …' : ''}`
}

import { parseDice } from './dice-term.ts'
import { ROUNDINGS, type Rounding } from './divide.ts'
import { adviceFor, adviceForOperand } from './foreign-forms.ts'
import { Scanner } from './scanner.ts'
import { compute, diceIn, largest, MAX_DICE, type Operand, type Term, weightOf } from './term.ts'

export { NotationFault } from './scanner.ts'
export { countsSuccesses, type Dice, diceIn, facesOf, hasNatural, MAX_DICE, meets, type Term, weightIn } from './term.ts'

export const MAX_NOTATION_LENGTH = 256
/** Values may be longer than the names in braces that they replace. */
export const MAX_RESOLVED_LENGTH = 1024
export const MAX_LABEL_LENGTH = 40
const MAX_NUMBER = 1_000_000
const MAX_DEPTH = 32

export interface ParseOptions {
  /** The maximum length of the text: that of requests by default, and MAX_RESOLVED_LENGTH for a text whose names were replaced. */
  maxLength?: number
  /** Accept what earlier versions accepted, for stored rolls. */
  earlier?: boolean
}

/** Parses a notation such as `4d6kh3+2`. Throws a NotationFault with the position and the reason if it is invalid. */
export function parse(text: string, { maxLength = MAX_NOTATION_LENGTH, earlier = false }: ParseOptions = {}): Term {
  if (typeof text !== 'string')
    throw new TypeError(`A notation is a text such as 4d6kh3+2, and not ${text === null ? 'null' : typeof text}.`)
  const scanner = new Scanner(text)
  /** The number of dice that are reserved for the terms so far. */
  let reserved = 0
  /** The number of open parentheses. */
  let open = 0
  /** The label of the current term, and where it stands. */
  let label: { text: string; start: number; end: number } | null = null

  function sum(depth: number): Term {
    const term: Term = { kind: 'sum', addends: [] }
    for (let sign = scanner.take('-') ? ('-' as const) : ('+' as const); ; ) {
      scanner.skip()
      const start = scanner.position
      label = null
      const operand = product(depth)
      const { text: name, ...span } = label ?? { text: null, start: scanner.position, end: scanner.position }
      const notation = (text.slice(start, span.start) + text.slice(span.end, scanner.position)).trim()
      term.addends.push({ sign, operand, notation, label: name })
      if (scanner.take('+')) sign = '+'
      else if (scanner.take('-')) sign = '-'
      else return term
    }
  }

  function product(depth: number): Operand {
    let left = signed(depth)
    while (scanner.take('*')) left = { kind: 'product', left, right: signed(depth) }
    return left
  }

  function signed(depth: number): Operand {
    if (depth > MAX_DEPTH) scanner.fail(`parentheses and signs nest at most ${MAX_DEPTH} deep`)
    if (scanner.take('-')) return { kind: 'negative', operand: signed(depth + 1) }
    const operand = bare(depth)
    takeLabel()
    return operand
  }

  function bare(depth: number): Operand {
    scanner.skip()
    const start = scanner.position
    for (const rounding of ROUNDINGS) if (scanner.take(rounding)) return inParentheses(() => quotient(rounding, depth + 1))
    if (scanner.ahead(/\(/y)) return inParentheses(() => sum(depth + 1))
    const value = scanner.number(MAX_NUMBER, 'a number')
    const isWord = scanner.ahead(value === null ? /d[a-eg-z]/iy : /dis/iy) !== undefined
    if (!isWord && scanner.take('d')) return dice(start, value ?? 1)
    if (value !== null) return { kind: 'number', value }
    return scanner.fail(adviceForOperand(text, start) ?? 'a number, dice such as 2d6 or a parenthesis is missing here')
  }

  function inParentheses(inner: () => Operand): Operand {
    if (!scanner.take('(')) scanner.fail('a parenthesis is missing here, as in floor(5/2)')
    open++
    const operand = inner()
    open--
    if (!scanner.take(')')) scanner.fail(adviceFor(text, scanner.position) ?? 'a parenthesis is not closed: ) is missing here')
    return operand
  }

  /** Parses one division. Its divisor is a number and not 0: no rejection may depend on how dice fall. */
  function quotient(rounding: Rounding, depth: number): Operand {
    const dividend = product(depth)
    if (scanner.ahead(/[+-]/y)) scanner.fail(`put the sum into parentheses, as in ${rounding}((2d6+3)/2)`)
    if (!scanner.take('/')) scanner.fail(`a division is missing here, as in ${rounding}(5/2)`)
    scanner.skip()
    const start = scanner.position
    const right = signed(depth)
    if (scanner.ahead(/[+*/-]/y)) scanner.fail(`${rounding} has one division: put its parts into parentheses, as in ${rounding}(5/(2*2))`)
    if (diceIn(right).length) scanner.fail('the divisor is a number without dice', start)
    refuseHuge(right, start)
    const divisor = compute(right, () => 0)
    if (divisor === 0) scanner.fail('the divisor is 0', start)
    return { kind: 'quotient', rounding, dividend, divisor }
  }

  function dice(start: number, count: number): Operand {
    const reserve = (more: number) => {
      reserved += more
      if (reserved > MAX_DICE) scanner.fail(`at most ${MAX_DICE.toLocaleString('en')} dice are rolled at once`, start)
    }
    if (count < 1) scanner.fail('at least one die must be rolled', start)
    reserve(count)
    const term = parseDice(scanner, start, count, earlier)
    reserve(weightOf(term) - count)
    return term
  }

  /** Takes the label after an operand. Each term has one, because it has one subtotal. */
  function takeLabel(): void {
    const start = scanner.position
    if (!scanner.take('[')) return
    const opened = scanner.position - 1
    if (open) scanner.fail('a label belongs to a whole term: put it after the parenthesis, as in (2d6+3)[fire]', opened)
    if (label) scanner.fail('a term has one label', opened)
    const inner = scanner.ahead(/[^[\]{}\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*/uy) ?? ''
    scanner.position += inner.length
    const end = scanner.position
    if (end >= text.length) scanner.fail('a label is not closed: ] is missing here')
    if (!scanner.take(']')) scanner.fail('a label has no brackets, braces or control characters', end)
    const name = inner.trim()
    if (name === '') scanner.fail('a label has at least one character', opened)
    if ([...name].length > MAX_LABEL_LENGTH) scanner.fail(`a label has at most ${MAX_LABEL_LENGTH} characters`, opened)
    if (scanner.ahead(/(kh?|kl|d[hl]?|r|f|m[ai])[\d<=>o]|[!<=>]/iy)) scanner.fail('modifiers stand before the label, as in 2d6kh1[fire]')
    if (scanner.ahead(/\[/y)) scanner.fail('a term has one label')
    label = { text: name, start, end: scanner.position }
  }

  /** JSON numbers are exact only up to a limit: no result may exceed it. */
  function refuseHuge(operand: Operand, where: number): void {
    if (!(largest(operand) <= Number.MAX_SAFE_INTEGER))
      scanner.fail(`the result could be larger than ${Number.MAX_SAFE_INTEGER.toLocaleString('en')}`, where)
  }

  if (text.length > maxLength) scanner.fail(`notation has at most ${maxLength} characters`, maxLength)
  const term = sum(1)
  scanner.skip()
  if (scanner.position < text.length) scanner.fail(adviceFor(text, scanner.position) ?? 'this is not valid here')
  refuseHuge(term, 0)
  return term
}

/** Parses the notation of a stored roll, which an earlier version may have accepted. */
export const parseStored = (text: string): Term => parse(text, { maxLength: MAX_RESOLVED_LENGTH, earlier: true })

/** Parses a notation without throwing. Returns null for one that is absent or invalid. */
export function tryParse(text: string | undefined, options?: ParseOptions): Term | null {
  try {
    return text === undefined ? null : parse(text, options)
  } catch {
    return null
  }
}

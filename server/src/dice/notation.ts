/** A parsed notation. */
export type Term =
  | { kind: 'number'; value: number }
  | { kind: 'negative'; operand: Term }
  | { kind: 'sum' | 'difference' | 'product'; left: Term; right: Term }
  | Dice

type Comparison = { sign: '>=' | '>' | '<=' | '<' | '='; than: number }

export interface Dice {
  kind: 'dice'
  /** The index of its first character in the text. */
  position: number
  count: number
  sides: number
  /** Fudge dice have three sides, and show -1, 0 and 1. */
  fudge: boolean
  reroll?: Comparison & { once: boolean }
  explode?: 'always' | 'once'
  keep?: { highest: boolean; drop: boolean; count: number }
  success?: Comparison
  failure?: Comparison
}

export const MAX_NOTATION_LENGTH = 256
export const MAX_DICE = 1000
const MAX_SIDES = 10_000
const MAX_NUMBER = 1_000_000
const MAX_DEPTH = 32

/** A syntax error. `position` counts from 0 and may be the end of the text. */
export class NotationFault extends Error {
  readonly position: number
  constructor(position: number, reason: string) {
    super(reason)
    this.position = position
  }
}

export const meets = (value: number, { sign, than }: Comparison) =>
  sign === '>=' ? value >= than : sign === '>' ? value > than : sign === '<=' ? value <= than : sign === '<' ? value < than : value === than

/** Returns the lowest and the highest face of a die. */
export const facesOf = ({ sides, fudge }: Pick<Dice, 'sides' | 'fudge'>): [number, number] => (fudge ? [-1, 1] : [1, sides])

const everyFace = (dice: Dice, test: Comparison) => {
  const [low, high] = facesOf(dice)
  for (let face = low; face <= high; face++) if (!meets(face, test)) return false
  return true
}

/** Parses a notation such as `4d6kh3+2`. Throws a NotationFault with the position and the reason if it is invalid. */
export function parse(text: string): Term {
  let position = 0
  /** The number of dice that are reserved for the terms so far. */
  let dice = 0

  const fail = (reason: string, where = position): never => {
    throw new NotationFault(Math.min(where, text.length), reason)
  }
  const skip = () => {
    while (text[position] === ' ' || text[position] === '\t') position++
  }
  const take = (word: string) => {
    skip()
    const next = text.slice(position, position + word.length)
    // ASCII only: other characters of Unicode become a k in lower case, too.
    if (next.toLowerCase() !== word || /[^ -~]/.test(next)) return false
    position += word.length
    return true
  }
  const number = (max: number, name: string): number | null => {
    skip()
    const [digits] = /^\d+/.exec(text.slice(position, position + MAX_NOTATION_LENGTH)) ?? []
    if (digits === undefined) return null
    const value = Number(digits)
    if (value > max) fail(`${name} is at most ${max.toLocaleString('en')}`)
    position += digits.length
    return value
  }
  const requiredNumber = (max: number, name: string): number => number(max, name) ?? fail(`${name} is missing here`)

  const comparison = (): Comparison | null => {
    for (const sign of ['>=', '<=', '>', '<', '='] as const) {
      if (!take(sign)) continue
      const negative = take('-')
      const than = requiredNumber(MAX_SIDES, 'the number to compare with')
      return { sign, than: negative ? -than : than }
    }
    return null
  }

  function sum(depth: number): Term {
    let left = product(depth)
    for (;;) {
      if (take('+')) left = { kind: 'sum', left, right: product(depth) }
      else if (take('-')) left = { kind: 'difference', left, right: product(depth) }
      else return left
    }
  }

  function product(depth: number): Term {
    let left = signed(depth)
    for (;;) {
      if (take('*')) left = { kind: 'product', left, right: signed(depth) }
      else {
        skip()
        if (text[position] === '/') fail('division is not supported: results are whole numbers')
        return left
      }
    }
  }

  function signed(depth: number): Term {
    if (depth > MAX_DEPTH) fail(`parentheses and signs nest at most ${MAX_DEPTH} deep`)
    return take('-') ? { kind: 'negative', operand: signed(depth + 1) } : operand(depth)
  }

  function operand(depth: number): Term {
    if (take('(')) {
      const inner = sum(depth + 1)
      if (!take(')')) fail('a parenthesis is not closed: ) is missing here')
      return inner
    }
    skip()
    const start = position
    const value = number(MAX_NUMBER, 'a number')
    if (take('d')) return diceTerm(start, value ?? 1)
    if (value === null) return fail('a number, dice such as 2d6 or a parenthesis is missing here')
    return { kind: 'number', value }
  }

  function diceTerm(start: number, count: number): Dice {
    if (count < 1) fail('at least one die must be rolled', start)
    const tooMany = () => dice > MAX_DICE && fail(`at most ${MAX_DICE.toLocaleString('en')} dice are rolled at once`, start)
    dice += count
    tooMany()
    const fudge = take('f')
    const sides = fudge ? 3 : take('%') ? 100 : requiredNumber(MAX_SIDES, 'the number of sides')
    if (sides < 2) fail('a die has at least 2 sides', start)
    const term: Dice = { kind: 'dice', position: start, count, sides, fudge }
    while (modifier(term));
    dice += weightOf(term) - count
    tooMany()
    return term
  }

  /** Parses one modifier into the term. Each may occur once, in any order. */
  function modifier(term: Dice): boolean {
    skip()
    const start = position
    const refuseSecond = (name: keyof Dice) => {
      if (term[name] !== undefined) fail('this modifier is given twice', start)
    }
    if (take('!')) {
      refuseSecond('explode')
      term.explode = take('o') ? 'once' : 'always'
      return true
    }
    for (const word of ['kh', 'kl', 'dh', 'dl'] as const) {
      if (!take(word)) continue
      refuseSecond('keep')
      const count = requiredNumber(MAX_DICE, `the number of dice to ${word[0] === 'k' ? 'keep' : 'drop'}`)
      if (count > term.count || (word[0] === 'd' && count === term.count)) fail(`there are only ${term.count} dice to choose from`, start)
      if (count < 1) fail('the number of dice to keep or drop is at least one', start)
      term.keep = { highest: word[1] === 'h', drop: word[0] === 'd', count }
      return true
    }
    if (take('k')) return fail('keep needs a direction: kh keeps the highest, kl the lowest', start)
    if (take('d')) return fail('drop needs a direction: dl drops the lowest, dh the highest', start)
    if (take('r')) {
      refuseSecond('reroll')
      const once = take('o')
      const test = comparison()
      const [, digits = '1'] = /^\s*(\d+)/.exec(text.slice(position)) ?? []
      if (!test)
        return fail(
          `reroll needs a condition: r=${digits} rerolls until it is not ${digits}, ro=${digits} rerolls once, r<=${digits} rerolls ${digits} or less`,
          start,
        )
      if (everyFace(term, test) && !once) fail('every face would be rerolled without end', start)
      term.reroll = { ...test, once }
      return true
    }
    if (take('f')) {
      refuseSecond('failure')
      if (!term.success) fail('failures need a condition for successes first, as in 6d10>=7f1', start)
      const test = comparison()
      term.failure = test ?? { sign: '=', than: requiredNumber(MAX_SIDES, 'the face that fails') }
      return true
    }
    const success = comparison()
    if (!success) return false
    if (term.success) fail('this modifier is given twice', start)
    term.success = success
    return true
  }

  if (text.length > MAX_NOTATION_LENGTH) fail(`notation has at most ${MAX_NOTATION_LENGTH} characters`, MAX_NOTATION_LENGTH)
  const term = sum(1)
  skip()
  if (position < text.length) fail('this is not valid here')
  refuseHuge(term)
  return term

  /** JSON numbers are exact only up to a limit: no result may exceed it. */
  function refuseHuge(whole: Term): void {
    if (!(largest(whole) <= Number.MAX_SAFE_INTEGER))
      fail(`the result could be larger than ${Number.MAX_SAFE_INTEGER.toLocaleString('en')}`, 0)
  }
}

/** Returns the number of dice to reserve for a term, without endless rerolls and explosions: a die that may be rolled once more counts twice. */
function weightOf({ count, reroll, explode }: Dice): number {
  return count * (1 + Number(reroll?.once ?? false) + Number(explode === 'once'))
}

/** Returns the dice terms of a notation, from left to right. */
export function diceIn(term: Term): Dice[] {
  if (term.kind === 'dice') return [term]
  if (term.kind === 'number') return []
  return term.kind === 'negative' ? diceIn(term.operand) : [...diceIn(term.left), ...diceIn(term.right)]
}

/** Returns the number of dice to reserve for all terms together. */
export const weightIn = (term: Term): number => diceIn(term).reduce((sum, dice) => sum + weightOf(dice), 0)

/** Returns how many further dice may be rolled for rerolls and explosions without end. */
export const spareOf = (term: Term): number => MAX_DICE - weightIn(term)

/** Returns a bound for the absolute value of the result. */
function largest(term: Term): number {
  switch (term.kind) {
    case 'number':
      return term.value
    case 'negative':
      return largest(term.operand)
    case 'dice':
      return MAX_DICE * term.sides
    case 'product':
      return largest(term.left) * largest(term.right)
    default:
      return largest(term.left) + largest(term.right)
  }
}

/** Returns true if the result counts successes rather than pips. */
export const countsSuccesses = (term: Term): boolean => diceIn(term).some(({ success }) => success !== undefined)

/** Parses a notation without throwing. Returns null for one that is absent or invalid. */
export function tryParse(text: string | undefined): Term | null {
  try {
    return text === undefined ? null : parse(text)
  } catch {
    return null
  }
}

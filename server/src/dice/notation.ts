/** Notation as a tree, each dice term with where it stands. */
export type Term =
  | { kind: 'number'; value: number }
  | { kind: 'negative'; of: Term }
  | { kind: 'sum' | 'difference' | 'product'; left: Term; right: Term }
  | Dice

export type Comparison = { sign: '>=' | '>' | '<=' | '<' | '='; than: number }

export interface Dice {
  kind: 'dice'
  at: number
  count: number
  sides: number
  /** Fudge dice have three sides, and show -1, 0 and 1. */
  fudge: boolean
  reroll?: Comparison & { once: boolean }
  explode?: 'ever' | 'once'
  keep?: { highest: boolean; drop: boolean; count: number }
  success?: Comparison
  failure?: Comparison
}

export const LONGEST = 256
export const MOST_DICE = 1000
const MOST_SIDES = 10_000
const MOST_NUMBER = 1_000_000
const DEEPEST = 32

/** What cannot be read: where, and why. `at` counts from 0 and may be the end. */
export class NotationFault extends Error {
  readonly at: number
  constructor(at: number, why: string) {
    super(why)
    this.at = at
  }
}

export const meets = (value: number, { sign, than }: Comparison) =>
  sign === '>=' ? value >= than : sign === '>' ? value > than : sign === '<=' ? value <= than : sign === '<' ? value < than : value === than

/** A die's faces, lowest and highest. */
export const facesOf = ({ sides, fudge }: Pick<Dice, 'sides' | 'fudge'>): [number, number] => (fudge ? [-1, 1] : [1, sides])

const everyFace = (dice: Dice, test: Comparison) => {
  const [low, high] = facesOf(dice)
  for (let face = low; face <= high; face++) if (!meets(face, test)) return false
  return true
}

/** Reads notation such as `4d6kh3+2`, or says what is wrong with it and where. */
export function parse(text: string): Term {
  let at = 0
  let dice = 0

  const fail = (why: string, where = at): never => {
    throw new NotationFault(Math.min(where, text.length), why)
  }
  const skip = () => {
    while (text[at] === ' ' || text[at] === '\t') at++
  }
  const take = (word: string) => {
    skip()
    const next = text.slice(at, at + word.length)
    // Only letters of ours: elsewhere in Unicode there are more that become a k.
    if (next.toLowerCase() !== word || /[^ -~]/.test(next)) return false
    at += word.length
    return true
  }
  const number = (most: number, what: string): number | null => {
    skip()
    const [digits] = /^\d+/.exec(text.slice(at, at + LONGEST)) ?? []
    if (digits === undefined) return null
    const value = Number(digits)
    if (value > most) fail(`${what} is at most ${most.toLocaleString('en')}`)
    at += digits.length
    return value
  }
  const wanted = (most: number, what: string): number => number(most, what) ?? fail(`${what} is missing here`)

  const comparison = (): Comparison | null => {
    for (const sign of ['>=', '<=', '>', '<', '='] as const) {
      if (!take(sign)) continue
      const negative = take('-')
      const than = wanted(MOST_SIDES, 'the number to compare with')
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
        if (text[at] === '/') fail('a result is a whole number, and / would have to round it: leave it out')
        return left
      }
    }
  }

  function signed(depth: number): Term {
    if (depth > DEEPEST) fail(`brackets and signs nest at most ${DEEPEST} deep`)
    return take('-') ? { kind: 'negative', of: signed(depth + 1) } : operand(depth)
  }

  function operand(depth: number): Term {
    if (take('(')) {
      const inner = sum(depth + 1)
      if (!take(')')) fail('a bracket is not closed: ) is missing here')
      return inner
    }
    skip()
    const begin = at
    const value = number(MOST_NUMBER, 'a number')
    if (take('d')) return diceTerm(begin, value ?? 1)
    if (value === null) return fail('a number, dice such as 2d6 or a bracket is missing here')
    return { kind: 'number', value }
  }

  function diceTerm(begin: number, count: number): Dice {
    if (count < 1) fail('at least one die must fall', begin)
    const tooMany = () => dice > MOST_DICE && fail(`at most ${MOST_DICE.toLocaleString('en')} dice fall in one roll`, begin)
    dice += count
    tooMany()
    const fudge = take('f')
    const sides = fudge ? 3 : take('%') ? 100 : wanted(MOST_SIDES, 'the number of sides')
    if (sides < 2) fail('a die has at least 2 sides', begin)
    const term: Dice = { kind: 'dice', at: begin, count, sides, fudge }
    while (modifier(term));
    dice += weightOf(term) - count
    tooMany()
    return term
  }

  /** Reads one modifier into the term; each may stand once, in any order. */
  function modifier(term: Dice): boolean {
    skip()
    const begin = at
    const once = (name: keyof Dice) => {
      if (term[name] !== undefined) fail('this is said twice', begin)
    }
    if (take('!')) {
      once('explode')
      term.explode = take('o') ? 'once' : 'ever'
      return true
    }
    for (const word of ['kh', 'kl', 'dh', 'dl'] as const) {
      if (!take(word)) continue
      once('keep')
      const count = wanted(MOST_DICE, `how many to ${word[0] === 'k' ? 'keep' : 'drop'}`)
      if (count > term.count || (word[0] === 'd' && count === term.count)) fail(`there are only ${term.count} dice to choose from`, begin)
      if (count < 1) fail('at least one, or leave it out', begin)
      term.keep = { highest: word[1] === 'h', drop: word[0] === 'd', count }
      return true
    }
    if (take('k')) return fail('keep which? kh keeps the highest, kl the lowest', begin)
    if (take('d')) return fail('drop which? dl drops the lowest, dh the highest', begin)
    if (take('r')) {
      once('reroll')
      const single = take('o')
      const test = comparison()
      const [, digits = '1'] = /^\s*(\d+)/.exec(text.slice(at)) ?? []
      if (!test) return fail(`reroll what? r=${digits} again until it is another, ro=${digits} once, r<=${digits} that or less`, begin)
      if (everyFace(term, test) && !single) fail('every face would be rolled again, for ever', begin)
      term.reroll = { ...test, once: single }
      return true
    }
    if (take('f')) {
      once('failure')
      if (!term.success) fail('failures are counted beside successes: say first what succeeds, as in 6d10>=7f1', begin)
      const test = comparison()
      term.failure = test ?? { sign: '=', than: wanted(MOST_SIDES, 'the face that fails') }
      return true
    }
    const success = comparison()
    if (!success) return false
    if (term.success) fail('this is said twice', begin)
    term.success = success
    return true
  }

  if (text.length > LONGEST) fail(`notation has at most ${LONGEST} characters`, LONGEST)
  const term = sum(1)
  skip()
  if (at < text.length) fail('this is not understood here')
  refuseHuge(term)
  return term

  /** Whatever falls, the result is a number that JSON can carry. */
  function refuseHuge(whole: Term): void {
    if (!(largest(whole) <= Number.MAX_SAFE_INTEGER)) fail('the result could be larger than any number here may be', 0)
  }
}

/** How many dice must have room to fall: one that may fall once more counts twice. */
function weightOf({ count, reroll, explode }: Dice): number {
  return count * (1 + Number(reroll?.once ?? false) + Number(explode === 'once'))
}

/** The dice terms of a tree, from left to right. */
export function diceIn(term: Term): Dice[] {
  if (term.kind === 'dice') return [term]
  if (term.kind === 'number') return []
  return term.kind === 'negative' ? diceIn(term.of) : [...diceIn(term.left), ...diceIn(term.right)]
}

/** How many dice must have room to fall in all terms together. */
export const weightIn = (term: Term): number => diceIn(term).reduce((sum, dice) => sum + weightOf(dice), 0)

/** How many dice may fall beyond those, where they are rerolled or explode without end. */
export const spareOf = (term: Term): number => MOST_DICE - weightIn(term)

/** How large a result can be, whatever falls. */
function largest(term: Term): number {
  switch (term.kind) {
    case 'number':
      return term.value
    case 'negative':
      return largest(term.of)
    case 'dice':
      return MOST_DICE * term.sides
    case 'product':
      return largest(term.left) * largest(term.right)
    default:
      return largest(term.left) + largest(term.right)
  }
}

/** Whether a result counts successes rather than pips. */
export const countsSuccesses = (term: Term): boolean => diceIn(term).some(({ success }) => success !== undefined)

/** What notation would be parsed to, for a first look at what it asks: null where it cannot be parsed, of which another look tells. */
export function peek(text: string | undefined): Term | null {
  try {
    return text === undefined ? null : parse(text)
  } catch {
    return null
  }
}

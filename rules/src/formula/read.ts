import { nearestTo } from '../nearest.ts'
import { readCall, SLASH } from './calls.ts'
import {
  COMPARISONS,
  costOf,
  type FormulaNode,
  MAX_VALUE,
  type NamesRead,
  namesIn,
  type Operator,
  SUMS,
  typeOf,
  type ValueType,
} from './node.ts'
import { FormulaFault, Scanner } from './scanner.ts'
import type { Scope, Suggest } from './scope.ts'

export const MAX_FORMULA_LENGTH = 500
export const MAX_FORMULA_PARTS = 200
export const MAX_FORMULA_DEPTH = 32

/** A formula that was read and checked. */
export interface Formula {
  node: FormulaNode
  type: ValueType
  /** The most steps that it takes to compute it. */
  cost: number
  reads: NamesRead
  /** The number of its parts, of which a ruleset may have so many together. */
  parts: number
}

interface ReadOptions {
  /** The type that the place of the formula needs. */
  needs?: ValueType
  /** Advice about unknown names. It compares them with all known ones, so a caller with many formulas limits it. */
  suggest?: Suggest
}

/** Binary operators from the weakest to the strongest, with the type of their operands. */
const LEVELS: { operators: readonly string[]; takes: ValueType }[] = [
  { operators: ['or'], takes: 'truth' },
  { operators: ['and'], takes: 'truth' },
  { operators: COMPARISONS, takes: 'number' },
  { operators: SUMS, takes: 'number' },
  { operators: ['*'], takes: 'number' },
]
const COMPARISON_LEVEL = 2
const PRODUCT_LEVEL = LEVELS.length - 1

const NEEDED = {
  number: 'a number is needed here, and this is a yes or no',
  truth: 'a yes or no is needed here, such as strength > 2',
}

/** Reads the parts of a formula, each with its type checked. */
export class FormulaReader {
  readonly scanner: Scanner
  readonly scope: Scope
  readonly suggest: Suggest
  parts = 0
  #depth = 0

  constructor(text: string, scope: Scope, suggest: Suggest) {
    this.scanner = new Scanner(text)
    this.scope = scope
    this.suggest = suggest
  }

  whole(needs?: ValueType): FormulaNode {
    const read = () => this.#choice()
    const node = needs ? this.#typed(needs, read) : read()
    const { kind, text } = this.scanner.token
    if (kind !== 'end') this.scanner.fail(text === '/' ? SLASH : `${text} has no meaning here`)
    return node
  }

  number(): FormulaNode {
    return this.#typed('number', () => this.#choice())
  }

  product(): FormulaNode {
    return this.#typed('number', () => this.#operation(PRODUCT_LEVEL))
  }

  literal(): number {
    const value = Number(this.scanner.token.text)
    if (value > MAX_VALUE) this.scanner.fail(`a number is at most ${MAX_VALUE.toLocaleString('en')}`)
    this.scanner.next()
    return value
  }

  #typed(needed: ValueType, read: () => FormulaNode): FormulaNode {
    const { position } = this.scanner.token
    return this.#checked(read(), needed, position)
  }

  #checked(node: FormulaNode, needed: ValueType, position: number): FormulaNode {
    return typeOf(node) === needed ? node : this.scanner.fail(NEEDED[needed], position)
  }

  #add(node: FormulaNode): FormulaNode {
    if (++this.parts > MAX_FORMULA_PARTS) this.scanner.fail(`a formula has at most ${MAX_FORMULA_PARTS} parts`)
    return node
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_FORMULA_DEPTH) this.scanner.fail(`a formula nests at most ${MAX_FORMULA_DEPTH} deep`)
    const result = read()
    this.#depth--
    return result
  }

  #choice(): FormulaNode {
    return this.#nested(() => {
      const { position } = this.scanner.token
      const first = this.#operation(0)
      if (!this.scanner.is('?')) return first
      const when = this.#checked(first, 'truth', position)
      this.scanner.next()
      const then = this.#choice()
      this.scanner.expect(':')
      return this.#add({ kind: 'choice', when, then, otherwise: this.#typed(typeOf(then), () => this.#choice()) })
    })
  }

  #operation(level: number): FormulaNode {
    const rule = LEVELS[level]
    if (!rule) return this.#operand()
    const { position } = this.scanner.token
    let left = this.#operation(level + 1)
    const isNext = () => rule.operators.includes(this.scanner.token.text)
    while (isNext()) {
      this.#checked(left, rule.takes, position)
      const operator = this.scanner.next().text as Operator
      const right = this.#typed(rule.takes, () => this.#operation(level + 1))
      left = this.#add({ kind: 'operation', operator, left, right })
      if (level === COMPARISON_LEVEL && isNext()) this.scanner.fail('comparisons do not chain: join them with and')
    }
    return left
  }

  #operand(): FormulaNode {
    const { kind, text } = this.scanner.token
    if (kind === 'number') return this.#add({ kind: 'number', value: this.literal() })
    if (text === '-' || text === 'not') return this.#nested(() => this.#negation())
    if (text === '(') return this.#inParentheses(() => this.#choice())
    if (kind === 'word') return this.#add(this.#named())
    const missing = 'a number or a name is missing'
    return this.scanner.fail(kind === 'end' ? `${missing} here` : `${missing} before ${text}`)
  }

  #negation(): FormulaNode {
    const isNot = this.scanner.next().text === 'not'
    const operand = this.#typed(isNot ? 'truth' : 'number', () => this.#operand())
    return this.#add({ kind: isNot ? 'not' : 'negative', operand })
  }

  #inParentheses(read: () => FormulaNode): FormulaNode {
    this.scanner.expect('(')
    const node = read()
    if (this.scanner.is('/')) this.scanner.fail(SLASH)
    this.scanner.expect(')')
    return node
  }

  #named(): FormulaNode {
    const { text: name, position } = this.scanner.next()
    if (this.scanner.is('(')) return this.#nested(() => this.#inParentheses(() => readCall(this, name, position)))
    const { numbers } = this.scope
    if (numbers.has(name)) return { kind: 'name', name }
    if (this.scope.groups.has(name))
      this.scanner.fail(`${name} is several traits: use sum(${name}), highest(${name}) or lowest(${name})`, position)
    return this.scanner.fail(`there is no ${name} here${this.suggest(name, numbers)}`, position)
  }
}

export const suggestNearest: Suggest = (name, known) => {
  const [nearest] = nearestTo(name, known)
  return nearest === undefined ? '' : `: did you mean ${nearest}?`
}

/** Reads and checks a formula. Throws a FormulaFault with the position and the reason if it is invalid. */
export function readFormula(text: string, scope: Scope, { needs, suggest = suggestNearest }: ReadOptions = {}): Formula {
  if (text.length > MAX_FORMULA_LENGTH) throw new FormulaFault(MAX_FORMULA_LENGTH, `a formula has at most ${MAX_FORMULA_LENGTH} characters`)
  const reader = new FormulaReader(text, scope, suggest)
  const node = reader.whole(needs)
  return { node, parts: reader.parts, type: typeOf(node), cost: costOf(node), reads: namesIn(node) }
}

import { divide } from '@guildhall/dice/divide'
import { type Aggregate, type DiceQuestion, type FormulaNode, MAX_VALUE, type Operator } from './node.ts'

/** The values behind the names of a formula when it is computed. */
export interface Values {
  number(name: string): number
  table(name: string, key: number): number
  /** The option that is chosen in a slot, if any. */
  chosen(slot: string): string | null
  /** The values of the kept dice of a group, or of all groups. */
  dice?(group: string | null): readonly number[]
}

/** A formula that can be computed many times. A truth is 1 or 0. */
export type Computation = (values: Values) => number

/** No result leaves the range. Adding 0 turns -0 into 0. */
export const bounded = (value: number) => Math.min(MAX_VALUE, Math.max(-MAX_VALUE, value)) + 0

const OPERATIONS: Record<Exclude<Operator, 'and' | 'or'>, (left: number, right: number) => number> = {
  '+': (left, right) => bounded(left + right),
  '-': (left, right) => bounded(left - right),
  // The product of two values in range is beyond the exact integers, but so far beyond the range that it does not matter.
  '*': (left, right) => bounded(left * right),
  '<': (left, right) => Number(left < right),
  '<=': (left, right) => Number(left <= right),
  '>': (left, right) => Number(left > right),
  '>=': (left, right) => Number(left >= right),
  '==': (left, right) => Number(left === right),
  '!=': (left, right) => Number(left !== right),
}

const FUNCTIONS: Record<NodeOf<'call'>['name'], (...values: number[]) => number> = {
  min: Math.min,
  max: Math.max,
  abs: (value = 0) => Math.abs(value),
  // If the limits are the wrong way round, the lower one wins.
  clamp: (value = 0, low = 0, high = 0) => Math.max(low, Math.min(high, value)),
}

const AGGREGATIONS: Record<Aggregate, (numbers: readonly number[], least: number) => number> = {
  sum: (numbers) => bounded(numbers.reduce((sum, value) => sum + value, 0)),
  highest,
  lowest,
  count: (numbers, least) => count(numbers, (value) => value >= least),
}

const ANSWERS: Record<DiceQuestion, (dice: readonly number[], pips: number) => number> = {
  fallen: (dice) => dice.length,
  added: (dice) => dice.reduce((sum, value) => sum + value, 0),
  best: highest,
  worst: lowest,
  shown: (dice, pips) => count(dice, (value) => value === pips),
  at_least: (dice, pips) => count(dice, (value) => value >= pips),
  at_most: (dice, pips) => count(dice, (value) => value <= pips),
}

/** Of no numbers, the highest and the lowest are 0. */
function highest(numbers: readonly number[]): number {
  return numbers.reduce((highest, value) => Math.max(highest, value), numbers[0] ?? 0)
}

function lowest(numbers: readonly number[]): number {
  return numbers.reduce((lowest, value) => Math.min(lowest, value), numbers[0] ?? 0)
}

function count(numbers: readonly number[], matches: (value: number) => boolean): number {
  let found = 0
  for (const value of numbers) if (matches(value)) found++
  return found
}

type NodeOf<Kind> = Extract<FormulaNode, { kind: Kind }>

/** Makes a closure of each kind of node. No text is ever run as code. */
const COMPILERS: { [Kind in FormulaNode['kind']]: (node: NodeOf<Kind>) => Computation } = {
  number:
    ({ value }) =>
    () =>
      value,
  name:
    ({ name }) =>
    (values) =>
      values.number(name),
  negative: ({ operand }) => {
    const compute = compile(operand)
    return (values) => -compute(values) + 0
  },
  not: ({ operand }) => {
    const compute = compile(operand)
    return (values) => 1 - compute(values)
  },
  operation: ({ operator, left, right }) => {
    const [one, other] = [compile(left), compile(right)]
    if (operator === 'and') return (values) => one(values) && other(values)
    if (operator === 'or') return (values) => one(values) || other(values)
    const apply = OPERATIONS[operator]
    return (values) => apply(one(values), other(values))
  },
  choice: ({ when, then, otherwise }) => {
    const [holds, one, other] = [compile(when), compile(then), compile(otherwise)]
    return (values) => (holds(values) ? one(values) : other(values))
  },
  quotient: ({ rounding, dividend, divisor }) => {
    const compute = compile(dividend)
    return (values) => divide(rounding, compute(values), divisor)
  },
  call: ({ name, values: nodes }) => {
    const computations = nodes.map(compile)
    const apply = FUNCTIONS[name]
    return (values) => apply(...computations.map((compute) => compute(values)))
  },
  table: ({ name, key }) => {
    const compute = compile(key)
    return (values) => values.table(name, compute(values))
  },
  aggregate: ({ name, traits, least }) => {
    const threshold = least && compile(least)
    return (values) => {
      const numbers = traits.map((trait) => values.number(trait))
      return AGGREGATIONS[name](numbers, threshold ? threshold(values) : 0)
    }
  },
  is:
    ({ slot, option }) =>
    (values) =>
      Number(values.chosen(slot) === option),
  dice: ({ question, group, pips }) => {
    const compute = pips && compile(pips)
    return (values) => ANSWERS[question](values.dice?.(group) ?? [], compute ? compute(values) : 0)
  },
}

/** Prepares a formula, so that it can be computed many times. */
export const compile = (node: FormulaNode): Computation => (COMPILERS[node.kind] as (node: FormulaNode) => Computation)(node)

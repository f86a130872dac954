import { ROUNDINGS, type Rounding } from '@guildhall/dice/divide'

/** The two types of values. A truth is 1 or 0 when it is computed. */
export type ValueType = 'number' | 'truth'

export const SUMS = ['+', '-'] as const
export const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='] as const
export type Operator = (typeof SUMS)[number] | '*' | (typeof COMPARISONS)[number] | 'and' | 'or'

export const AGGREGATES = ['sum', 'highest', 'lowest', 'count'] as const
export type Aggregate = (typeof AGGREGATES)[number]

/** Questions about rolled dice, and whether each asks about a number of pips. */
export const DICE_QUESTIONS = {
  fallen: false,
  added: false,
  best: false,
  worst: false,
  shown: true,
  at_least: true,
  at_most: true,
} as const
export type DiceQuestion = keyof typeof DICE_QUESTIONS

/** Functions of numbers, and how many they take. */
export const FUNCTIONS = {
  min: { least: 2, most: 20 },
  max: { least: 2, most: 20 },
  abs: { least: 1, most: 1 },
  clamp: { least: 3, most: 3 },
} as const

/** Every number of a formula, and every result, lies between this and its negative. */
export const MAX_VALUE = 1_000_000_000

/** A part of a formula. */
export type FormulaNode =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'negative' | 'not'; operand: FormulaNode }
  | { kind: 'operation'; operator: Operator; left: FormulaNode; right: FormulaNode }
  | { kind: 'choice'; when: FormulaNode; then: FormulaNode; otherwise: FormulaNode }
  | { kind: 'quotient'; rounding: Rounding; dividend: FormulaNode; divisor: number }
  | { kind: 'call'; name: keyof typeof FUNCTIONS; values: FormulaNode[] }
  | { kind: 'table'; name: string; key: FormulaNode }
  | { kind: 'aggregate'; name: Aggregate; group: string; traits: readonly string[]; least: FormulaNode | null }
  | { kind: 'is'; slot: string; option: string }
  | { kind: 'dice'; question: DiceQuestion; group: string | null; pips: FormulaNode | null }

/** Words that formulas use themselves, so that nothing else can have their name. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'is'],
  ...ROUNDINGS,
  ...Object.keys(FUNCTIONS),
  ...AGGREGATES,
  ...Object.keys(DICE_QUESTIONS),
])

export function typeOf(node: FormulaNode): ValueType {
  switch (node.kind) {
    case 'not':
    case 'is':
      return 'truth'
    case 'choice':
      return typeOf(node.then)
    case 'operation':
      return node.operator === '+' || node.operator === '-' || node.operator === '*' ? 'number' : 'truth'
    default:
      return 'number'
  }
}

/** The nodes directly inside a node. */
export function partsOf(node: FormulaNode): FormulaNode[] {
  switch (node.kind) {
    case 'number':
    case 'name':
    case 'is':
      return []
    case 'negative':
    case 'not':
      return [node.operand]
    case 'operation':
      return [node.left, node.right]
    case 'choice':
      return [node.when, node.then, node.otherwise]
    case 'quotient':
      return [node.dividend]
    case 'call':
      return node.values
    case 'table':
      return [node.key]
    case 'aggregate':
      return node.least ? [node.least] : []
    case 'dice':
      return node.pips ? [node.pips] : []
  }
}

/** A question about dice may have to look at as many as one roll can have. */
export const DICE_COST = 1000
/** The steps of a binary search in the longest table. */
export const TABLE_COST = 8

/** The most steps that it takes to compute a node. */
export function costOf(node: FormulaNode): number {
  const own = node.kind === 'aggregate' ? 1 + node.traits.length : node.kind === 'dice' ? DICE_COST : node.kind === 'table' ? TABLE_COST : 1
  return partsOf(node).reduce((sum, part) => sum + costOf(part), own)
}

/** The numbers and the groups that a node reads, and the choices that it asks about. */
export interface NamesRead {
  numbers: Set<string>
  groups: Set<string>
  slots: Set<string>
}

const nothingRead = (): NamesRead => ({ numbers: new Set(), groups: new Set(), slots: new Set() })

export function namesIn(node: FormulaNode, names: NamesRead = nothingRead()): NamesRead {
  if (node.kind === 'name') names.numbers.add(node.name)
  if (node.kind === 'aggregate') names.groups.add(node.group)
  if (node.kind === 'is') names.slots.add(node.slot)
  for (const part of partsOf(node)) namesIn(part, names)
  return names
}

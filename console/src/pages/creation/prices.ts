import { traitsIn } from '../../rules/document.ts'
import { type CreationDocument, type Method, traitsOf, type Values } from './document.ts'

/** Returns the price of a value. */
type Price = (value: number) => number

const FACTOR = /^(?:(-?\d+) ?\* ?value|value ?\* ?(-?\d+))$/
const LOOKUP = /^(-?)(\w+)\(value\)$/

/** The value of the last key of a table that is not above a number, or of its first key. */
const lookUp = (rows: readonly [key: number, value: number][], key: number): number =>
  (rows.filter(([from]) => from <= key).at(-1) ?? rows[0])?.[1] ?? 0

/**
 * Reads the formulas that prices usually are: a number, a multiple of the value, or a table. The service computes all others, and the page then shows no budget that is left: a number
 * that may be wrong would be worse.
 */
export function priceOf(formula: string | number, tables: CreationDocument['tables'] = {}): Price | undefined {
  const source = String(formula).trim()
  if (source === 'value') return (value) => value
  if (source === '-value') return (value) => 0 - value
  if (/^-?\d+$/.test(source)) return () => Number(source)
  const factor = FACTOR.exec(source)
  if (factor) return (value) => 0 + value * Number(factor[1] ?? factor[2])
  const [, sign, name = ''] = LOOKUP.exec(source) ?? []
  const rows = Object.hasOwn(tables, name) ? tables[name] : undefined
  return rows && ((value) => (sign ? 0 - lookUp(rows, value) : lookUp(rows, value)))
}

/** The prices of the values in a step by trait, or undefined if a formula is only understood by the service. */
export function pricesOf(document: CreationDocument, method: Method): ((trait: string, value: number) => number) | undefined {
  const { cost = 'value' } = method
  const prices = new Map<string, Price>()
  const parts = Array.isArray(cost) ? [...cost] : [{ of: undefined, cost }]
  // A trait that no part names costs its value.
  for (const { of, cost: formula } of [...parts, { of: undefined, cost: 'value' }]) {
    const price = priceOf(formula, document.tables)
    if (!price) return undefined
    const named = of === undefined ? traitsOf(document, method) : document.traits[of] ? [of] : traitsIn(document, of)
    for (const trait of named) if (!prices.has(trait)) prices.set(trait, price)
  }
  return (trait, value) => prices.get(trait)?.(value) ?? value
}

/** The points that values cost together. */
export const spentOn = (values: Values, price: (trait: string, value: number) => number): number =>
  Object.entries(values).reduce((sum, [trait, value]) => sum + price(trait, value), 0)

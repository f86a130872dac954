import type { Values } from '../document.ts'

export const descending = (values: Iterable<number>) => [...values].sort((a, b) => b - a)

/** The values that no trait has yet. */
export function valuesLeft(given: readonly number[], values: Values): number[] {
  const left = descending(given)
  for (const value of Object.values(values)) {
    const at = left.indexOf(value)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

/** Gives a value to a trait. If another trait has the last one of it, the two swap. */
export function assigned(given: readonly number[], values: Values, trait: string, value: number | undefined): Values {
  const { [trait]: before, ...others } = values
  if (value === undefined) return others
  const next: Values = { ...others, [trait]: value }
  if (before === value || valuesLeft(given, others).includes(value)) return next
  const holder = Object.keys(others).find((name) => others[name] === value)
  if (holder === undefined) return next
  if (before === undefined) delete next[holder]
  else next[holder] = before
  return next
}

/** Gives the values that are left to the traits that have none, in their order. */
export function filled(given: readonly number[], values: Values, traits: readonly string[]): Values {
  const left = valuesLeft(given, values)
  const open = traits.filter((trait) => values[trait] === undefined)
  return { ...values, ...Object.fromEntries(open.map((trait, index) => [trait, left[index] as number])) }
}

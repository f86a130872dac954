import { canonical } from '../../core/json.ts'
import type { Changes } from '../../events/record.ts'
import { traitOf } from '../characters/rules.ts'
import type { Moved } from './schema.ts'

type Traits = Record<string, number> | null

/** Field by field; traits one by one, and only those that moved. */
export const moved = (changes: Changes): Moved[] =>
  Object.entries(changes).flatMap(([field, { old, new: now }]) => {
    if (field !== 'traits') return [{ field, from: old, to: now }]
    const [before, after] = [(old as Traits) ?? {}, (now as Traits) ?? {}]
    return Object.keys({ ...before, ...after })
      .sort()
      .map((name) => ({ field: `traits.${name}`, from: traitOf(before, name), to: traitOf(after, name) }))
      .filter(({ from, to }) => canonical(from) !== canonical(to))
  })

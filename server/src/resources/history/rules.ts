import { canonical } from '../../core/json.ts'
import type { Changes } from '../../events/record.ts'
import { traitOf } from '../characters/rules.ts'
import type { FieldChange } from './schema.ts'

type Traits = Record<string, number> | null

/** Lists the changes of an event field by field. Each trait that changed is an entry of its own. */
export const fieldChangesOf = (changes: Changes): FieldChange[] =>
  Object.entries(changes).flatMap(([field, { old, new: now }]) => {
    if (field !== 'traits') return [{ field, from: old, to: now }]
    const [before, after] = [(old as Traits) ?? {}, (now as Traits) ?? {}]
    return Object.keys({ ...before, ...after })
      .sort()
      .map((name) => ({ field: `traits.${name}`, from: traitOf(before, name), to: traitOf(after, name) }))
      .filter(({ from, to }) => canonical(from) !== canonical(to))
  })

import { canonical } from '../../core/json.ts'
import type { Changes } from '../../events/record.ts'
import { SHEET_FIELDS } from '../characters/schema.ts'
import type { FieldChange } from './schema.ts'

type Values = Record<string, unknown> | null

/** The value of a name, or null. Inherited properties do not count. */
const namedValue = (values: Record<string, unknown>, name: string) => (Object.hasOwn(values, name) ? values[name] : null)

/** Lists the changes of an event field by field. Each trait and detail that changed is an entry of its own. */
export const fieldChangesOf = (changes: Changes): FieldChange[] =>
  Object.entries(changes).flatMap(([field, { old, new: now }]) => {
    if (!SHEET_FIELDS.some((name) => name === field)) return [{ field, from: old, to: now }]
    const [before, after] = [(old as Values) ?? {}, (now as Values) ?? {}]
    return Object.keys({ ...before, ...after })
      .sort()
      .map((name) => ({ field: `${field}.${name}`, from: namedValue(before, name), to: namedValue(after, name) }))
      .filter(({ from, to }) => canonical(from) !== canonical(to))
  })

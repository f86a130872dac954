import type { Fault } from '../../core/problem.ts'

type Query = Record<string, unknown>

/** The parameters of a query by their present names. */
interface Renamed {
  query: Query
  faults: Fault[]
  /** Returns the name that the client used. */
  sentAs(name: string): string
}

/** Reads parameters that are sent by an earlier name (`formerly`: the earlier name by the present one). One with both names is a fault. */
export function byPresentNames(sent: Query, formerly: Record<string, string> = {}): Renamed {
  const query = { ...sent }
  const faults: Fault[] = []
  const used = new Map<string, string>()
  for (const [name, earlier] of Object.entries(formerly)) {
    if (!(earlier in sent)) continue
    delete query[earlier]
    if (name in sent) faults.push({ field: earlier, message: `must not be sent together with ${name}, which has replaced it` })
    else {
      query[name] = sent[earlier]
      used.set(name, earlier)
    }
  }
  return { query, faults, sentAs: (name) => used.get(name) ?? name }
}

/** A cursor is a place of its own, so there is nothing to skip from the start. */
export const placeFaults = (sent: Query): Fault[] =>
  'after' in sent && 'offset' in sent ? [{ field: 'after', message: 'must not be sent together with offset' }] : []

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Runs a computation in parts, between which other requests have their turn. */
export async function inTurns<Result>(parts: Generator<unknown, Result>): Promise<Result> {
  for (let part = parts.next(); ; part = parts.next()) {
    if (part.done) return part.value
    await nextTurn()
  }
}

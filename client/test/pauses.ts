import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type EventsOptions, Guildhall } from '../src/index.ts'

/** The limit of an attempt to open a stream, and of its silence. */
const MAX_SILENCE_MS = 45_000
const TIMEOUT_MS = 60_000

/** Makes timers end at once, except those that limit an attempt, and returns the times that they were started with. */
export function recordPauses(t: TestContext): number[] {
  const { setTimeout } = globalThis
  const pauses: number[] = []
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
    if (ms === MAX_SILENCE_MS || ms === TIMEOUT_MS) return setTimeout(run, ms)
    pauses.push(ms)
    return setTimeout(run, 0)
  })
  return pauses
}

/** A client whose service answers every request in this way. */
export const clientOf = (fetch: () => Response) =>
  new Guildhall({ apiKey: 'glh_test', baseUrl: 'http://127.0.0.1', fetch: async () => fetch() })

/** Follows a stream over this many connections. */
export async function connect(count: number, answer: () => Response, options: EventsOptions = {}): Promise<void> {
  const stop = new AbortController()
  let opened = 0
  const gh = clientOf(() => {
    if (++opened === count) stop.abort(new Error('enough'))
    return answer()
  })
  await assert.rejects(
    gh
      .company('c')
      .events({ ...options, signal: stop.signal })
      .next(),
    { message: 'enough' },
  )
}

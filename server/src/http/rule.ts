import type { Denial } from '../core/denial.ts'
import type { Caller } from './caller.ts'

/**
 * A rule about who may do something: a function that decides it, and the sentence that documents it. It is asked once the body (400) and the path
 * resources (404) are known, and again before a stored reply is replayed.
 */
export interface Rule<Context = never, Body = never> {
  (context: Context, body?: Body): boolean
  readonly sentence: string
  /** The reason for a refusal. */
  why(context: Context, body?: Body): Denial
  /** Decides as far as the caller and the path's ids suffice, before the body is read. */
  readonly early?: (caller: Caller, params: Record<string, string>) => boolean
}

export const rule = <Context, Body = unknown>(
  sentence: string,
  decide: (context: Context, body: Body) => boolean,
  why: Denial | ((context: Context, body: Body) => Denial),
  early?: Rule['early'],
): Rule<Context, Body> =>
  Object.assign((context: Context, body = {} as Body) => decide(context, body), {
    sentence,
    why: (context: Context, body = {} as Body) => (typeof why === 'function' ? why(context, body) : why),
    ...(early && { early }),
  })

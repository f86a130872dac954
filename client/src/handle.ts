import { type EventsOptions, follow } from './events.ts'
import { List, type Page } from './list.ts'
import type { ChangeOptions } from './options.ts'
import type { Transport } from './transport.ts'

/**
 * A handle as data. A text is a group of operations: their common path, and each with its name, its kind and the rest of its path. An array is a handle below it, or without a
 * second element the path of its stream.
 */
export interface HandleSpec {
  readonly [name: string]: string | readonly [path: string, below?: HandleSpec]
}

/** The method of each kind of operation, and its argument besides ids and options. C and N only compute, L is a list. */
const KINDS: Record<string, readonly [method: string, argument?: 'query' | 'body']> = {
  L: ['GET', 'query'],
  Q: ['GET', 'query'],
  G: ['GET'],
  B: ['POST', 'body'],
  C: ['POST', 'body'],
  N: ['POST'],
  P: ['POST'],
  U: ['PUT', 'body'],
  A: ['PATCH', 'body'],
  D: ['DELETE'],
}

/** An id as part of a path. An empty one, or one that leads upward, would address another resource. */
function segment(id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is no id. Is the variable set?`)
  // A * is the placeholder of the next id in a template.
  return encodeURIComponent(id).replaceAll('*', '%2A')
}

function operationOf(transport: Transport, kind: string, template: string) {
  const [method, argument] = KINDS[kind] as [string, ('query' | 'body')?]
  return (...args: unknown[]): unknown => {
    const path = template.replace(/\*/g, () => segment(args.shift()))
    const given = argument && (args.shift() as object | undefined)
    const options = args.shift() as ChangeOptions | undefined
    const request = { method, path, ...(argument && { [argument]: given }), options, isSafe: /[LQGCND]/.test(kind) }
    if (kind !== 'L') return transport.send(request)
    // The limit that the caller asks for wins. Every other part of a position replaces that of the first page.
    return new List(
      ({ limit, ...position } = {}) => transport.send({ ...request, query: { limit, ...given, ...position } }) as Promise<Page>,
    )
  }
}

function groupOf(transport: Transport, path: string, text: string): object {
  const [shared, ...operations] = text.split(' ')
  return Object.fromEntries(
    operations.map((operation) => {
      const [name, rest = ''] = operation.split(':')
      return [name, operationOf(transport, rest.slice(0, 1), path + shared + rest.slice(1))]
    }),
  )
}

/** Builds a handle: its groups of operations, its stream, and functions for the handles below it. */
export function addTo<T extends object>(handle: T, transport: Transport, spec: HandleSpec, path: string): T {
  for (const [name, value] of Object.entries(spec)) {
    if (typeof value === 'string') Object.assign(handle, { [name]: groupOf(transport, path, value) })
    else {
      const [rest, below] = value
      const call = below
        ? (id: unknown) => addTo({}, transport, below, path + rest + segment(id))
        : (options?: EventsOptions) => follow(transport, path + rest, options)
      Object.assign(handle, { [name]: call })
    }
  }
  return handle
}

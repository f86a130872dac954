import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { OutgoingRequest } from '../../bench/load.ts'
import { type Documented, documented, resolve } from './document.ts'
import { fill, idsIn, type Scene } from './scene.ts'
import { anyText, type IdsFor, mutated, valid } from './values.ts'

/** A generated request, and the operation that it calls. */
export interface GeneratedRequest {
  op: Documented
  request: OutgoingRequest
}

/** Returns true for operations that would remove the row that other requests use. */
const removesSubject = ({ id, method }: Documented) => method === 'DELETE' || id.endsWith('.restore') || id === 'users.update'

const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 9) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

/** Generates a value once in `oneIn` times, otherwise null. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>, oneIn: number) => mostly(fc.constant<T | null>(null), arbitrary, oneIn - 1)

/** Generates requests to every operation: valid ones, and slightly invalid ones. */
export function generatedRequests(ours: Scene, theirs: Scene, operatorKey: string): fc.Arbitrary<GeneratedRequest> {
  const foreign = [...theirs.ids.values()].flat()
  const wrongId = fc.oneof(fc.constantFrom(...foreign), fc.uuid(), fc.constantFrom('nonsense', '%00', '-1', "1'--", '%ff'))
  const idsByCollection = new Map(
    [...ours.ids].map(([before, both]) => [before.slice(before.lastIndexOf('/', before.length - 2) + 1, -1), both]),
  )
  const idsFor: IdsFor = (field) => {
    const both = idsByCollection.get(`${field.replace(/_id$/, '')}s`)
    return mostly(both ? fc.constantFrom(...both) : fc.uuid(), fc.oneof(fc.constantFrom(...foreign), fc.uuid()))
  }

  const pathOf = (op: Documented) => {
    const ids = idsIn(op.path)
    const usual = ids.map(({ before }, i) => ours.ids.get(before)?.[removesSubject(op) && i === ids.length - 1 ? 1 : 0] ?? randomUUID())
    const replacement = fc.tuple(fc.nat({ max: Math.max(0, ids.length - 1) }), wrongId)
    return sometimes(replacement, 4).map((fault) => {
      const values = usual.map((id, i) => (fault?.[0] === i ? fault[1] : id))
      return fill(op.path, () => values.shift() as string)
    })
  }
  const queryOf = (op: Documented) => {
    const known = op.query.map(({ name, schema, required }) => {
      const text = mostly(
        valid(schema, idsFor, name).map((value) => [value].flat().join(',')),
        anyText,
      )
      return (required ? text : sometimes(text, 4)).map((value) => [name, value] as const)
    })
    const unknown = sometimes(fc.constant('1'), 30).map((value) => ['surprise', value] as const)
    return fc.tuple(...known, unknown).map((pairs) => {
      const given = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null)
      return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    })
  }
  const headersOf = ({ method }: Documented) => {
    const known: [string, fc.Arbitrary<string>][] = [
      ['idempotency-key', mostly(fc.uuid(), fc.constantFrom('same', '"', 'k'.repeat(5000)))],
      ['on-behalf-of', mostly(idsFor('user_id'), wrongId)],
      method === 'GET'
        ? ['if-none-match', fc.constantFrom('*', '"1-x"', 'nonsense')]
        : ['if-match', fc.constantFrom('*', '"1"', '"99"', ',')],
    ]
    const each = known.map(([name, value]) => sometimes(value, 8).map((given) => [name, given] as const))
    return fc.tuple(...each).map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== null)) as Record<string, string>)
  }

  return fc.constantFrom(...documented).chain((op) => {
    const body = op.body
      ? mostly(valid(resolve(op.body.schema), idsFor), mutated(resolve(op.body.schema), idsFor), 2)
      : fc.constant(undefined)
    const key = op.path.startsWith('/api/v1/admin') ? operatorKey : ours.developer.key
    return fc.tuple(pathOf(op), queryOf(op), headersOf(op), body).map(([path, query, headers, sent]) => ({
      op,
      request: {
        method: op.method,
        path: query ? `${path}?${query}` : path,
        key,
        headers,
        ...(sent !== undefined && { body: sent }),
      },
    }))
  })
}

import type { TObject, TSchema } from '@guildhall/rules/type'
import { knowsIdentities } from '../core/access.ts'
import { lazy } from '../core/lazy.ts'
import type { Fault } from '../core/problem.ts'
import type { EventType } from '../events/catalog.ts'
import { mayEndStreams } from '../events/endings.ts'
import type { Caller } from './caller.ts'
import type { Operation } from './operation.ts'
import type { PathResource, PathResources, Writers } from './path.ts'
import { maskOf } from './request/private-fields.ts'
import { serializer } from './request/serialize.ts'
import { textFaults, type Validate, validator } from './request/validate.ts'

/** An operation with everything that follows from it, derived once at boot. Nothing else in `http` takes a path apart. */
export interface Plan extends Omit<Operation, 'path' | 'location'> {
  /** The path below /api/v1, with its ids as {name}. */
  path: string
  /** The path as the router takes it. */
  url: string
  params: readonly PathParam[]
  /** The path names one resource of a collection: it ends with an id. */
  endsWithId: boolean
  /** The path names a company, and so a tenant. */
  inCompany: boolean
  /** The source of the acting user: the path, the optional On-Behalf-Of header, or none. */
  actor: 'path' | 'header' | 'none'
  /** The resources that the path leads through. */
  through: PathResources
  /** The path resource that the operation itself reads, changes, archives or restores. */
  subject: PathResource | undefined
  /** The path resources, other than the subject, that can be archived. They stay live while something is written below them. */
  parents: PathResources
  /** The path resources that ask everybody who writes below them. */
  gates: (PathResource & { writers: Writers })[]
  act: 'read' | 'write' | 'archive' | 'restore'
  /** API keys are accepted, and the console sessions of developers. */
  acceptsKey: boolean
  /** User tokens are accepted. Their permission is USER. */
  acceptsToken: boolean
  /** The operation changes something: a user token needs more than the scope READ. */
  writes: boolean
  isList: boolean
  /** The pages of the list can be walked by cursor. */
  hasCursors: boolean
  isVersioned: boolean
  /** The reply has an ETag: it has a version, or is a list or a file. */
  hasETag: boolean
  takesBody: boolean
  /** The operation accepts a body, and so an Idempotency-Key, except for one that signs in: its cookie is never stored. */
  takesIdempotencyKey: boolean
  /** The operation changes one resource, and so heeds If-Match. */
  readsIfMatch: boolean
  events: readonly EventType[]
  /** The operation may take rights from callers, whose streams then end. */
  endsStreams: boolean
  validate: Validate
  /** The body may contain an external id, which few callers may write. */
  writesExternalId: boolean
  /** The operation can find that an external id is taken. */
  mayTakeExternalId: boolean
  /** Replaces the private fields of a reply that the caller may not see with null. */
  mask(data: unknown, caller: Caller): unknown
  serialize(data: unknown): string
  /** Fills the ids into the path. */
  fill(value: (name: string) => string): string
  /** The operation says where a resource that it creates is. Otherwise a PUT creates it at its own path. */
  hasLocation: boolean
  /** The path of a created resource. */
  locationOf(params: Record<string, string>, id: string): string
  /** True for reads that may take long: the operation says so, or they filter a list by a part of the name, which may match every row. */
  readsLong(query: { q?: string }): boolean
  /** True for bodies that keep the process busy. False for an invalid body, which is rejected later, in the order of checks. */
  isHeavy(request: { query: unknown; body: unknown; headers: object }): boolean
}

export interface PathParam {
  name: string
  /** `campaign_id` is the id of a Campaign. */
  noun: string
  /** Set if the parameter is a text instead of an id. */
  text?: { schema: TSchema; faultsIn(text: unknown): Fault[] }
}

const PARAM = /{(\w+)}/g
const RESTORE = /\/restore$/
const BELOW_USER = /\/users\/{user_id}\/(?!restore$)/

/** Turns `campaign_id` into Campaign, and `audit_logs` into Audit logs. */
export const nounOf = (name: string) => {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return (words[0] as string).toUpperCase() + words.slice(1)
}

const fillPath = (path: string, value: (name: string) => string) => path.replaceAll(PARAM, (_, name) => value(name))

function paramsOf({ template, textParams = {} }: Operation['path']): PathParam[] {
  return [...template.matchAll(PARAM)].map(([, name = '']) => {
    const declared = textParams[name]
    if (!declared) return { name, noun: nounOf(name) }
    const { noun, schema } = declared
    return { name, noun, text: { schema, faultsIn: lazy(() => textFaults(name, schema)) } }
  })
}

const fieldOf = ({ reply: [, schema] }: Operation, field: string) => (schema as TObject | undefined)?.properties?.[field]
const replyHas = (op: Operation, field: string) => fieldOf(op, field) !== undefined
/** A resource has the number of its changes as `version`. */
const hasVersion = (op: Operation) => (fieldOf(op, 'version') as { type?: string } | undefined)?.type === 'integer'

const isGate = (resource: PathResource): resource is PathResource & { writers: Writers } => resource.writers !== undefined

function actOf({ method, path }: Operation): Plan['act'] {
  if (method === 'GET') return 'read'
  if (method === 'DELETE') return 'archive'
  return RESTORE.test(path.template) ? 'restore' : 'write'
}

export function planOf(op: Operation): Plan {
  const { template: path, through } = op.path
  const inCompany = path.includes('{company_id}')
  const subject = through.find((resource) => path.replace(RESTORE, '').endsWith(`{${paramOf(resource)}}`))
  const parents = through.filter((resource) => resource.table && resource !== subject)
  const gates = op.method === 'GET' || op.computes || op.needs.outsiders ? [] : parents.filter(isGate)
  const location = op.location?.template ?? `${path}/{id}`
  const takesBody = op.method !== 'GET' && op.method !== 'DELETE'
  const readsIfMatch = op.method !== 'GET' && op.method !== 'POST'
  // The frames of a stream have no ETag.
  const [isList, isVersioned] = [!op.streams && replyHas(op, 'limit'), !op.streams && hasVersion(op)]
  const writesExternalId = Boolean((op.body as TObject | undefined)?.properties?.external_id)
  const mask = lazy(() => maskOf(op.reply[1]))
  const validate = lazy(() => validator({ ...op, takesBody, readsIfMatch }))
  return {
    ...op,
    path,
    url: `/api/v1${fillPath(path, (name) => `:${name}`)}`,
    params: paramsOf(op.path),
    endsWithId: path.endsWith('}'),
    inCompany,
    actor: inCompany ? (BELOW_USER.test(path) ? 'path' : 'header') : 'none',
    through,
    subject,
    parents,
    gates,
    act: actOf(op),
    acceptsKey: !op.signsIn && op.needs.key !== 'SESSION',
    acceptsToken: (op.needs.key === 'ANY' && !op.signsIn) || (op.needs.key === 'USER' && !op.needs.refusesTokens),
    writes: op.method !== 'GET' && !op.computes,
    isList,
    hasCursors: isList && replyHas(op, 'next_cursor'),
    isVersioned,
    hasETag: isList || isVersioned || op.file !== undefined,
    takesBody,
    takesIdempotencyKey: takesBody && !op.signsIn && !op.sends,
    readsIfMatch,
    events: [...new Set([...(op.emits ?? []), ...gates.flatMap(({ writers }) => writers.emits)])],
    endsStreams: mayEndStreams(op.emits ?? []),
    validate,
    writesExternalId,
    mayTakeExternalId: replyHas(op, 'company_id') && (writesExternalId || (RESTORE.test(path) && replyHas(op, 'external_id'))),
    mask: (data, caller) => (knowsIdentities(caller) ? data : mask(data, caller.actor?.id)),
    serialize: lazy(() => serializer(op)),
    fill: (value) => fillPath(path, value),
    hasLocation: op.location !== undefined,
    locationOf: (params, id) => `/api/v1${fillPath(location, (name) => ({ ...params, id })[name] as string)}`,
    readsLong: (query) => query.q !== undefined || op.long === true || (typeof op.long === 'function' && op.long(query as never)),
    isHeavy: ({ query, body, headers }) => {
      if (!op.heavy) return false
      try {
        // A copy, because validation fills in defaults, and the Idempotency-Key belongs to the body as it was sent.
        return op.heavy(validate({ query, body: structuredClone(body), headers }).body as never)
      } catch {
        return false
      }
    },
  }
}

/** The name of a path resource's id in the path. */
export const paramOf = ({ name, param = `${name}_id` }: PathResource) => param

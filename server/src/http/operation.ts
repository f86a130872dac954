import type { Static, TObject, TSchema } from 'typebox'
import type { Permission, Role } from '../core/access.ts'
import type { Db, Tx } from '../db/client.ts'
import type { Sql } from '../db/sql.ts'
import type { Change } from '../db/table.ts'
import type { EventDraft } from '../events/record.ts'

/** The account behind the API key. */
export interface Developer {
  id: string
  name: string
  is_global_admin: boolean
  key_id: string
}

/** The end-user on whose behalf a request is made. */
export interface Actor {
  id: string
  company_id: string
  name: string
  role: Role
}

/** Who is calling. `permission` is what the key has in the path's company; a global admin has every one. */
export interface Caller {
  developer: Developer
  permission: Permission | null
  actor: Actor | null
}

/**
 * Something a path leads through, as {name_id}. It is looked up in the statement that identifies the caller; what is not
 * there, or not for the acting user, is 404 before the handler runs, so no resource can forget to ask.
 */
export interface Place<Name extends string = string, Row = unknown> {
  name: Name
  /** The path's name for its id, if not {name_id}. */
  of?: string
  /** Where it lies, if it can be archived: it is held live while something is written under it. */
  table?: string
  /** Joined to the company `c` and the acting user `u`; yields nothing where the user does not see it. */
  join(id: string): Sql
  /** What is known of it, as JSON. */
  row: Sql
  readonly found?: Row & Whereabouts
}

/** What the pipeline itself reads of a place. */
export interface Whereabouts {
  id?: string
  archived?: boolean
  visibility?: string
}

type Places = readonly Place<string, unknown>[]
export type Found<W extends Places> = { [P in W[number] as P['name']]: NonNullable<P['found']> }

/** What a caller needs, as far as path, key and acting user tell it: decided before the body is read. */
export interface Needs {
  /** Least permission in the company; KEY where the path names none, GLOBAL_ADMIN for the operators' own paths. */
  key: Permission | 'KEY' | 'GLOBAL_ADMIN'
  /** Least role of the acting user, where there is one. */
  role?: Role
  /** Whether the company may be archived. */
  archived?: true
  /** Who may, in a sentence for the reference, where it takes more than a rank. */
  who?: string
  /** A rule that needs more than a rank. */
  may?(caller: Caller, params: Record<string, string>): boolean
}

/** The same with what depends on the body; asked again before a reply is replayed. */
interface NeedsWith<Body, Here> extends Needs {
  mayWith?(caller: Caller, params: Record<string, string>, body: Body): boolean
  /** A rule that needs the places of the path, and so comes after 404. */
  mayHere?(here: Here, body: Body): boolean
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
/** Below /users/{user_id}/ the path's user acts; elsewhere the On-Behalf-Of header may name one. */
type ActorOf<Path extends string> = Path extends `${string}/{user_id}/restore`
  ? Actor | null
  : Path extends `${string}/{user_id}/${string}`
    ? Actor
    : Actor | null

type Here<Path extends string, W extends Places> = Omit<Caller, 'actor'> & { actor: ActorOf<Path> } & Found<W>

/** What a handler is given, besides who calls and the places of the path. In a write, `db` is the request's transaction. */
export interface Context<Method, Path extends string, Query, Body> {
  db: Method extends 'GET' ? Db : Tx
  params: Record<ParamsOf<Path>, string>
  query: Query
  body: Body
}

/** A write tells what it changed; `reply` is for what is shown once and never stored. */
export interface Outcome<Reply> extends Change<unknown> {
  reply?: Reply
  /** Which of the declared events it was, where there are several. */
  event?: string
  /** The company whose history this is, where the path names none. */
  company_id?: string
  /** Why, in the words of who asked for it. */
  reason?: string
  /** What changed along with it, each an event of its own. */
  also?: EventDraft[]
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type EventType = `${string}.${string}`

interface Shape<
  M extends Method,
  Path extends string,
  W extends Places,
  Query extends TObject,
  Body extends TObject,
  Reply extends TSchema,
> {
  /** `resource.verb`: the OpenAPI operationId. */
  id: string
  method: M
  path: Path
  summary: string
  description?: string
  needs: NeedsWith<Static<Body>, Here<Path, W>>
  /** What the path leads through. */
  within?: W
  query?: Query
  body?: Body
  /** A PUT that made something new answers 201 instead. */
  reply: [200 | 201, Reply] | [204]
  /** The event written with the change; of several, the outcome says which. */
  emits?: EventType | readonly [EventType, ...EventType[]]
  /** Takes a body and writes nothing: there is no event. */
  computes?: true
  /** Reads a lot, always or with such a query: runs on the connections reserved for long reads, a few at a time. */
  long?: true | ((query: Static<Query>) => boolean)
  /** Costs the process much: only a few such requests run at once. */
  heavy?(body: Static<Body>): boolean
  /** What of the state forbids it (409): the problem's code, and when that is. */
  conflicts?: Record<string, string>
  /** Where a created resource is found, if not right below the path. */
  location?: string
  /** The reply carries a secret: kept for a replay, it is encrypted. */
  secret?: true
  /**
   * Asks again the rules that `run` asks of rows beyond the path, before a stored reply is replayed: throws what `run` would throw at
   * a caller of today's standing. That something was archived or changed since must not matter.
   */
  recheck?(context: { db: Db; params: Record<ParamsOf<Path>, string>; body: Static<Body>; reply: Static<Reply> } & Here<Path, W>): unknown
  deprecated?: { since: Date; sunset: Date }
  run(
    context: Context<M, Path, Static<Query>, Static<Body>> & Here<Path, W>,
  ): Promise<M extends 'GET' ? Static<Reply> : Outcome<Static<Reply>>> | (M extends 'GET' ? Static<Reply> : never)
}

/** An endpoint as data: the server, the OpenAPI document, the option list and the tests all read it. */
export type Operation = Omit<Shape<Method, string, Places, TObject, TObject, TSchema>, 'run' | 'needs' | 'recheck' | 'long' | 'heavy'> & {
  needs: NeedsWith<never, never>
  recheck?(context: never): unknown
  long?: true | ((query: never) => boolean)
  heavy?(body: never): boolean
  run(context: Context<'POST', string, unknown, unknown>): Promise<unknown>
}

export function operation<
  M extends Method,
  P extends string,
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
  const W extends Places = readonly [],
>(shape: Shape<M, P, W, Q, B, R>): Operation {
  return shape as unknown as Operation
}

/** Whether a read is a long one: the operation says so, or it filters a list by a part of the name, which may match every row. */
export const readsLong = ({ long }: Pick<Operation, 'long'>, query: { q?: string }): boolean =>
  query.q !== undefined || long === true || (typeof long === 'function' && long(query as never))

/** Whether the operation reads a body, and so heeds an Idempotency-Key. */
export const takesBody = ({ method }: Pick<Operation, 'method'>) => method !== 'GET' && method !== 'DELETE'

/** Whether the operation changes one resource, and so reads If-Match. */
export const readsIfMatch = ({ method }: Pick<Operation, 'method'>) => method !== 'GET' && method !== 'POST'

/** Every event an operation may write. */
export const eventsOf = ({ emits }: Pick<Operation, 'emits'>): string[] => (emits === undefined ? [] : [emits].flat())

/** Whether the operation brings back what was archived. */
export const restores = ({ path }: Pick<Operation, 'path'>) => path.endsWith('/restore')

/** The path's name for the id of a place. */
export const paramOf = ({ name, of = `${name}_id` }: Pick<Place, 'name' | 'of'>) => of

/** Whether the operation reads, changes, deletes or restores the place itself, rather than something under it. */
export const isSubject = ({ path }: Pick<Operation, 'path'>, place: Pick<Place, 'name' | 'of'>) =>
  path.replace(/\/restore$/, '').endsWith(`{${paramOf(place)}}`)

/** A path with its {names} filled in. */
export const fillPath = (path: string, value: (name: string) => string) => path.replaceAll(/{(\w+)}/g, (_, name) => value(name))

/** `campaign_id` is the id of a Campaign, `audit_logs` are Audit logs. */
export const nounOf = (name: string) => {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return (words[0] as string).toUpperCase() + words.slice(1)
}

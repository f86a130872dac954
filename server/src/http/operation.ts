import type { Static, TObject, TSchema } from '@guildhall/rules/type'
import type { Permission, Role } from '../core/access.ts'
import type { Database, Db, Tx } from '../db/client.ts'
import type { Change } from '../db/table.ts'
import type { EventType } from '../events/catalog.ts'
import type { EventDraft } from '../events/record.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Actor, Caller } from './caller.ts'
import type { Path, PathResources, PathRows } from './path.ts'
import type { ConsoleCookie } from './request/console-cookie.ts'
import type { SignInBody } from './request/credential.ts'
import type { ReplyFile } from './request/headers.ts'
import type { Rule } from './rule.ts'
import type { Site } from './site.ts'
import type { Stream } from './streams/connection.ts'

/** The requirements of an operation on its caller. They are checked in this order: key, role, the early part of the rule, and, after 400 and 404, the rule. */
export interface Needs<Context = never, Body = never> {
  /**
   * The least permission in the company; KEY where the path names no company, ANY where a user token is accepted there, too, GLOBAL_ADMIN for the paths
   * of operators, SESSION for a console session.
   */
  key: Permission | 'KEY' | 'ANY' | 'SESSION' | 'GLOBAL_ADMIN'
  /** A user token is not accepted, whatever its permission. */
  refusesTokens?: true
  /** The least role of the acting user, if there is one. */
  role?: Role
  /** The company may be archived. */
  archived?: true
  /** Users who do not take part in the campaign of the path may write, too. */
  outsiders?: true
  /** A rule beyond permission and role. */
  may?: Rule<Context, Body>
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
/** Below /users/{user_id}/ the path's user acts. Elsewhere the On-Behalf-Of header may name an acting user. */
type ActorOf<Path extends string> = Path extends `${string}/{user_id}/restore`
  ? Actor | null
  : Path extends `${string}/{user_id}/${string}`
    ? Actor
    : Actor | null

/** The input of rules and handlers: the caller, the ids of the path and the rows of its path resources. */
type RequestContext<Template extends string, Through extends PathResources> = Omit<Caller, 'actor'> & {
  actor: ActorOf<Template>
  params: Record<ParamsOf<Template>, string>
} & PathRows<Through>

/** The further input of a handler. In a write, `db` is the request's transaction. */
interface Input<M, Query, Body> {
  db: M extends 'GET' ? Db : Tx
  query: Query
  body: Body
  site: Site
  outbound: Outbound
}

/** The further input of an operation that streams: the id of the last frame that the client received (Last-Event-ID), if it resumes. */
type StreamInput<Streams> = Streams extends true ? { lastEventId: string | undefined } : unknown

/** The further input of a read that waits: the reply of its last attempt, which had nothing to tell. The read goes on from there. */
interface RepeatedInput<Reply> {
  earlier: Reply | undefined
}

/** The further input of `wait`: the reply that would be sent now, and the time since the request arrived. */
interface WaitInput<Query, Reply> {
  /** The database itself, not the connection of the read. */
  db: Database
  query: Query
  reply: Reply
  /** Includes the attempts, so that the end of a wait does not depend on how many there were: that would count what the reader may not see. */
  elapsedMs: number
  /** True if the request has waited before. */
  isRepeated: boolean
  /** Aborted when the wait is over, for any reason: the client is gone, for example, or the process shuts down. */
  signal: AbortSignal
}

/** The result of a write: the row before and after it, from which event, ETag, status and reply are derived. */
export interface Outcome<Reply = unknown, Event extends EventType = EventType> extends Change<unknown> {
  /** The reply, if it is not the row: values that are shown once and never stored. */
  reply?: Reply
  /** The row before, as the caller saw it, if its version depends on the reader: If-Match names that one. */
  matched?: unknown
  /** The event, if it is not the first one of `emits`. */
  event?: Event
  /** The company whose audit log gets the event, if the path names none. */
  company_id?: string
  /** The reason that the caller gave. */
  reason?: string
  /** A secret that the change belongs to, besides the path resources: its event is at least as secret. */
  partOf?: EventDraft['partOf']
  /** The cookie of the console that the reply sets. */
  cookie?: ConsoleCookie
  /** Further changes of the same request, each with an event of its own. */
  sideEvents?: EventDraft<Event>[]
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The body of a reply: by its schema, or by the other one. */
type Replied<Reply extends TSchema, Other extends TObject> = Static<Reply> | ([Other] extends [never] ? never : Static<Other>)

interface Shape<
  M extends Method,
  Template extends string,
  Through extends PathResources,
  Query extends TObject,
  Body extends TObject,
  Reply extends TSchema,
  Events extends readonly EventType[],
  Other extends TObject = never,
  Streams extends boolean = false,
> {
  /** `resource.verb`. The operationId of the OpenAPI document is `resource_verb`. */
  id: string
  method: M
  path: Path<Template, Through>
  summary: string
  description?: string
  needs: Needs<RequestContext<Template, Through>, Static<Body>>
  query?: Query
  /** The earlier names of query parameters, by the present ones. They are still accepted, and not documented. */
  formerly?: { [Name in keyof Static<Query>]?: string }
  body?: Body
  /** Sample bodies for the API reference, if one does not show what the operation can do. */
  examples?: Record<string, { summary: string; value: object }>
  /** A PUT that creates its resource answers 201 instead. */
  reply: [200 | 201, Reply] | [204]
  /** While it runs, nobody else writes below the resources of the path: it waits for those who do, and they wait for it. */
  alone?: true
  /** A PUT that changes a resource which exists, and never creates one. */
  replaces?: true
  /** The reply is a file to keep: its name, and the address of its license. Its ETag is the SHA-256 of its bytes. */
  file?(reply: Static<Reply>): ReplyFile
  /** The reply to some bodies instead: the one that has all fields which this schema requires. */
  otherReply?: Other
  /** The fields of the body that lead to the other reply, if the body alone decides. */
  otherReplyTo?: readonly string[]
  /** Every event that the operation may write. The first is the default of the outcome. */
  emits?: Events
  /** Belongs to the console: CONSOLE=off removes the operation. */
  console?: true
  /** The operation needs no credential, because its body has one. Returns the field that is it, and throws the faults of a body that has none. */
  signsIn?(body: Static<Body>): SignInBody
  /** The operation takes a body but writes nothing: there is no event. */
  computes?: true
  /** Makes a request to another server, and `computes`: it runs without a transaction, and takes no Idempotency-Key. A repeated request makes another one. */
  sends?: true
  /** Reads a lot, always or with such a query, as it was sent: runs on the connections reserved for long reads, a few at a time. */
  long?: true | ((query: { [Name in keyof Static<Query>]?: unknown }) => boolean)
  /**
   * The reply is a stream of Server-Sent Events: `run` returns its source instead of a reply, and the schema of the reply is that of the data of an event. Everything
   * before is like any other read; an error of `run` is answered as a problem.
   */
  streams?: Streams
  /**
   * Long polling: returns a promise if there is nothing to answer with yet. When it settles, the read is repeated, for the caller as they are then. In between the request
   * has no turn. Something may have happened after the read and before this call: compare with the position that the reply has.
   */
  wait?(context: RequestContext<Template, Through> & WaitInput<Static<Query>, Static<Reply>>): Promise<unknown> | undefined
  /** Keeps the process busy with such a body: only a few of these requests run at once. */
  heavy?(body: Static<Body>): boolean
  /** The conflicts (409) that the state of the data can cause: the problem's code, and when it occurs. */
  conflicts?: Record<string, string>
  /** The codes of 400 that a body can cause besides `validation_failed`, and when they occur. */
  invalidFor?: Record<string, string>
  /** The path of a created resource, with {id}, if it is not directly below the path. */
  location?: Path
  /** The reply contains a secret: it is encrypted while it is stored for a replay. */
  secret?: true
  /**
   * Repeats the checks that `run` makes on rows beyond the path, before a stored reply is replayed. Throws the errors that `run` would
   * throw today, but ignores that something was archived or changed since.
   */
  recheck?(context: RequestContext<Template, Through> & { db: Db; body: Static<Body>; reply: Replied<Reply, Other> }): unknown
  deprecated?: { since: Date; sunset: Date }
  run(
    context: RequestContext<Template, Through> &
      Input<M, Static<Query>, Static<Body>> &
      StreamInput<Streams> &
      RepeatedInput<Static<Reply>>,
  ): Streams extends true
    ? Promise<Stream>
    : Promise<M extends 'GET' ? Static<Reply> : Outcome<Replied<Reply, Other>, Events[number]>> | (M extends 'GET' ? Static<Reply> : never)
}

/** An endpoint as data. The server, the OpenAPI document, the option list and the tests read the same list of operations. */
export interface Operation
  extends Omit<
    Shape<Method, string, PathResources, TObject, TObject, TSchema, readonly EventType[], TObject, boolean>,
    'needs' | 'formerly' | 'file' | 'recheck' | 'long' | 'wait' | 'heavy' | 'signsIn' | 'run'
  > {
  needs: Needs
  formerly?: Record<string, string>
  file?(reply: never): ReplyFile
  recheck?(context: never): unknown
  long?: true | ((query: never) => boolean)
  wait?(context: never): Promise<unknown> | undefined
  heavy?(body: never): boolean
  signsIn?(body: never): SignInBody
  run(context: never): unknown
  /** The descriptions of the groups that the operations of a resource form in the API reference. */
  about?: Record<string, string>
}

export function operation<
  M extends Method,
  Template extends string,
  const Through extends PathResources,
  Query extends TObject,
  Body extends TObject,
  Reply extends TSchema,
  const Events extends readonly EventType[] = readonly [],
  Other extends TObject = never,
  Streams extends boolean = false,
>(shape: Shape<M, Template, Through, Query, Body, Reply, Events, Other, Streams>): Operation {
  return shape as unknown as Operation
}

/** The operations of a resource, with a description of each group that they form in the API reference. */
export const resource = (about: Record<string, string>, operations: Operation[]): Operation[] => operations.map((op) => ({ ...op, about }))

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../core/ids.ts'
import { invalid, notFound, Problem } from '../core/problem.ts'
import type { Database } from '../db/client.ts'
import { record } from '../events/record.ts'
import { authorize } from './authorize.ts'
import { refuseUnstorable } from './body.ts'
import { pathOf } from './errors.ts'
import { checkMatch, etag, isFresh } from './etag.ts'
import { pageLinks } from './headers.ts'
import { type Answer, bodyHash, type Claim, claim, keep, onceOf, twins } from './idempotency.ts'
import { asId, type Identity, identify, type Visit } from './identify.ts'
import type { LastUsed } from './last-used.ts'
import type { Limits } from './limits.ts'
import type { Caller, Operation, Outcome } from './operation.ts'
import { serializer } from './serialize.ts'
import { validator } from './validate.ts'

declare module 'fastify' {
  /** What is known of a request by the time its body is read. */
  interface FastifyRequest {
    visit: Visit
    identity: Identity
    caller: Caller
  }
}

export interface House {
  db: Database
  limits: Limits
  lastUsed: LastUsed
}

type Params = Record<string, string>

/** Puts every operation on the server. This file is the life of a request, top to bottom. */
export function serve(app: FastifyInstance, house: House, operations: Operation[]): void {
  const once = twins(house.db)
  for (const known of ['visit', 'identity', 'caller']) app.decorateRequest(known)
  for (const op of operations) {
    const validate = validator(op)
    const serialize = serializer(op)
    app.route({
      method: op.method,
      url: routeOf(op),
      onRequest: async (request, reply) => {
        const params = request.params as Params
        request.visit = visitOf(op, request, params)
        request.identity = await admit(house, request, reply, request.visit) // 401 429
        announce(op, house.db.now(), reply) // 410
        request.caller = authorize(op, request.identity, request.visit, params) // 403 404
        refuseOtherActor(op, request, params) // 400
      },
      // Between these two, the body is read: 413 415, and 400 for what is not JSON.
      handler: op.method === 'GET' ? read : write,
    })

    async function read(request: FastifyRequest, reply: FastifyReply) {
      refuseUnstorable(request.query)
      const { query } = validate(request) // 400
      const data = await op.run({ ...request.caller, db: house.db, params: idsOf(request), query, body: undefined } as never) // 404
      const body = serialize(data)
      const tag = etag(data as { version?: number }, body)
      if (tag) reply.header('etag', tag).header('cache-control', 'private, no-cache')
      if (tag && isFresh(request.headers['if-none-match'], tag)) return reply.code(304).send()
      const link = isPage(data) ? pageLinks(request.url, data) : undefined
      if (link) reply.header('link', link)
      return reply.type('application/json; charset=utf-8').send(body)
    }

    async function write(request: FastifyRequest, reply: FastifyReply) {
      const { caller, visit, identity } = request
      const keyed = claimOf(op, request, caller, visit)
      const work = async (): Promise<Answer> => {
        refuseUnstorable(request.query)
        const { query, body } = validate(request) // 400
        const params = idsOf(request) // 404
        return house.db.transaction(async (tx) => {
          if (keyed) await claim(tx, keyed)
          const outcome = (await op.run({ ...caller, db: tx, params, query, body } as never)) as Outcome<unknown> // 404 403 409
          if (op.method !== 'POST') checkMatch(request.headers['if-match'], outcome.before as { version?: number } | null) // 412
          const answer = answerOf(op, request, outcome, serialize)
          // Neither is waited for: event and kept reply travel with the COMMIT.
          if (op.emits) record(tx, op.emits, outcome, originOf(request, caller, visit, outcome))
          if (keyed) keep(tx, keyed, answer)
          return answer
        })
      }
      return send(reply, keyed ? await once(keyed, identity.kept, work) : await work())
    }
  }
}

/** Who calls, and within their limits? Asked of every request below /api/v1, also where no operation is. */
export async function admit(
  { db, limits, lastUsed }: House,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
): Promise<Identity> {
  const identity = await identify(db, request, visit).catch(async (error) => {
    if (error instanceof Problem && error.status === 401) await limits.stranger(request, reply)
    throw error
  })
  lastUsed.note(identity.developer.key_id, db.now())
  await limits.developer(identity.developer.id, reply)
  return identity
}

const routeOf = ({ path }: Operation) => `/api/v1${path.replaceAll(/{(\w+)}/g, ':$1')}`

/** Below /users/{user_id}/ the path's user acts; on the user itself, it is the subject. */
const actsInPath = ({ path }: Operation) => /\/users\/{user_id}\/(?!restore$)/.test(path)

function visitOf(op: Operation, request: FastifyRequest, params: Params): Visit {
  const behalf = request.headers['on-behalf-of']
  const named = actsInPath(op) ? params.user_id : params.company_id && behalf
  const visit: Visit = {}
  if (params.company_id !== undefined) visit.company_id = asId(params.company_id)
  if (named !== undefined && named !== '') visit.actor_id = asId(named)
  const keyed = op.method !== 'GET' && op.method !== 'DELETE'
  if (keyed) visit.once = onceOf(request.headers['idempotency-key'], visit.actor_id, op.method, pathOf(request.url))
  return visit
}

function refuseOtherActor(op: Operation, request: FastifyRequest, params: Params): void {
  const behalf = request.headers['on-behalf-of']
  if (behalf !== undefined && actsInPath(op) && asId(behalf) !== asId(params.user_id)) {
    invalid([{ field: 'On-Behalf-Of', message: 'must be the user of the path' }])
  }
}

/** Ids of the path in the form they are stored in; a malformed one names nothing that exists. */
function idsOf(request: FastifyRequest): Params {
  const ids: Params = {}
  for (const [name, value] of Object.entries(request.params as Params)) {
    if (!isId(value)) notFound(nounOf(name))
    ids[name] = value.toLowerCase()
  }
  return ids
}

/** `campaign_id` is the id of a Campaign. */
const nounOf = (param: string) => {
  const words = param.replace(/_id$/, '').replaceAll('_', ' ')
  return (words[0] as string).toUpperCase() + words.slice(1)
}

function announce({ deprecated }: Operation, now: Date, reply: FastifyReply): void {
  if (!deprecated) return
  reply.header('deprecation', `@${Math.floor(deprecated.since.getTime() / 1000)}`).header('sunset', deprecated.sunset.toUTCString())
  if (now >= deprecated.sunset)
    throw new Problem(410, 'gone', 'This operation was withdrawn: see the API reference for what takes its place.')
}

function claimOf(op: Operation, request: FastifyRequest, { developer }: Caller, { company_id, once }: Visit): Claim | null {
  if (!once) return null
  if (once.key === '') return invalid([{ field: 'Idempotency-Key', message: 'must not be empty' }])
  return {
    ...once,
    company_id: company_id ?? developer.id,
    developer_id: developer.id,
    body_hash: bodyHash(request.body),
    secret: Boolean(op.secret),
  }
}

function answerOf(
  op: Operation,
  request: FastifyRequest,
  { before, after, reply }: Outcome<unknown>,
  serialize: (data: unknown) => string,
): Answer {
  const [status] = op.reply
  if (status === 204) return { status, body: null }
  const body = serialize(reply ?? after)
  const made = before === null
  const location = made ? locationOf(op, request, after as { id: string }) : undefined
  return { status: made && op.method === 'PUT' ? 201 : status, body, etag: etag(after as { version?: number }, body), location }
}

function locationOf(op: Operation, request: FastifyRequest, { id }: { id: string }): string {
  const path = pathOf(request.url)
  if (op.method === 'PUT') return path
  const params = { ...(request.params as Params), id }
  return op.location ? `/api/v1${op.location.replaceAll(/{(\w+)}/g, (_, name) => params[name as 'id'])}` : `${path}/${id}`
}

const originOf = (request: FastifyRequest, { developer, actor }: Caller, visit: Visit, outcome: Outcome<unknown>) => ({
  company_id: visit.company_id ?? outcome.company_id ?? developer.id,
  developer_id: developer.id,
  user_id: actor?.id ?? null,
  request_id: request.id,
})

const isPage = (data: unknown): data is { limit: number; offset: number; total: number } =>
  Array.isArray((data as { items?: unknown }).items)

function send(reply: FastifyReply, { status, body, etag, location, replayed }: Answer) {
  reply.code(status)
  if (etag) reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (location) reply.header('location', location)
  if (replayed) reply.header('idempotent-replayed', 'true')
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}

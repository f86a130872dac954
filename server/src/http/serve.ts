import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../core/lazy.ts'
import { invalid, Problem } from '../core/problem.ts'
import type { Database } from '../db/client.ts'
import { record } from '../events/record.ts'
import { type Answer, answerOf, send } from './answer.ts'
import { askAgain, askRules, authorize } from './authorize.ts'
import { checkMatch, etag, isFresh } from './etag.ts'
import { pageLinks } from './headers.ts'
import { bodyHash, type Claim, claim, keep, twins } from './idempotency.ts'
import { type Identity, identify } from './identify.ts'
import type { LastUsed } from './last-used.ts'
import type { Limits } from './limits.ts'
import { type Caller, eventsOf, type Operation, type Outcome } from './operation.ts'
import { refuseAbandoned } from './overload.ts'
import { holdParents, livePlaces, type Places } from './places.ts'
import { serializer } from './serialize.ts'
import { validator } from './validate.ts'
import { idsOf, refuseOtherActor, type Visit, visitOf } from './visit.ts'

declare module 'fastify' {
  /** What is known of a request by the time its body is read. */
  interface FastifyRequest {
    visit: Visit
    identity: Identity
    caller: Caller
    /** The code of the refusal, if it was refused. */
    problem: string | undefined
  }
}

/** What every request needs, whatever it asks. */
export interface House {
  db: Database
  limits: Limits
  lastUsed: LastUsed
}

/** Puts every operation on the server. This file is the life of a request, top to bottom; beside each step, what it may refuse with. */
export function serve(app: FastifyInstance, house: House, operations: Operation[]): void {
  const once = twins(house.db)
  for (const known of ['visit', 'identity', 'caller']) app.decorateRequest(known)

  for (const op of operations) {
    const validate = lazy(() => validator(op))
    const serialize = lazy(() => serializer(op))

    app.route({
      method: op.method,
      url: `/api/v1${op.path.replaceAll(/{(\w+)}/g, ':$1')}`,
      onRequest: async (request, reply) => {
        request.visit = visitOf(op, request)
        request.identity = await admit(house, request, reply) // 401 429
        announce(op, house.db.now(), reply) // 410
        request.caller = authorize(op, request) // 403 404
        refuseOtherActor(op, request) // 400
      },
      // Here the body is read: 413 415, and 400 for what is not JSON.
      handler: op.method === 'GET' ? read : write,
    })

    async function read(request: FastifyRequest, reply: FastifyReply) {
      const { query } = validate(request) // 400
      const params = idsOf(request) // 404
      const places = livePlaces(op, request) // 404
      askRules(op, request, places, {}) // 403
      refuseAbandoned(request)
      const data = await op.run({ ...request.caller, ...places, db: house.db, params, query } as never) // 404
      const body = serialize(data)
      const tag = etag(data as { version?: number }, body)
      if (tag) reply.header('etag', tag).header('cache-control', 'private, no-cache')
      if (tag && isFresh(request.headers['if-none-match'], tag)) return reply.code(304).send()
      const link = pageLinks(request.url, data)
      if (link) reply.header('link', link)
      return reply.type('application/json; charset=utf-8').send(body)
    }

    async function write(request: FastifyRequest, reply: FastifyReply) {
      const { caller, identity } = request
      const keyed = claimOf(op, request) // 400

      const work = async (): Promise<Answer> => {
        const { query, body } = validate(request) // 400
        const params = idsOf(request) // 404
        const places = livePlaces(op, request) // 404
        askRules(op, request, places, body) // 403
        return house.db.transaction(async (tx) => {
          refuseAbandoned(request)
          if (keyed) await claim(tx, keyed) // 409
          const stillLive = holdParents(tx, op, placeOf(request), places)
          const outcome = (await op.run({ ...caller, ...places, db: tx, params, query, body } as never)) as Outcome<unknown> // 404 403 409
          await stillLive() // 404 409
          if (op.method !== 'POST') checkMatch(request.headers['if-match'], outcome.before) // 412
          const answer = answerOf(op, request, outcome, serialize)
          // Nobody waits for these: events and kept reply travel with the COMMIT.
          const origin = originOf(request, places)
          const type = outcome.event ?? eventsOf(op)[0]
          record(tx, [...(type ? [{ ...outcome, type }] : []), ...(outcome.also ?? [])], origin)
          if (keyed) keep(tx, keyed, answer)
          return answer
        })
      }

      if (!keyed) return send(reply, await work())
      const answer = await once(keyed, identity.kept, work) // 409
      if (answer.replayed) askAgain(op, request, validate(request).body, answer.replayed.role) // 404 403
      return send(reply, answer)
    }
  }
}

/** Who calls, and within their limits? Asked of every request below /api/v1, also where no operation is. */
export async function admit({ db, limits, lastUsed }: House, request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
  const identity = await identify(db, request).catch(async (error) => {
    if (error instanceof Problem && error.status === 401) await limits.stranger(request, reply)
    throw error
  })
  lastUsed.note(identity.developer.key_id, db.now())
  await limits.developer(identity.developer.id, reply)
  return identity
}

/** An operation on its way out says so, and after its day is gone. */
function announce({ deprecated }: Operation, now: Date, reply: FastifyReply): void {
  if (!deprecated) return
  reply.header('deprecation', `@${Math.floor(deprecated.since.getTime() / 1000)}`).header('sunset', deprecated.sunset.toUTCString())
  if (now >= deprecated.sunset)
    throw new Problem(410, 'gone', 'This operation was withdrawn: the API reference tells what takes its place.')
}

/** Requests that name no company have the developer's own place. */
const placeOf = ({ visit, caller }: FastifyRequest) => visit.company_id ?? caller.developer.id

function claimOf(op: Operation, request: FastifyRequest): Claim | undefined {
  const { once } = request.visit
  if (once?.key === '') return invalid([{ field: 'Idempotency-Key', message: 'must not be empty' }])
  if (!once) return undefined
  const developer_id = request.caller.developer.id
  return {
    ...once,
    company_id: placeOf(request),
    developer_id,
    body_hash: bodyHash(request.body),
    secret: op.secret ?? false,
    role: request.caller.actor?.role ?? null,
  }
}

const originOf = (request: FastifyRequest, places: Places) => ({
  company_id: placeOf(request),
  places,
  developer_id: request.caller.developer.id,
  user_id: request.caller.actor?.id ?? null,
  request_id: request.id,
})

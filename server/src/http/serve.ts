import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../core/lazy.ts'
import { invalid, Problem } from '../core/problem.ts'
import type { Db, Tx } from '../db/client.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../db/driver/connection-errors.ts'
import { type Sql, sql } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { isOverload, type Lane, refuseAbandoned } from './limits/overload.ts'
import { type Caller, eventsOf, type Operation, type Outcome, readsLong } from './operation.ts'
import { admit, callerName, count, type House, noteUse, readKey } from './request/admit.ts'
import { type Answer, answerOf, send } from './request/answer.ts'
import { askAgain, askRules, authorize } from './request/authorize.ts'
import { REFERENCE_GONE } from './request/errors.ts'
import { checkMatch, etag, isFresh } from './request/etag.ts'
import { pageLinks, repeatedFault } from './request/headers.ts'
import { bodyHash, type Claim, claim, isInProgress, keep, standingOf, twins } from './request/idempotency.ts'
import { currentSeal, type Identity } from './request/identify.ts'
import { allPlaces, holdParents, livePlaces, type Places, refuseUnderArchived } from './request/path-resources.ts'
import { CallerChanged, confirm, onGuess } from './request/recalled-callers.ts'
import { refuseTooLarge } from './request/response-size.ts'
import { serializer } from './request/serialize.ts'
import { idsOf, refuseOtherActor, type Visit, visitOf } from './request/target.ts'
import { validator } from './request/validate.ts'

declare module 'fastify' {
  /** What is known of a request by the time its body is read. */
  interface FastifyRequest {
    visit: Visit
    /** Of the API key. */
    keyHash: Buffer
    identity: Identity
    /** Whether who calls is only as it was the last time, and not confirmed yet. */
    guessed: boolean
    /** How large its body was. */
    bodyBytes: number | undefined
    /** Whose limits it was counted on. */
    counted: string | undefined
    caller: Caller
    /** The code of the refusal, if it was refused. */
    problem: string | undefined
  }
}

/** A body this large takes long to check, to fold and to index. */
const HEAVY_BODY_BYTES = 8192

/** A statement that writes cannot be a part of another. */
const UNGUARDED = new Set(['42601', '0A000'])

/** Puts every operation on the server. This file is the life of a request, top to bottom; beside each step, what it may refuse with. */
export function serve(app: FastifyInstance, house: House, operations: Operation[]): void {
  const once = twins(house.db)
  for (const known of ['visit', 'keyHash', 'identity', 'caller', 'guessed', 'counted', 'hasTurn', 'bodyBytes']) app.decorateRequest(known)

  for (const op of operations) {
    const validate = lazy(() => validator(op))
    const serialize = lazy(() => serializer(op))

    app.route({
      method: op.method,
      url: `/api/v1${op.path.replaceAll(/{(\w+)}/g, ':$1')}`,
      onRequest: async (request, reply) => {
        request.visit = visitOf(op, request)
        await readKey(house, request, reply) // 401 429
        const guessed = await guess(request, reply)
        // A GET has no body to wait for: its caller is identified in the turn that reads.
        if (op.method === 'GET') return
        if (!guessed) await know(request, reply)
        house.bodies.expect(request.identity.developer.id, request.raw) // 503
      },
      // Here the body is read: 413 415, and 400 for what is not JSON.
      handler: (request, reply) => {
        const caller = callerName(house, request)
        const answer = async () => {
          house.unread.refuse(caller) // 503
          return run(request, reply)
        }
        return house.turns.run(request, caller, answer, laneOf(request)) // 503
      },
      errorHandler: async (error, request, reply) =>
        app.errorHandler(
          // A refusal for the load alone is the same for every caller.
          request.guessed && !isOverload(error)
            ? await know(request, reply).then(
                () => error,
                (first) => first,
              )
            : error,
          request,
          reply,
        ),
    })

    const run = op.method === 'GET' ? read : write
    const laneOf = (request: FastifyRequest): Lane | undefined => {
      if (readsLong(op, request.query as object)) return 'long'
      return (request.bodyBytes ?? 0) > HEAVY_BODY_BYTES || isHeavy(request) ? 'heavy' : undefined
    }

    /** A body that is not valid is refused in its turn, in the order of the refusals. */
    function isHeavy({ query, body, headers }: FastifyRequest): boolean {
      if (!op.heavy) return false
      try {
        // A copy: validation fills in defaults, and the Idempotency-Key belongs to the body as it was sent.
        return op.heavy(validate({ query, body: structuredClone(body), headers }).body as never)
      } catch {
        return false
      }
    }

    async function know(request: FastifyRequest, reply: FastifyReply, db: Db = house.db): Promise<void> {
      if (request.guessed) house.memory.forget(request)
      request.guessed = false
      request.identity = await admit(house, request, reply, db) // 401 429
      announce(op, house.db.now(), reply) // 410
      request.caller = authorize(op, request) // 403 404
      refuseOtherActor(op, request) // 400
      house.memory.remember(request)
    }

    /** The same from memory. Nobody is refused on a guess: what is against it is found out by who asks the database. */
    async function guess(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      try {
        const known = house.memory.recall(request)
        if (!known) return false
        request.identity = known
        announce(op, house.db.now(), reply)
        request.caller = authorize(op, request)
        refuseOtherActor(op, request)
        await count(house, request, reply)
        request.guessed = true
      } catch {
        return false
      }
      return true
    }

    async function read(request: FastifyRequest, reply: FastifyReply) {
      const look = async (db: Db): Promise<unknown> => {
        const { query } = validate(request) // 400
        const params = idsOf(request) // 404
        const places = livePlaces(op, request) // 404
        askRules(op, request, places, {}) // 403
        refuseAbandoned(request)
        return op.run({ ...request.caller, ...places, db, params, query } as never) // 404
      }
      const onTheGuess = async () => {
        const { db, holds, doubtful } = onGuess(reader, request)
        let failure: unknown
        const data = await look(db).catch((error) => {
          failure = error
        })
        if (holds()) {
          noteUse(house, request)
          return data
        }
        await know(request, reply)
        // Refused, found nothing, or no statement to put a condition on: that is asked again. What else is wrong is wrong for all.
        const { code } = (failure ?? {}) as { code?: string }
        if (failure && !(doubtful() || failure instanceof Problem || UNGUARDED.has(code ?? ''))) throw failure
        return undefined
      }
      const reader = readsLong(op, request.query as object) ? house.db.longReads : house.db
      if (!request.guessed) await know(request, reply)
      const data = (request.guessed && (await onTheGuess())) || (await look(reader))
      const body = serialize(data)
      refuseTooLarge(body) // 400
      const tag = etag(data as { version?: number }, body)
      if (tag) reply.header('etag', tag).header('cache-control', 'private, no-cache')
      if (tag && isFresh(request.headers['if-none-match'], tag)) return reply.code(304).send()
      const link = pageLinks(request.url, data)
      if (link) reply.header('link', link)
      return reply.type('application/json; charset=utf-8').send(body)
    }

    async function write(request: FastifyRequest, reply: FastifyReply) {
      const checked = () => {
        const { query, body } = validate(request) // 400
        const params = idsOf(request) // 404
        const places = livePlaces(op, request) // 404
        askRules(op, request, places, body) // 403
        return { query, body, params, places }
      }
      const work = async (keyed: Claim | undefined, identifyInside: boolean): Promise<Answer> => {
        const { guessed } = request
        const before = identifyInside ? undefined : checked()
        const answer = await house.db.transaction(async (tx) => {
          refuseAbandoned(request)
          if (identifyInside) await know(request, reply, tx) // 401 403 404
          const { query, body, params, places } = before ?? checked()
          // Nobody waits for these, nor for what else is sent and not asked: all that can goes at once, and fails together.
          if (keyed) claim(tx, keyed) // 409
          holdParents(tx, op, placeOf(request), places) // 404
          // After what may have to wait: the caller is confirmed as late as can be.
          if (!identifyInside) confirm(tx, request)
          const outcome = (await op.run({ ...request.caller, ...places, db: tx, params, query, body } as never)) as Outcome<unknown> // 404 403 409
          refuseUnderArchived(op, places) // 409
          if (op.method !== 'POST') checkMatch(request.headers['if-match'], outcome.before) // 412
          const answer = answerOf(op, request, outcome, serialize)
          const origin = originOf(request, places)
          const type = outcome.event ?? eventsOf(op)[0]
          record(tx, [...(type ? [{ ...outcome, type }] : []), ...(outcome.also ?? [])], origin)
          if (keyed) keep(tx, keyed, answer, standingAfter(op, request, tx))
          return answer
        })
        if (guessed) noteUse(house, request)
        return answer
      }
      const { visit } = request
      const body_hash = visit.once && bodyHash(request.body)
      const ask = async (identifyInside = false) => {
        const keyed = body_hash && claimOf(op, request, body_hash) // 400
        return keyed ? once(keyed, request.identity.kept, () => work(keyed, identifyInside)) : work(undefined, identifyInside) // 409
      }
      /** What is refused on a guess, or finds what it refers to gone, is asked again without; all else fails for whoever asks. */
      const onTheGuess = () =>
        ask().catch(async (error) => {
          if (error instanceof OutcomeUnknown || error instanceof DatabaseUnavailable) {
            request.guessed = false
            throw error
          }
          await know(request, reply)
          // Whoever waited in vain is not let wait again.
          if (isInProgress(error) || !(error instanceof Problem || error instanceof CallerChanged || error.code === REFERENCE_GONE))
            throw error
          return ask()
        })

      // A stored reply is given to the caller of now, not of the moment when the head of the request arrived.
      if (house.memory.hasSeenKey(request) || request.identity.kept) await know(request, reply) // 401 403
      const answer = await (request.guessed ? onTheGuess() : ask()).catch((error) => {
        if (!(error instanceof CallerChanged)) throw error
        // However often the caller changes at the same time, this attempt has the caller of its own moment.
        return ask(true)
      })
      // Kept since we looked: it is given only to who is known now, and may still do it.
      if (answer.replayed && !request.identity.kept) await know(request, reply) // 401 403
      if (answer.replayed) await refuseReplay(request, answer, answer.replayed.standing) // 404 403
      return send(reply, answer)
    }

    /** A stored reply is for those who might do the same today. */
    async function refuseReplay(request: FastifyRequest, { body: text }: Answer, standing: Buffer | null): Promise<void> {
      const { body } = validate(request)
      askAgain(op, request, body, standing)
      if (!op.recheck) return
      const context = { ...request.caller, ...allPlaces(op, request), db: house.db, params: idsOf(request), body }
      await op.recheck({ ...context, reply: JSON.parse(String(text)) } as never)
    }
  }
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

function claimOf(op: Operation, request: FastifyRequest, body_hash: Buffer): Claim | undefined {
  const { once } = request.visit
  if (once?.repeated) return invalid([repeatedFault('Idempotency-Key')])
  if (once?.key === '') return invalid([{ field: 'Idempotency-Key', message: 'must not be empty' }])
  if (!once) return undefined
  const developer_id = request.caller.developer.id
  return {
    ...once,
    company_id: placeOf(request),
    developer_id,
    body_hash,
    secret: op.secret ?? false,
  }
}

/** A POST takes no right from its caller; a PUT or a PATCH may, so the database is asked what is left. */
const standingAfter = (op: Operation, request: FastifyRequest, tx: Tx): Sql =>
  op.method === 'POST' ? sql`${standingOf(request.identity)}` : sql`sha256(convert_to(${currentSeal(request, tx.now())}, 'UTF8'))`

const originOf = (request: FastifyRequest, places: Places) => ({
  company_id: placeOf(request),
  places,
  developer_id: request.caller.developer.id,
  user_id: request.caller.actor?.id ?? null,
  request_id: request.id,
})

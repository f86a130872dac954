import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Tx } from '../db/client.ts'
import { withHolder } from '../db/duplicate.ts'
import { sendEnding } from '../events/hints.ts'
import { record } from '../events/record.ts'
import { sequenceSoon } from '../events/runner.ts'
import type { NothingYet } from './limits/long-polls.ts'
import { laneOf, refuseAbandoned } from './limits/overload.ts'
import type { Outcome } from './operation.ts'
import type { Plan } from './plan.ts'
import { isUnacceptable, refuseUnacceptable } from './request/accept.ts'
import { type Answer, answerToRead, answerToWrite, send } from './request/answer.ts'
import { askRule, authorizeReplay, livePathRowsOf, pathRowsOf } from './request/authorize.ts'
import { refuseForeignSignIn } from './request/console-cookie.ts'
import { type Credential, credentialInBody, credentialOf } from './request/credential.ts'
import { checkMatch } from './request/etag.ts'
import { enter, eventsOf, originOf } from './request/events.ts'
import { assertFingerprint, readGuarded } from './request/fingerprint.ts'
import { claimOf, IdempotentRequests, standingAfter } from './request/idempotency.ts'
import { holdParents, refuseUnderArchived } from './request/path-resources.ts'
import { type Claim, claimKey, storeReply } from './request/stored-replies.ts'
import { idsOf, tenantOf } from './request/target.ts'
import { memoryHolderOf, type Services, turnHolderOf } from './services.ts'
import { type CallerSource, Session } from './session.ts'
import type { Stream } from './streams/connection.ts'
import { lastEventIdOf, openStream } from './streams/open-stream.ts'

/**
 * Puts every operation on the server. This file is the life of a request that reached an operation, top to bottom; app.ts has the hooks that come before. Comments name
 * the statuses that a step may answer with; those of a statement that is only sent come later. Any step that asks the database may answer 503.
 */
export function serve(app: FastifyInstance, services: Services, plans: Plan[]): void {
  const { db, turns, transactions, unread, bodies, callers, polls, streams, cursors, site, outbound } = services
  const idempotent = new IdempotentRequests(db)

  for (const plan of plans) {
    app.route({
      method: plan.method,
      url: plan.url,
      config: { streams: plan.streams ?? false },
      onRequest: async (request, reply) => {
        if (plan.signsIn)
          refuseForeignSignIn(request) // 403
        else await openSession(plan, request, reply, credentialOf(request, services.hasConsole)) // 401 429; a write also 410 403 404 400 503
        if (isUnacceptable(plan, request)) await refuseUnacceptable(plan, request) // 406
        if (plan.act !== 'read') bodies.expect(memoryHolderOf(services, request), request.raw) // 503
      },
      // Fastify reads the body here: 413 415, and 400 for a body that is not JSON.
      handler: async (request, reply) => {
        if (plan.signsIn) await openSession(plan, request, reply, credentialInBody(plan.signsIn(plan.validate(request).body as never))) // 400 401 429 403 404 503
        if (request.session.target.idempotency) await idempotent.waitForDuplicate(request.session) // 409
        const caller = () => turnHolderOf(services, request)
        const lane = laneOf(plan, request)
        if (!plan.wait) return turns.run(request, caller(), () => respond(plan, request, reply), lane) // 503
        return polls.run(request, reply, (earlier) =>
          turns.run(request, caller(), () => respond(plan, request, reply, earlier), earlier ? 'woken' : lane),
        )
      },
      // There is no session yet if the process is shutting down, for example.
      errorHandler: async (error, request, reply) =>
        app.errorHandler(request.session ? await problemOf(request.session, error) : error, request, reply),
    })
  }

  async function openSession(plan: Plan, request: FastifyRequest, reply: FastifyReply, presented: Credential | undefined): Promise<void> {
    request.session = new Session(services, plan, request, reply, presented)
    await request.session.open()
  }

  async function problemOf(session: Session, error: Parameters<Session['errorFor']>[0]): Promise<unknown> {
    const found = await session.errorFor(error)
    return withHolder(db, found, session.caller)
  }

  async function respond(
    plan: Plan,
    request: FastifyRequest,
    reply: FastifyReply,
    earlier?: NothingYet,
  ): Promise<FastifyReply | NothingYet> {
    const { session } = request
    // Until a token is confirmed, its user is not known, who has a share of their own.
    if (!session.identity) await session.confirm() // 401 429 410 403 404 400
    unread.refuse(memoryHolderOf(services, request)) // 503
    if (plan.act === 'read') {
      // The rights of a caller who has waited may have changed.
      if (earlier) await session.confirm() // 401 410 403 404 400
      const data = await session.attempt((source) => read(plan, request, source, earlier?.reply))
      if (plan.streams) return openStream(streams, request, reply, data as Stream, db) // 499 503 429
      const nothingYet =
        plan.wait &&
        polls.wait(data, earlier, (signal) =>
          wait(plan, request, { elapsedMs: reply.elapsedTime, isRepeated: Boolean(earlier), reply: data, signal }),
        )
      if (nothingYet) return nothingYet
      return send(plan, request, reply, answerToRead(plan, request, data)) // 304 400
    }
    if (plan.sends) {
      const outcome = await session.attempt((source) => read(plan, request, source)) // 404
      return send(plan, request, reply, answerToWrite(plan, request, outcome as Outcome))
    }
    const isKeyed = session.target.idempotency !== undefined
    const answer = await (isKeyed ? writeOnce(plan, request) : session.attempt((source) => write(plan, request, source)))
    if (answer.cookie?.secret === '') callers.forgetDeveloperOf(session.credential)
    sequenceSoon(db)
    if (plan.endsStreams) void sendEnding(db)
    return send(plan, request, reply, answer)
  }

  /** A read has no transaction, so its caller comes from the cache or from a statement of its own. */
  async function read(plan: Plan, request: FastifyRequest, source: CallerSource, earlier?: unknown): Promise<unknown> {
    const { session } = request
    const { query, params, pathRows } = check(plan, request) // 400 404 403
    refuseAbandoned(request) // 499
    const reader = plan.readsLong(request.query as object) ? db.longReads : db
    const lastEventId = plan.streams ? lastEventIdOf(request) : undefined
    const run = async (from: Db, query: unknown) =>
      plan.run({ ...session.caller, ...pathRows, db: from, site, outbound, params, query, lastEventId, earlier } as never) // 404 400
    const list = { plan, caller: session.caller, params, query: query as object }
    const paged = (from: Db) => (plan.hasCursors ? cursors.walk(list, (place) => run(from, place)) : run(from, query)) // 400
    return source === 'cache' ? readGuarded(session, reader, paged) : paged(reader)
  }

  /** The wait of a read that has nothing to answer with yet; undefined if the reply can be sent. */
  function wait(plan: Plan, request: FastifyRequest, attempt: object): Promise<unknown> | undefined {
    const { query, params, pathRows } = check(plan, request)
    return plan.wait?.({ ...request.session.caller, ...pathRows, db, params, query, ...attempt } as never)
  }

  async function write(plan: Plan, request: FastifyRequest, source: CallerSource, claim?: Claim): Promise<Answer> {
    const { session } = request
    const checked = source === 'transaction' ? undefined : check(plan, request) // 400 404 403
    const work = async (tx: Tx) => {
      refuseAbandoned(request) // 499
      if (source === 'transaction') await session.confirm(tx) // 401 429 410 403 404 400
      const known = checked ?? check(plan, request) // 400 404 403
      // These statements are sent without waiting for their replies, so that they travel with the work. If one fails, the work is undone and its error is answered.
      if (claim) claimKey(tx, claim) // 409
      holdParents(tx, plan, tenantOf(session), known.pathRows) // 404 409
      // Checked after these locks, which may have to be waited for. The last attempt does not start again: it identifies its caller once more, and holds what it finds.
      if (source === 'transaction')
        await session.confirm(tx) // 401 410 403 404 400
      else assertFingerprint(session, tx)
      const { query, body, params, pathRows } = source === 'transaction' ? check(plan, request) : known // 400 404 403
      const entered = await enter(plan, tx, { ...session.caller, ...pathRows }) // 403
      const outcome = (await plan.run({ ...session.caller, ...pathRows, db: tx, site, outbound, params, query, body } as never)) as Outcome // 400 404 403 409
      refuseUnderArchived(plan, pathRows) // 409
      if (plan.readsIfMatch) checkMatch(request.headers['if-match'], outcome.matched ?? outcome.before) // 412
      const answer = answerToWrite(plan, request, outcome) // 400
      record(tx, [...eventsOf(plan, outcome), ...entered], originOf(request, pathRows))
      if (claim) storeReply(tx, claim, answer, standingAfter(plan, session, tx))
      return answer
    }
    return transactions.run(turnHolderOf(services, request), () => db.transaction(work)) // 503
  }

  /** A write with an Idempotency-Key runs once. A repeated one gets the stored reply, if its caller may still do the same today. */
  async function writeOnce(plan: Plan, request: FastifyRequest): Promise<Answer> {
    const { session } = request
    // The cache has no stored replies. A key that this process has seen is looked up with its caller; one that another process answered is found by the claim.
    if (callers.noteIdempotencyKey(session) || session.identity.storedReply) await session.confirm() // 401 429 410 403 404 400
    // Before validation, which fills defaults into the body.
    const claim = claimOf(plan, request) // 400
    const answer = await session.attempt(
      (source) => idempotent.run(claim, session.identity.storedReply, () => write(plan, request, source, claim)), // 409
    )
    if (!answer.replayed) return answer
    // A reply that was not read together with the caller is given to the caller as the database knows them now.
    if (!session.identity.storedReply) await session.confirm() // 401 429 410 403 404 400
    const params = idsOf(plan, request) // 404
    const { body } = plan.validate(request) // 400: neither the query nor If-Match is part of the key
    authorizeReplay(plan, session, params, body, answer.replayed.standing) // 404 403
    if (!plan.recheck) return answer
    const reply = JSON.parse(String(answer.body))
    await plan.recheck({ ...session.caller, ...pathRowsOf(plan, session), db, params, body, reply } as never) // 404 403
    return answer
  }
}

/** The checks that need no statement. An earlier fault hides a later one. */
function check(plan: Plan, request: FastifyRequest) {
  const { query, body } = plan.validate(request) // 400
  const params = idsOf(plan, request) // 404
  const pathRows = livePathRowsOf(plan, request.session, params) // 404
  askRule(plan, request.session, params, pathRows, body) // 403
  return { query, body, params, pathRows }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Outcome } from '../operation.ts'
import type { Plan } from '../plan.ts'
import { codingFor, sendCoded } from './compress.ts'
import { type ConsoleCookie, setCookieOf } from './console-cookie.ts'
import { etag, etagOfFile, etagOfList, isFresh, weak } from './etag.ts'
import { fileHeaders, pageLinks, pathOf } from './headers.ts'
import { refuseTooLarge } from './response-size.ts'

/** The answer to a request, as it is sent and, for a write, as it is stored. */
export interface Answer {
  status: number
  body: string | Buffer | null
  etag?: string | undefined
  location?: string | undefined
  link?: string | undefined
  disposition?: string | undefined
  /** Sent, and never stored. */
  cookie?: ConsoleCookie | undefined
  /** Set for a stored reply: the standing of the caller right after the work. */
  replayed?: { standing: Buffer | null }
}

/** The answer to a read. */
export function answerToRead(plan: Plan, request: FastifyRequest, data: unknown): Answer {
  const body = serialized(plan, request, data) // 400
  if (plan.file) return { status: 200, body, etag: etagOfFile(body), ...fileHeaders(plan.file(data as never)) }
  const tag = plan.isList ? etagOfList(body) : etag(data as { version?: number }, body)
  return { status: 200, body, etag: tag, ...(plan.isList && { link: pageLinks(request.url, data) }) }
}

/** The answer to a write: the row that it left, or the reply that it gave instead. */
export function answerToWrite(plan: Plan, request: FastifyRequest, outcome: Outcome): Answer {
  const [declared] = plan.reply
  const { cookie } = outcome
  if (declared === 204) return { status: 204, body: null, cookie }
  const shown = (outcome.reply ?? outcome.after) as { id?: string; version?: number }
  const body = serialized(plan, request, shown) // 400
  const status = statusOf(plan, request, outcome, declared)
  const created = () =>
    plan.method === 'PUT' && !plan.hasLocation
      ? pathOf(request.url)
      : plan.locationOf(request.params as Record<string, string>, shown.id as string)
  return { status, body, etag: etag(shown, body), location: status === 201 && shown.id ? created() : undefined, cookie }
}

/** A PUT that found nothing has created something, and a dry run has created nothing. */
function statusOf({ method }: Plan, { body }: FastifyRequest, { before }: Outcome, declared: number): number {
  if ((body as { dry_run?: boolean } | undefined)?.dry_run) return 200
  return method === 'PUT' && before === null ? 201 : declared
}

/** The body of a reply. Its ETag is a hash of this text, and so does not depend on fields that the caller may not see. */
function serialized({ mask, serialize }: Plan, { session }: FastifyRequest, data: unknown): string {
  const body = serialize(mask(data, session.caller))
  refuseTooLarge(body)
  return body
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

export function send(
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, etag, location, link, disposition, cookie, replayed }: Answer,
): FastifyReply | Promise<FastifyReply> {
  // A reply with a secret is never compressed: its length would depend on how much of the secret is repeated in texts that others chose (BREACH).
  const coding = body === null || plan.secret ? undefined : codingFor(request, reply, body)
  if (etag) reply.header('etag', coding ? weak(etag) : etag).header('cache-control', 'private, no-cache')
  if (etag && isRead(request) && isFresh(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (location) reply.header('location', location)
  if (link) reply.header('link', link)
  if (disposition) reply.header('content-disposition', disposition)
  if (cookie) reply.header('set-cookie', setCookieOf(cookie))
  if (replayed) reply.header('idempotent-replayed', 'true')
  reply.code(status)
  return body === null ? reply.send() : sendCoded(reply.type('application/json; charset=utf-8'), body, coding)
}

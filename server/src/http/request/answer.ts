import type { FastifyReply, FastifyRequest } from 'fastify'
import { fillPath, type Operation, type Outcome } from '../operation.ts'
import { etag } from './etag.ts'
import { pathOf } from './headers.ts'
import { refuseTooLarge } from './response-size.ts'

/** The reply to a write, as it is sent and as it is kept. */
export interface Answer {
  status: number
  body: string | Buffer | null
  etag?: string | undefined
  location?: string | undefined
  /** Given before, to a caller of this standing. */
  replayed?: { standing: Buffer | null }
}

export function answerOf(op: Operation, request: FastifyRequest, outcome: Outcome<unknown>, serialize: (data: unknown) => string): Answer {
  const [declared] = op.reply
  if (declared === 204) return { status: 204, body: null }
  const shown = (outcome.reply ?? outcome.after) as { id?: string; version?: number }
  const body = serialize(shown)
  refuseTooLarge(body) // 400
  const status = op.method === 'PUT' && outcome.before === null ? 201 : declared
  return { status, body, etag: etag(shown, body), location: status === 201 && shown.id ? locationOf(op, request, shown.id) : undefined }
}

function locationOf(op: Operation, request: FastifyRequest, id: string): string {
  const path = pathOf(request.url)
  if (op.method === 'PUT') return path
  return op.location ? `/api/v1${fillPath(op.location, (name) => ({ ...(request.params as object), id })[name as 'id'])}` : `${path}/${id}`
}

export function send(reply: FastifyReply, { status, body, etag, location, replayed }: Answer): FastifyReply {
  reply.code(status)
  if (etag) reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (location) reply.header('location', location)
  if (replayed) reply.header('idempotent-replayed', 'true')
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body)
}

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../db/client.ts'
import { refuseAbandoned } from '../limits/overload.ts'
import { Connection, type Stream } from './connection.ts'
import { readyFrame, retryFrame } from './frames.ts'
import type { Streams } from './streams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True once the reply is a stream: it is observed when it opens and ends, and not as a request that took hours. */
    isStream: boolean
  }
}

/** The id of the last frame that a client received. A client without one may send an empty header. */
export const lastEventIdOf = ({ headers }: FastifyRequest) => headers['last-event-id']?.toString() || undefined

const MEDIA_TYPE = 'text/event-stream; charset=utf-8'

/** Sends the head and the first frames, and hands the connection to the operation. A rejection is the last reply that is not a stream. */
export function openStream(streams: Streams, request: FastifyRequest, reply: FastifyReply, stream: Stream, db: Database): FastifyReply {
  // Like a stream, it has no Content-Length.
  if (request.method === 'HEAD') return reply.type(MEDIA_TYPE).send(Readable.from([]))
  refuseAbandoned(request) // 499
  streams.refuse(request.session) // 503 429
  const first = Buffer.concat([retryFrame(), readyFrame(stream.id, db.now())])
  request.isStream = true
  reply.hijack()
  const { raw } = reply
  // The timeout of idle connections does not apply. Injected requests have no connection.
  raw.socket?.setTimeout?.(0)
  raw.writeHead(200, {
    // The headers that hooks have set: CORS, security, rate limits.
    ...reply.getHeaders(),
    'content-type': MEDIA_TYPE,
    'cache-control': 'no-store',
    // nginx and others pass each frame on at once.
    'x-accel-buffering': 'no',
    // The connection has no timeout any more, so it is not used again.
    connection: 'close',
  } as Record<string, string>)
  const connection = new Connection(request.session, raw, streams.onError)
  connection.send(first)
  observe(streams, connection, request, reply)
  streams.add(connection, stream)
  streams.attempt(connection, () => stream.start(connection, db))
  return reply
}

function observe({ observers }: Streams, connection: Connection, request: FastifyRequest, reply: FastifyReply): void {
  const openedAt = performance.now()
  for (const observer of observers) observer.opened?.(request, reply)
  connection.onClose((reason) => {
    const seconds = (performance.now() - openedAt) / 1000
    for (const observer of observers) observer.ended?.(request, reason, seconds)
  })
}

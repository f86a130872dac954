import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const MAX_CLIENT_ID_LENGTH = 200

const rounded = (value: number) => Math.round(value * 10) / 10

/** Logs one line per request, after its response: the caller, the route, the status and the duration. A stream is one line when it opens, and one when it ends. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isStream) logAnswer(request, reply, reply.statusCode === 403 ? 'denied' : 'answered')
    done()
  })
  app.streams.observers.push({
    opened: (request, reply) => logAnswer(request, reply, 'stream opened'),
    ended: (request, reason, seconds) => request.log.info({ reason, seconds: rounded(seconds) }, 'stream ended'),
  })
}

function logAnswer(request: FastifyRequest, reply: FastifyReply, message: string): void {
  const { identity, target } = request.session ?? {}
  const clientId = request.headers['x-request-id']
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: rounded(reply.elapsedTime),
      ...(request.waitedMs !== undefined && { waited_ms: rounded(request.waitedMs) }),
      developer_id: identity?.developer.id,
      company_id: target?.company_id ?? undefined,
      user_id: identity?.actor?.id,
      token_id: identity?.token?.id,
      session_id: identity?.session?.id,
      client_request_id: clientId && String(clientId).slice(0, MAX_CLIENT_ID_LENGTH),
    },
    message,
  )
}

import type { FastifyInstance } from 'fastify'

const MAX_CLIENT_ID_LENGTH = 200

/** Logs one line per request, after its response: the caller, the route, the status and the duration. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { identity, target } = request.session ?? {}
    const clientId = request.headers['x-request-id']
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        developer_id: identity?.developer.id,
        company_id: target?.company_id ?? undefined,
        user_id: identity?.actor?.id,
        token_id: identity?.token?.id,
        client_request_id: clientId && String(clientId).slice(0, MAX_CLIENT_ID_LENGTH),
      },
      reply.statusCode === 403 ? 'denied' : 'answered',
    )
    done()
  })
}

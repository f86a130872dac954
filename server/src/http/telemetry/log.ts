import type { FastifyInstance } from 'fastify'

const LONGEST_FOREIGN_ID = 200

/** One line per request, after it was answered: who did what, how it ended, how long it took. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { visit, identity } = request
    const theirs = request.headers['x-request-id']
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        developer_id: identity?.developer.id,
        company_id: visit?.company_id ?? undefined,
        user_id: identity?.actor?.id,
        client_request_id: theirs && String(theirs).slice(0, LONGEST_FOREIGN_ID),
      },
      reply.statusCode === 403 ? 'denied' : 'answered',
    )
    done()
  })
}

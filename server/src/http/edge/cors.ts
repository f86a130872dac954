import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidBearer } from '../../core/problem.ts'
import { hasBearerKey } from '../request/credential.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The response headers that a page's script may read. */
const EXPOSED_HEADERS =
  'ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset'

const OPTIONS = { methods: METHODS, exposedHeaders: EXPOSED_HEADERS, maxAge: 600, strictPreflight: false }

/** Returns true if a request has the header X-API-KEY, or is a preflight for one that has. */
const usesKeyHeader = ({ headers }: FastifyRequest) =>
  headers['x-api-key'] !== undefined || /(^|,)\s*x-api-key\s*(,|$)/i.test(headers['access-control-request-headers'] ?? '')

/**
 * Lets pages of these origins call the API from a browser. Without origins, no page may. `*` allows all other pages, except with an API key: a preflight
 * for X-API-KEY is not answered for them. No origin gets Access-Control-Allow-Credentials: the cookie of the console is for its own pages only.
 */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return
  const listed = origins.filter((origin) => origin !== '*')
  if (listed.length === origins.length) return void app.register(cors, { ...OPTIONS, origin: listed })
  const isListed = ({ headers: { origin } }: FastifyRequest) => listed.includes(origin ?? '')
  app.register(cors, {
    delegator: (request, done) => done(null, { ...OPTIONS, origin: isListed(request) || usesKeyHeader(request) ? listed : '*' }),
  })
  // A preflight does not say what Authorization will contain, so the request itself is checked. Browsers set Origin and Sec-Fetch-Site, and pages cannot
  // change them. The reference at /docs is of the same origin.
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin !== undefined && site !== 'same-origin' && !isListed(request) && hasBearerKey(request.headers))
      invalidBearer('An API key is not accepted from pages of this origin. Use a user token.')
    done()
  })
}

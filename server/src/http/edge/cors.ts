import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidBearer } from '../../core/problem.ts'
import { hasBearerKey } from '../request/credential.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The response headers that a page's script may read. */
const EXPOSED_HEADERS =
  'ETag, Link, Location, X-Request-Id, Guildhall-Version, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset'

const OPTIONS = { methods: METHODS, exposedHeaders: EXPOSED_HEADERS, maxAge: 600, strictPreflight: false }

/** Returns true if a request has the header X-API-KEY, or is a preflight for one that has. */
const usesKeyHeader = ({ headers }: FastifyRequest) =>
  headers['x-api-key'] !== undefined || /(^|,)\s*x-api-key\s*(,|$)/i.test(headers['access-control-request-headers'] ?? '')

/** Anybody can send an Origin, so only these many are named in the log. */
const MAX_NAMED_ORIGINS = 100
/** An origin as browsers send it. A page of a file has the origin null. */
const ORIGIN = /^(null|https?:\/\/[\w.:[\]-]{1,200})$/

/** True if a page of the service itself sends the request. Older browsers do not send Sec-Fetch-Site. */
const isOwnPage = ({ headers: { origin = '', host, 'sec-fetch-site': site } }: FastifyRequest) =>
  site === undefined ? origin.replace(/^https?:\/\//, '') === host : site === 'same-origin'

/** Logs each origin whose pages are not allowed to send a request, once: their browsers say nothing but that the request failed. */
function nameOthers(app: FastifyInstance, origins: string[]): void {
  const named = new Set<string>()
  const isAllowed = (request: FastifyRequest, origin: string) =>
    origins.includes(origin) || (origins.includes('*') && !usesKeyHeader(request) && !hasBearerKey(request.headers))
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers
    if (origin !== undefined && named.size < MAX_NAMED_ORIGINS && !named.has(origin) && ORIGIN.test(origin)) {
      if (!isOwnPage(request) && !isAllowed(request, origin)) {
        named.add(origin)
        app.log.warn(`origin ${origin} is not in CORS_ORIGINS${origins.includes('*') ? ', and * allows no API keys' : ''}`)
      }
    }
    done()
  })
}

/**
 * Lets pages of these origins call the API from a browser. Without origins, no page may. `*` allows all other pages, except with an API key: a preflight
 * for X-API-KEY is not answered for them. No origin gets Access-Control-Allow-Credentials: the cookie of the console is for its own pages only.
 */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  nameOthers(app, origins)
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

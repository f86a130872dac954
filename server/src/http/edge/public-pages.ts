import { randomBytes } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { lazy } from '../../core/lazy.ts'
import { unavailable } from '../../core/problem.ts'
import { VERSION } from '../../core/version.ts'
import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

/** The paths that need no API key. */
export const PUBLIC_PATHS = ['/', '/api/v1', '/health/live', '/health/ready', '/openapi.json', '/docs', '/docs/']

/** The state of a shutdown. */
export interface Drain {
  /** The process finishes the requests it has begun and accepts no new ones. */
  draining: boolean
}

/** Serves the paths that need no key: the greeting, health checks and the API reference. */
export function servePublic(app: FastifyInstance, db: Database, drain: Drain, document: () => object): void {
  const openapi = lazy(() => {
    const text = JSON.stringify(document())
    return () => text
  })

  const service = { name: 'Guildhall', version: VERSION }
  const documents = { reference: '/docs', openapi: '/openapi.json' }
  app.get('/', async () => ({ ...service, links: { api: '/api/v1', ...documents, live: '/health/live', ready: '/health/ready' } }))
  app.get('/api/v1', async () => ({ ...service, links: { me: '/api/v1/developers/me', companies: '/api/v1/companies', ...documents } }))
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async () => {
    if (drain.draining) unavailable('draining', 'This process is shutting down.', 1)
    await db.query(sql`SELECT 1 AS one`)
    return { status: 'ready' }
  })
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(openapi()))
  serveReference(app)
}

const newNonce = () => randomBytes(16).toString('base64')

const referencePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Serves Scalar's page and script from our own origin, without external fonts, proxy or telemetry, and with a policy that forbids them. */
function serveReference(app: FastifyInstance): void {
  // Scalar takes one nonce for all responses. It is replaced by a fresh one in each response.
  const placeholder = newNonce()
  app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      const nonce = newNonce()
      reply.header('content-security-policy', referencePolicy(nonce))
      const isPage = typeof payload === 'string' && /^text\/html/.test(String(reply.getHeader('content-type')))
      return isPage ? payload.replaceAll(placeholder, nonce) : payload
    })
    docs.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Guildhall API',
        nonce: placeholder,
        withDefaultFonts: false,
        telemetry: false,
        proxyUrl: '',
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        authentication: { preferredSecurityScheme: 'ApiKey' },
      } as object,
    })
  })
}

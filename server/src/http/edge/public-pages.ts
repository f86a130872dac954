import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../core/problem.ts'
import { VERSION } from '../../core/version.ts'
import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { addVary } from '../request/headers.ts'

/** The paths that need no API key, as regular expressions. Those of the documentation are served by pages/. */
export const PUBLIC_PATHS = [
  '/',
  '/api/v1',
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/ruleset.schema.json',
  '/llms.txt',
  '/favicon.ico',
  '/docs.md',
  '/docs',
  '/docs/.*',
]

/** The paths of the console, which has its own credential. They are served by pages/. */
export const CONSOLE_PATHS = ['/console', '/console/.*']

/** The state of a shutdown. */
export interface Drain {
  /** The process finishes the requests it has begun and accepts no new ones. */
  draining: boolean
}

/** Serves the greetings and the health checks. */
export function servePublic(app: FastifyInstance, db: Database, drain: Drain): void {
  const service = { name: 'Guildhall', version: VERSION }
  const documents = { docs: '/docs', reference: '/docs/reference', openapi: '/openapi.json', llms: '/llms.txt' }
  app.get('/', async ({ headers }, reply) => {
    addVary(reply, 'Accept')
    // A person with a browser wants to read; programs accept anything, or JSON.
    if (/\btext\/html\b/.test(headers.accept ?? '')) return reply.redirect('/docs', 302)
    return { ...service, links: { api: '/api/v1', ...documents, live: '/health/live', ready: '/health/ready' } }
  })
  app.get('/api/v1', async () => ({ ...service, links: { me: '/api/v1/developers/me', companies: '/api/v1/companies', ...documents } }))
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async () => {
    if (drain.draining) unavailable('draining', 'This process is shutting down.', 1)
    await db.query(sql`SELECT 1 AS one`)
    return { status: 'ready' }
  })
}

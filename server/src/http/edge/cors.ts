import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The response headers that a page's script may read. */
const EXPOSED_HEADERS =
  'ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset'

/** Lets pages of these origins call the API from a browser. Without origins, no page may. */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return
  app.register(cors, { origin: origins, methods: METHODS, exposedHeaders: EXPOSED_HEADERS, maxAge: 600, strictPreflight: false })
}

import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a page's script may read besides the body. */
const READABLE = 'ETag, Link, Location, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset'

/** Lets the pages of these origins call the API from a browser; without any, no page may. */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return
  app.register(cors, { origin: origins, methods: METHODS, exposedHeaders: READABLE, maxAge: 600, strictPreflight: false })
}

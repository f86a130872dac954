import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VERSION } from '../../core/version.ts'
import type { Database, Tx } from '../../db/client.ts'

// OpenTelemetry. This file is loaded only if the standard OTEL_ variables, which its own packages read, enable it.

interface Tracing {
  /** Adds a span for each request, within the caller's trace. */
  requests(app: FastifyInstance): void
  /** Wraps a database so that its statements become child spans. */
  database(db: Database): Database
  close(): Promise<void>
}

export function startTracing(): Tracing {
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these attributes.
  const defaults = resourceFromAttributes({ 'service.name': 'guildhall', 'service.version': VERSION })
  const resource = defaults.merge(detectResources({ detectors: [envDetector] }))
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
  provider.register()
  const tracer = trace.getTracer('guildhall', VERSION)
  const spans = new WeakMap<FastifyRequest, Context>()

  async function spanned<T>(name: string, work: () => Promise<T>): Promise<T> {
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } })
    try {
      return await context.with(trace.setSpan(context.active(), span), work)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    requests(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        const parent = propagation.extract(ROOT_CONTEXT, request.headers)
        const route = request.routeOptions.url ?? 'unknown'
        const attributes = { 'http.request.method': request.method, 'http.route': route, 'guildhall.request_id': request.id }
        const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
        const requestContext = trace.setSpan(parent, span)
        spans.set(request, requestContext)
        context.with(requestContext, done)
      })
      const endSpan = (request: FastifyRequest, reply: FastifyReply) => {
        const span = trace.getSpan(spans.get(request) ?? ROOT_CONTEXT)
        span?.setAttribute('http.response.status_code', reply.statusCode)
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end()
      }
      app.addHook('onResponse', async (request, reply) => {
        if (!request.isStream) endSpan(request, reply)
      })
      // The span of a stream covers its opening.
      app.streams.observers.push({ opened: endSpan })
    },
    database: (db) => ({
      ...db,
      query: (query) => spanned('query', () => db.query(query)),
      longReads: { ...db.longReads, query: (query) => spanned('query', () => db.longReads.query(query)) },
      transaction: <T>(work: (tx: Tx) => Promise<T>) => spanned('transaction', () => db.transaction(work)),
    }),
    close: () => provider.shutdown(),
  }
}

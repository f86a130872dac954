import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../core/lazy.ts'
import { Problem } from '../core/problem.ts'
import { withoutTrailingSlashes } from '../http/edge/not-found.ts'
import { acceptedCoding } from '../http/request/compress.ts'
import { addVary, pathOf } from '../http/request/headers.ts'
import { NONCE } from './layout.ts'
import { newNonce, pagePolicy, referencePolicy } from './policy.ts'
import { referencePage } from './reference-page.ts'
import { loadedScalarScript, scalarScript } from './scalar.ts'
import { Site } from './site.ts'
import { compressOnce, type StaticFile } from './static-file.ts'

/** The address of an asset has the hash of its content, so that it never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** A file that keeps its address is compared by its ETag after five minutes. */
const REVALIDATED = 'public, max-age=300, must-revalidate'

/**
 * Sends a page with a new nonce. Browsers ask for it again each time, and there is no ETag: a 304 would replace the policy of a stored page with one of
 * another nonce, and the browser would refuse its scripts.
 */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
  policy: (nonce: string) => string,
): Promise<FastifyReply> {
  const nonce = newNonce()
  const content = Buffer.from(html.replaceAll(NONCE, nonce))
  const coding = acceptedCoding(request, content.length)
  addVary(reply, 'Accept-Encoding')
  reply.headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-cache' })
  if (coding) reply.header('content-encoding', coding)
  return reply.type('text/html; charset=utf-8').send(coding ? await compressOnce(content, coding) : content)
}

const wantsHtml = ({ headers }: FastifyRequest) => /\btext\/html\b/.test(headers.accept ?? '')

/** Serves the documentation, the API reference and the OpenAPI document, without a key. Nothing here depends on a company. */
export function serveDocs(app: FastifyInstance, document: () => object): void {
  const site = lazy(() => {
    const made = new Site(document)
    return () => made
  })

  app.get('/openapi.json', (request, reply) => site().openapi.send(request, reply, REVALIDATED))
  app.get('/ruleset.schema.json', (request, reply) => site().rulesetSchema.send(request, reply, REVALIDATED))
  app.get('/llms.txt', (request, reply) => site().llms.send(request, reply, REVALIDATED))
  app.get('/favicon.ico', (request, reply) => site().icon.send(request, reply, REVALIDATED))
  app.get('/docs.md', (request, reply) => sendDoc(request, reply, '/docs.md'))
  app.get('/docs', (request, reply) => sendDoc(request, reply, '/docs'))
  app.get('/docs/reference', async (request, reply) => sendPage(request, reply, referenceHtml(), referencePolicy))
  app.get('/docs/assets/:name', (request, reply) => sendAsset(request, reply, (request.params as { name: string }).name))
  app.get('/docs/images/:name', (request, reply) => sendImage(request, reply, pathOf(request.url)))
  app.get('/docs/search.json', (request, reply) => site().searchIndex.send(request, reply, REVALIDATED))
  app.get('/docs/*', (request, reply) => sendDoc(request, reply, pathOf(request.url)))

  /** The first reader of a process sees the page while the script is loaded, whose address has no hash then, so that it is not kept. */
  function referenceHtml(): string {
    const script = loadedScalarScript()
    if (!script) scalarScript().catch((error) => app.log.error(error))
    const scalar = script ? site().urlOf('scalar.js', script) : '/docs/assets/scalar.new.js'
    return referencePage({ scalar, urlOf: (name) => site().urlOf(name) })
  }

  async function sendAsset(request: FastifyRequest, reply: FastifyReply, requested: string): Promise<FastifyReply> {
    const [base, hash, extension] = requested.split('.')
    const name = `${base}.${extension}`
    const file: StaticFile | undefined = name === 'scalar.js' ? await scalarScript() : site().asset(name)
    if (!file) return missing(request, reply)
    // While a new version is rolled out, a page of one version may ask a process of the other one. What it gets is not kept.
    return file.send(request, reply, file.hash === hash ? IMMUTABLE : 'no-cache')
  }

  async function sendImage(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const image = site().imageAt(path)
    return image ? image.send(request, reply, REVALIDATED) : missing(request, reply)
  }

  async function sendDoc(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    // A trailing slash leads to the page without it.
    const trimmed = withoutTrailingSlashes(path)
    if (trimmed !== path && (trimmed === '/docs/reference' || site().htmlOf(trimmed))) return reply.redirect(trimmed, 308)
    if (path.endsWith('.md')) {
      const file = site().markdownOf(path.slice(0, -'.md'.length))
      return file ? file.send(request, reply, REVALIDATED) : missing(request, reply)
    }
    const html = site().htmlOf(path)
    return html === undefined ? missing(request, reply) : sendPage(request, reply, html, pagePolicy)
  }

  function missing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (wantsHtml(request)) return sendPage(request, reply.code(404), site().notFound(), pagePolicy)
    throw new Problem(404, 'not_found', 'There is no such page. /docs lists all pages, and /llms.txt those in Markdown.')
  }
}

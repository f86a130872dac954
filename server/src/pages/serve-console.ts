import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'
import { pathOf } from '../http/request/headers.ts'
import { StaticFile } from './static-file.ts'

/** The folder that `npm run build:console` writes. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

const INDEX = 'index.html'
const ASSETS = 'assets/'
/** The name of an asset has the hash of its content, so that it never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Only the console's own files run or are shown, nothing writes HTML from texts, and no other page frames it or keeps a handle of its window. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
}

/** Reads the page of the console and its assets, by their paths below the folder. Other files there, such as the stamp of the build, are not served. */
function readFiles(folder: string): Map<string, StaticFile> {
  if (!existsSync(join(folder, INDEX))) return new Map()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
  return new Map(
    paths
      .filter((path) => path === INDEX || path.startsWith(ASSETS))
      .map((path) => [path, new StaticFile(TYPES[extname(path)] ?? 'application/octet-stream', readFileSync(join(folder, path)))]),
  )
}

/**
 * Serves the console, whose files are read once, at the start. Its pages have paths of their own, which its script reads: any path below /console that is no file
 * is the same page.
 */
export function serveConsole(app: FastifyInstance, folder = CONSOLE_FOLDER): void {
  const files = readFiles(folder)

  function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = pathOf(request.url).slice('/console/'.length)
    const file = files.get(path) ?? (path.startsWith(ASSETS) ? undefined : files.get(INDEX))
    if (!file && files.size > 0) throw new Problem(404, 'not_found', 'There is no such file of the console. Reload the page.')
    if (!file) throw new Problem(404, 'not_found', 'The console is not built. Run npm run build:console, and start the service again.')
    return file.send(request, reply.headers(HEADERS), path.startsWith(ASSETS) ? IMMUTABLE : 'no-cache')
  }
  app.get('/console', send)
  app.get('/console/*', send)
}

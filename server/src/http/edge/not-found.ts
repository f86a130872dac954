import type { FastifyInstance } from 'fastify'
import { Problem } from '../../core/problem.ts'
import type { Plan } from '../plan.ts'
import { credentialOf } from '../request/credential.ts'
import { isApi, pathOf } from '../request/headers.ts'
import type { Services } from '../services.ts'
import { Session } from '../session.ts'
import { pathHints } from './path-hints.ts'
import { CONSOLE_PATHS, PUBLIC_PATHS } from './public-pages.ts'

/** A loop, because a regular expression is quadratic in the number of slashes. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Answers OPTIONS (204), and requests for paths that do not exist (404) and methods that a path does not take (405). Below /api/v1, a valid key comes first. */
export function refuseUnknown(app: FastifyInstance, services: Services, plans: Plan[]): void {
  const pages = [...PUBLIC_PATHS, ...(services.hasConsole ? CONSOLE_PATHS : [])]
  const paths = new Map<string, string[]>(pages.map((path) => [path, ['GET', 'HEAD']]))
  for (const { fill, method } of plans) {
    const shape = `/api/v1${fill(() => '[^/]+')}`
    paths.set(shape, [...(paths.get(shape) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  const known = [...paths].map(([shape, methods]) => ({ shape: new RegExp(`^${shape}$`), methods }))
  // Several shapes match where a text that a client chose may equal a fixed segment, such as `trackers/reset`.
  const methodsOf = (path: string) => known.filter(({ shape }) => shape.test(path)).flatMap(({ methods }) => methods)

  const hintFor = pathHints([...new Set(plans.map(({ path }) => path))], (path) => methodsOf(path).length > 0)

  // Before the body is read, because nothing needs it.
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url)
    // The router takes the text after a trailing slash for an empty id. The pages answer it themselves.
    const hasTrailingSlash = path.endsWith('/') && path !== '/' && !/^\/(docs|console)\//.test(path)
    if (!request.is404 && !hasTrailingSlash) return
    if (isApi(path)) {
      request.session = new Session(services, undefined, request, reply, credentialOf(request, services.hasConsole))
      await request.session.open() // 401 429
    }
    const trimmed = withoutTrailingSlashes(path)
    if (hasTrailingSlash && methodsOf(trimmed).length > 0)
      throw new Problem(404, 'not_found', `There is nothing at this path. Use ${trimmed} without a trailing slash.`)
    const methods = methodsOf(path)
    const allow = [...methods, 'OPTIONS'].join(', ')
    if (methods.length > 0 && request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    if (methods.length > 0)
      throw new Problem(405, 'method_not_allowed', `This path does not accept the method. It accepts ${allow}.`, { headers: { allow } })
    // The server as a whole.
    if (path === '*' && request.method === 'OPTIONS') return reply.code(204).send()
    throw new Problem(404, 'not_found', `There is nothing at this path. ${hintFor(path) ?? 'See /docs for all paths.'}`)
  })
  app.setNotFoundHandler(() => {})
}

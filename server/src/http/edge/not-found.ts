import type { FastifyInstance } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { fillPath, type Operation } from '../operation.ts'
import { admit, type House } from '../request/admit.ts'
import { isApi, pathOf } from '../request/headers.ts'
import { PUBLIC_PATHS } from './public-pages.ts'

/** A loop, because a regular expression is quadratic in the number of slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Answers for what is not there: 404, or 405 with what the path does take. Below /api/v1 only to those with a key. */
export function refuseUnknown(app: FastifyInstance, house: House, operations: Operation[]): void {
  const paths = new Map<string, string[]>(PUBLIC_PATHS.map((path) => [path, ['GET', 'HEAD']]))
  for (const { path, method } of operations) {
    const methods = paths.get(`/api/v1${path}`) ?? []
    paths.set(`/api/v1${path}`, [...methods, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  const known = [...paths].map(([path, methods]) => ({ shape: new RegExp(`^${fillPath(path, () => '[^/]+')}$`), methods }))
  const methodsOf = (path: string) => known.find(({ shape }) => shape.test(path))?.methods

  // Before the body is read: it is nobody's.
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url)
    // The router takes the text after a trailing slash for an empty id.
    const hasTrailingSlash = path.endsWith('/') && !PUBLIC_PATHS.includes(path)
    if (!request.is404 && !hasTrailingSlash) return
    if (isApi(path)) {
      request.visit = {}
      request.identity = await admit(house, request, reply)
    }
    const trimmed = withoutTrailingSlashes(path)
    if (hasTrailingSlash && methodsOf(trimmed))
      throw new Problem(404, 'not_found', `There is nothing at this path. Use ${trimmed} without a trailing slash.`)
    const allow = methodsOf(path)?.join(', ')
    if (allow) throw new Problem(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
    throw new Problem(404, 'not_found', 'There is nothing at this path: /docs shows what there is.')
  })
  app.setNotFoundHandler(() => {})
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../core/problem.ts'
import { randomSlice } from '../../core/random.ts'
import { VERSION } from '../../core/version.ts'
import type { Page } from '../../db/list.ts'

export const newRequestId = () => `req_${randomSlice(12).toString('base64url')}`

/**
 * Headers of every response. The API serves data, not pages, so the headers forbid browsers to render or cache it. Clients compare the version with the one that
 * they were made for.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'guildhall-version': VERSION,
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** True if a request is for the API and so needs a key. /api/v1 itself is a public page. */
export const isApi = (url: string) => url.startsWith('/api/v1/')

export const pathOf = (url: string) => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** True if a header was sent more than once. Node joins the values with commas, into a value that the client did not send. */
export const isRepeated = ({ headers, raw: { rawHeaders } }: FastifyRequest, name: string) =>
  headers[name] !== undefined && rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length > 1

export const repeatedFault = (field: string): Fault => ({ field, message: 'must not be sent more than once' })

/** A page as it is sent: its cursor is a text. */
interface PageWithCursor extends Omit<Page<unknown>, 'next_cursor'> {
  next_cursor?: string | null
}

/** The Link header (RFC 8288) of a page: paths of the first, previous, next and last page; by cursor, of the first and next one. */
export function pageLinks(url: string, data: unknown): string | undefined {
  const { limit, offset, total, next_cursor } = data as PageWithCursor
  if (limit === 0) return undefined
  const path = pathOf(url)
  const search = url.slice(path.length + 1)
  // All items with these ids fit on one page, while links that repeat a hundred ids are more than many clients and proxies accept.
  if (new URLSearchParams(search).has('ids')) return undefined
  const link = (rel: string, to: number | string) => {
    const query = new URLSearchParams(search)
    query.set('limit', String(limit))
    query.delete('after')
    query.set(typeof to === 'string' ? 'after' : 'offset', String(to))
    return `<${path}?${query}>; rel="${rel}"`
  }
  if (new URLSearchParams(search).has('after')) return [link('first', 0), ...(next_cursor ? [link('next', next_cursor)] : [])].join(', ')
  const last = Math.max(0, (Math.ceil(total / limit) - 1) * limit)
  return [
    link('first', 0),
    ...(offset > 0 ? [link('prev', Math.max(0, Math.min(offset - limit, last)))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    link('last', last),
  ].join(', ')
}

/** A reply that clients keep as a file, and the address of its license. */
export interface ReplyFile {
  name: string
  license: string | null
}

/** The headers of a reply that is a file. Its name has only characters that need no quoting. */
export const fileHeaders = ({ name, license }: ReplyFile) => ({
  disposition: `attachment; filename="${name}"`,
  link: license ? `<${license}>; rel="license"` : undefined,
})

/** Names a request header that the reply depends on, besides those that are named already: CORS names Origin. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${vary}, ${name}` : name)
}

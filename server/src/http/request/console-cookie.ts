import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../core/loopback.ts'
import { signInRefused } from '../../core/problem.ts'

/** Browsers accept the prefix `__Host-` only from the host itself, over HTTPS or on the same machine, for all paths. */
const NAME = '__Host-guildhall'

/** The cookie that a reply sets. An empty secret removes it. */
export interface ConsoleCookie {
  secret: string
  maxAgeSeconds: number
}

export const NO_COOKIE: ConsoleCookie = { secret: '', maxAgeSeconds: 0 }

export const setCookieOf = ({ secret, maxAgeSeconds }: ConsoleCookie) =>
  `${NAME}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`

/**
 * True for a request of the console's own pages. Browsers set Sec-Fetch-Site, and no page can change it. The other header keeps pages of the same origin that are
 * not the console, such as the API reference, from using the session by accident.
 */
const isFromConsole = (headers: IncomingHttpHeaders) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['x-guildhall-console'] === '1'

/** The secret in the cookie of the console. Undefined without one, and for a request that is not of the console. */
export function sessionSecretIn(headers: IncomingHttpHeaders): string | undefined {
  if (headers.cookie === undefined || !isFromConsole(headers)) return undefined
  const values = headers.cookie.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    return name === NAME ? [value] : []
  })
  // Two cookies of this name are none that a browser would send.
  return values.length > 1 ? '' : values[0]
}

/** Refuses to sign in where the cookie would be useless: for a request that is not of the console, or over a connection on which browsers keep no such cookie. */
export function refuseForeignSignIn({ headers, protocol, hostname }: FastifyRequest): void {
  if (protocol !== 'https' && !isLoopback(hostname))
    signInRefused(
      'The console signs in only over HTTPS, or on the machine of the service. If a proxy in front of the service handles HTTPS, set TRUST_PROXY.',
    )
  if (!isFromConsole(headers))
    signInRefused('Only the pages of the console sign in here. Send an API key as X-API-KEY, or a user token as Authorization: Bearer.')
}

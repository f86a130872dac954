import { Credential } from './credential.ts'
import { ApiError, ConnectionError, NoCredentialError, UsageError } from './errors.ts'
import { SERVICE_VERSION } from './generated.ts'
import { keepMeta } from './meta.ts'
import type { ChangeOptions, ClientOptions } from './options.ts'
import { textOf } from './reply.ts'
import { pauseAfter, retryAfterOf } from './retry.ts'
import { VERSION } from './version.ts'
import { within } from './wait.ts'

export interface Request {
  method: string
  /** Below /api/v1. */
  path: string
  query?: object | undefined
  body?: unknown
  /** Repeating the request does no harm, and it needs no Idempotency-Key. */
  isSafe: boolean
  options?: ChangeOptions | undefined
}

/** The first pause lasts up to this long, each further one up to twice as long. */
const BACKOFF_MS = 500
/** A longer Retry-After is left to the caller. */
const MAX_RETRY_AFTER_S = 60

/** A page of another origin needs permission for each header that it sends, so browsers send no User-Agent of ours. */
const isBrowser = () => /^Mozilla/.test(globalThis.navigator?.userAgent ?? '')

/** Sends requests, and repeats those whose repetition is safe and may help. */
export class Transport {
  #options: ClientOptions
  #credential: Credential
  #isVersionKnown = false

  constructor(options: ClientOptions) {
    this.#options = options
    this.#credential = new Credential(options)
    const { baseUrl = '' } = options
    // fetch refuses such an address, and would show the password in its error.
    if (/^https?:\/\/[^/?#]*@/.test(baseUrl)) throw new TypeError('baseUrl must not have a user or a password.')
    if (baseUrl && !/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl must begin with https:// or http://: ${baseUrl}`)
  }

  /** Sends a request until it succeeds, must not be repeated, or has been repeated often enough. All attempts have the same Idempotency-Key. */
  async send(request: Request): Promise<unknown> {
    const { method, options = {}, isSafe } = request
    const { signal, retries = this.#options.retries ?? 2, timeoutMs = this.#options.timeoutMs ?? 60_000 } = options
    const headers: Record<string, string> = isSafe ? {} : { 'idempotency-key': options.idempotencyKey ?? newKey() }
    let mayBeRemoved = false
    for (let attempt = 0; ; attempt++) {
      try {
        return await within(timeoutMs, signal, async (limited) => read(await this.open(request, headers, limited)))
      } catch (error) {
        signal?.throwIfAborted()
        if (mayBeRemoved && ApiError.is(error, 'not_found')) return
        if (mayBeRemoved && ApiError.is(error, 'precondition_failed'))
          throw new ConnectionError('No reply to the first attempt, which may have removed the resource. Check whether it did.', {
            cause: error,
          })
        if (attempt >= retries || !mayRepeat(error, method)) throw error
        mayBeRemoved ||= method === 'DELETE' && error instanceof ConnectionError && !(error instanceof NoCredentialError)
        await pauseAfter(error, Math.random() * BACKOFF_MS * 2 ** attempt, signal)
      }
    }
  }

  /** Sends a request once; if its credential has ended and there is a newer one, once more. Returns a success, whose body is not read yet. */
  async open(request: Request, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    for (let isRenewed = false; ; isRenewed = true) {
      const credential = this.#credential.get()
      const header = await this.#credential.headerOf(credential, signal)
      const response = await this.#fetch(request, headers, header, signal)
      this.#checkVersion(response)
      if (response.ok) return response
      const error = await errorOf(response)
      if (response.status !== 401 || isRenewed || !this.#credential.forget(credential)) throw error
    }
  }

  async #fetch(
    { method, path, query, body, options = {} }: Request,
    given: Record<string, string>,
    credential: [name: string, value: string],
    signal: AbortSignal,
  ) {
    const { baseUrl = '', fetch = globalThis.fetch } = this.#options
    const { onBehalfOf, ifMatch } = options
    // The last one of a name wins, whatever its case is.
    const headers = headersOf([
      ['accept', 'application/json'],
      ['user-agent', isBrowser() ? undefined : `guildhall-client/${VERSION}`],
      ...[this.#options.headers, given, options.headers].flatMap((some = {}) => Object.entries(some)),
      ['content-type', body === undefined ? undefined : 'application/json'],
      ['on-behalf-of', onBehalfOf],
      ['if-match', typeof ifMatch === 'object' ? `"${ifMatch.version}"` : ifMatch],
      credential,
    ])
    if (!baseUrl && !('location' in globalThis) && fetch === globalThis.fetch)
      throw new UsageError('baseUrl is empty. Only a page has an address to use instead.')
    const url = `${baseUrl.replace(/(\/api\/v1)?\/*$/, '')}/api/v1${path}${queryOf(query)}`
    // The API never redirects. A redirect that is followed would carry the key to another place.
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    // Only pages have cookies, and some other runtimes refuse the field.
    if ('session' in this.#options) init.credentials = 'same-origin'
    if (body !== undefined) init.body = JSON.stringify(body)
    try {
      return await fetch(url, init)
    } catch (cause) {
      throw broken(cause, corsHint(cause, url))
    }
  }

  /** A newer service has everything that this client knows. An older one may lack operations and fields, which would look like a mistake of the caller. */
  #checkVersion({ headers }: Response): void {
    const version = headers.get('guildhall-version')
    if (this.#isVersionKnown || !version) return
    this.#isVersionKnown = true
    if (version.localeCompare(SERVICE_VERSION, 'en', { numeric: true }) < 0)
      (this.#options.onWarning ?? console.warn)(
        `Guildhall ${version} is older than ${SERVICE_VERSION}, which @guildhall/client ${VERSION} needs. Update it.`,
      )
  }
}

/** Browsers do not tell a page why a request to another origin failed. Mostly the service does not allow the page. */
function corsHint(cause: unknown, url: string): string {
  const { location } = globalThis as { location?: { origin: string; href: string } }
  if (!isBrowser() || !location || !(cause instanceof TypeError) || new URL(url, location.href).origin === location.origin) return ''
  return ` (if the service runs, the likely reason is CORS: its CORS_ORIGINS does not allow ${location.origin})`
}

const broken = (cause: unknown, hint = '') => new ConnectionError(`No reply: ${(cause as Error)?.message ?? cause}${hint}`, { cause })

/** Headers, without those that are undefined. The error of an invalid one must not show its value, which may be the credential. */
function headersOf(given: [name: string, value: string | undefined][]): Headers {
  const headers = new Headers()
  for (const [name, value] of given) {
    try {
      if (value !== undefined) headers.set(name, value)
    } catch {
      throw new UsageError(`The header ${JSON.stringify(name)} has a character that no header may have.`)
    }
  }
  return headers
}

/** The query of an address. Lists are separated by commas, and values that are undefined or null are left out. */
function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length ? `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}` : ''
}

/** Makes an Idempotency-Key. Pages over plain HTTP have no randomUUID. */
const newKey = (): string => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')

async function read(response: Response): Promise<unknown> {
  const text = await textOf(response).catch((cause) => {
    // The connection was cut within the body.
    throw cause instanceof ApiError ? cause : broken(cause)
  })
  const value = text ? parsed(text, response.status) : undefined
  keepMeta(value, response)
  return value
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(status, { detail: 'The reply is no JSON. Check baseUrl.' })
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  // A proxy answers with HTML, and the connection may be cut here, too: the status is known in any case.
  const reading = textOf(response).then(JSON.parse)
  return new ApiError(response.status, await reading.catch(() => undefined), retryAfterOf(response.headers))
}

/**
 * Most errors are answers, a 409 above all: it is repeated only if the service says when. Without an Idempotency-Key, an unknown outcome is not repeated, because nothing tells
 * whether the change was made.
 */
function mayRepeat(error: unknown, method: string): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError)) return false
  const { status, code, retryAfter } = error
  if (retryAfter && retryAfter > MAX_RETRY_AFTER_S) return false
  if (code === 'outcome_unknown' && method === 'DELETE') return false
  return status === 429 || (status >= 502 && status <= 504) || (status === 409 && retryAfter !== undefined)
}

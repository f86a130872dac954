import type { promises as dns } from 'node:dns'
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Networks } from './networks.ts'
import { type Address, NotSent, openAddressesOf, type SendError } from './resolve.ts'

const MAX_HEADER_BYTES = 16 * 1024
/** A longer response is not read to its end. */
const MAX_READ_BYTES = 16 * 1024
/** The part of a response that is kept. */
const MAX_KEPT_BYTES = 4 * 1024
const IDLE_MS = 15_000

/** The result of an exchange: a response, or the reason for which there was none. */
export interface Exchange {
  status: number | null
  headers: IncomingHttpHeaders | null
  /** The first 4 kB. */
  body: string | null
  error: SendError | null
  milliseconds: number
}

interface Post {
  url: string
  headers: Record<string, string>
  body: string
  /** The time for everything: names, connection, request and response. */
  timeoutMs: number
}

/** Agents of their own: without a limit of sockets for a host, which the webhooks of all companies on one host would share, and without a proxy from the environment. */
const keepAlive = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: IDLE_MS }

/** Sends webhooks to addresses that are open. */
export class Sender {
  readonly #networks: Networks
  readonly #resolver: dns.Resolver
  readonly #agents = { 'http:': new HttpAgent(keepAlive), 'https:': new HttpsAgent(keepAlive) }

  constructor(networks: Networks, resolver: dns.Resolver) {
    this.#networks = networks
    this.#resolver = resolver
  }

  async post(post: Post): Promise<Exchange> {
    const started = performance.now()
    const signal = AbortSignal.timeout(post.timeoutMs)
    const exchange = await abortable(this.#exchange(post, signal), signal).catch((error) => ({
      status: null,
      headers: null,
      body: null,
      error: signal.aborted ? ('timeout' as const) : errorOf(error),
    }))
    return { ...exchange, milliseconds: Math.round(performance.now() - started) }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #exchange({ url, headers, body }: Post, signal: AbortSignal): Promise<Omit<Exchange, 'milliseconds'>> {
    const { protocol, hostname } = new URL(url)
    const addresses = await openAddressesOf(hostname, this.#networks, this.#resolver)
    signal.throwIfAborted()
    // Elsewhere, anybody on the way could read and change what is sent.
    if (protocol === 'http:' && !addresses.every(({ address }) => this.#networks.isAllowed(address)))
      throw new NotSent('address_not_allowed')
    const response = await this.#send(protocol as 'http:' | 'https:', { url, headers, body }, addresses, signal)
    return { status: response.statusCode as number, headers: response.headers, body: await readStart(response), error: null }
  }

  #send(
    protocol: 'http:' | 'https:',
    { url, headers, body }: Omit<Post, 'timeoutMs'>,
    addresses: Address[],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const send = protocol === 'http:' ? requestHttp : requestHttps
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method: 'POST',
        agent: this.#agents[protocol],
        // The connection is made to an address that was checked. It is not looked up a second time.
        lookup: answerWith(addresses),
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'accept-encoding': 'identity' },
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      })
        .once('response', resolve)
        .once('error', (error: NodeJS.ErrnoException) => {
          // The receiver closed a connection that was kept open, at the moment of its next use.
          const isStale = request.reusedSocket && error.code === 'ECONNRESET'
          if (isStale) this.#send(protocol, { url, headers, body }, addresses, signal).then(resolve, reject)
          else reject(error)
        })
        // A receiver that changes the protocol (101) gives no response. Without a listener there would be no error either.
        .once('upgrade', (_, socket) => {
          socket.destroy()
          reject(new NotSent('protocol'))
        })
      request.end(body)
    })
  }
}

/** A lookup that finds the given addresses, whatever the name. */
const answerWith =
  (addresses: Address[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [{ address, family }] = addresses as [Address]
    if (all) callback(null, addresses)
    else callback(null, address, family)
  }

const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))])

/** Reads the beginning of a response. The connection of a longer one is closed. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_READ_BYTES) break
  }
  return textOf(Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES))
}

/** A text that PostgreSQL can store, without half a character at its end. */
const textOf = (bytes: Buffer) => new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')

function errorOf(error: unknown): SendError {
  if (error instanceof NotSent) return error.code
  const { code = '' } = error as { code?: string }
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large'
  if (/^HPE_|^ERR_HTTP|^ERR_INVALID/.test(code)) return 'protocol'
  if (/^ERR_TLS|^ERR_SSL|^EPROTO$|CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls'
  return 'connect'
}

// Verifies webhooks of Guildhall, and of any other service that signs as Standard Webhooks says. Of the client, it imports only types.
import type { FeedItem } from './generated.ts'

/** A test delivery, which `webhooks.ping` asks for. It tells of no change. */
export interface WebhookPing {
  /** Identifier of this delivery, as in the header `webhook-id`. */
  id: string
  type: 'webhook.ping'
  /** Time of the request that asked for it. */
  timestamp: string
  /** Company of the webhook. */
  company_id: string
  data: { webhook_id: string }
}

/** The body of a webhook: a change, as the changes feed tells it, or a ping. Its `type` decides which. */
export type WebhookEvent = FeedItem | WebhookPing

/** The headers of a request: those of a fetch Request, or an object of names and values as Node's http has it. Case does not matter. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** The greatest difference between the time of the webhook and the clock of this machine, in seconds; 300 by default. It keeps others from sending a recorded webhook again. */
  toleranceSeconds?: number
  /** The clock, in milliseconds. */
  now?: () => number
}

/** The reason for which a webhook is not accepted. */
export type WebhookFault = 'missing_header' | 'bad_timestamp' | 'too_old' | 'too_new' | 'bad_signature' | 'bad_secret' | 'not_json'

const SENTENCES: Record<WebhookFault, string> = {
  missing_header: 'A header is missing: webhook-id, webhook-timestamp or webhook-signature.',
  bad_timestamp: 'The header webhook-timestamp is not a number of seconds.',
  too_old: 'The webhook was sent too long ago. Is the clock of this machine right?',
  too_new: 'The webhook was sent in the future. Is the clock of this machine right?',
  bad_signature: 'No signature matches. Is the secret the one of this webhook, and the body exactly as it was received?',
  bad_secret: 'The secret is not one of a webhook. Expected whsec_ and base64.',
  not_json: 'The body is not JSON.',
}

/** Thrown for a webhook that is not accepted. Answer with status 400; only `bad_secret` is a fault of this program. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault) {
    super(SENTENCES[code])
    this.code = code
  }
}

const DEFAULT_TOLERANCE_SECONDS = 300
const encoder = new TextEncoder()

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  // A header that was sent several times is a list with spaces, which is what several signatures are. It is no valid id or time.
  const text = Array.isArray(value) ? value.join(' ') : value
  if (typeof text !== 'string' || text === '') throw new WebhookError('missing_header')
  return text
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function keyOf(secret: string) {
  // An environment variable that is not set is undefined, whatever the types say.
  const bytes = typeof secret === 'string' ? bytesOf(secret.replace(/^whsec_/, '')) : undefined
  if (!bytes?.length) throw new WebhookError('bad_secret')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Joins the signed text in front of the body, whose bytes stay as they are. */
function signedBytes(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('The body is neither a string nor a Uint8Array. Pass it as it was received, before anything parses it.')
  const [head, tail] = [encoder.encode(prefix), typeof body === 'string' ? encoder.encode(body) : body]
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/**
 * Verifies a webhook and returns its body, parsed. Throws a WebhookError if it is not from the service, or too old. Give it the body exactly as it was received,
 * before anything parses it:
 *
 *     const event = await verifyWebhook(secret, request.headers, await request.text())
 *     if (event.type === 'webhook.ping') return
 *
 * While a secret is rotated, the service signs with the old and the new one: either is enough. The same webhook may arrive twice, with the same `webhook-id`.
 */
export async function verifyWebhook<Event = WebhookEvent>(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name)) as [
    string,
    string,
    string,
  ]
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('bad_timestamp')
  const age = now() / 1000 - Number(timestamp)
  if (age > toleranceSeconds) throw new WebhookError('too_old')
  if (age < -toleranceSeconds) throw new WebhookError('too_new')
  const key = await keyOf(secret)
  const signed = signedBytes(`${id}.${timestamp}.`, body)
  const isGenuine = async (signature: string) => {
    const [version, base64 = ''] = signature.split(',', 2)
    const bytes = version === 'v1' ? bytesOf(base64) : undefined
    return bytes !== undefined && crypto.subtle.verify('HMAC', key, bytes, signed)
  }
  const verdicts = await Promise.all(signatures.split(' ').map(isGenuine))
  if (!verdicts.includes(true)) throw new WebhookError('bad_signature')
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Event
  } catch {
    throw new WebhookError('not_json')
  }
}

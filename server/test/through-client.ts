import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { ApiError, Guildhall, metaOf } from '../../client/src/index.ts'
import { type Placement, placementsOf } from '../src/http/reference/client/placement.ts'
import { operations } from '../src/resources/index.ts'
import type { Answer, Body } from './harness.ts'

// Sends the requests of tests through @guildhall/client: finds the operation of a request by its method and path, calls the function of the client, and
// turns its value or error back into an answer.

interface Route {
  placement: Placement
  pattern: RegExp
}

const routes: Route[] = placementsOf(operations)
  .sort((a, b) => a.plan.params.length - b.plan.params.length)
  .map((placement) => ({ placement, pattern: new RegExp(`^/api/v1${placement.plan.path.replaceAll(/{\w+}/g, '([^/]+)')}$`) }))

/** Returns undefined for a text that is not percent-encoded correctly. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The operation and the ids of a request, unless there is none, or an id that the client refuses. */
function find(method: string, path: string) {
  for (const { placement, pattern } of routes) {
    const match = placement.plan.method === method && pattern.exec(path)
    if (!match) continue
    const ids = match.slice(1).map(decoded)
    if (ids.every((id): id is string => id !== undefined && !/^\.{0,2}$/.test(id))) return { placement, ids }
  }
  return undefined
}

function queryOf(text: string): Record<string, string> | undefined {
  const query = new URLSearchParams(text)
  const isRepeated = new Set(query.keys()).size < [...query.keys()].length
  return isRepeated || decoded(text) === undefined ? undefined : Object.fromEntries(query)
}

/** The headers that the client has options for. All others are passed on. */
const OPTIONS: Record<string, string> = { 'idempotency-key': 'idempotencyKey', 'on-behalf-of': 'onBehalfOf', 'if-match': 'ifMatch' }

function optionsOf(given: Record<string, string>, { kind }: Placement): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const isOwn =
      name === 'on-behalf-of' || (name === 'if-match' && /[UAD]/.test(kind)) || (name === 'idempotency-key' && /[BPUA]/.test(kind))
    if (isOwn) options[OPTIONS[name] as string] = value
    else headers[name] = value
  }
  return { ...options, headers }
}

/** The last reply that the client received, with its text. */
class Recorder {
  response: Response | undefined
  text: Promise<string> = Promise.resolve('')

  fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    this.response = response
    this.text = openingOf(response.clone())
    // Only if it is awaited, a broken connection is an error.
    this.text.catch(() => {})
    return response
  }
}

/** The text of a reply; of a stream, which does not end, its first frames. */
async function openingOf(response: Response): Promise<string> {
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) return response.text()
  const decoder = new TextDecoder()
  // Without the end of a loop, which would wait until the client has closed its half of the stream.
  const reader = response.body?.getReader()
  for (let text = ''; ; ) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    text += decoder.decode(value, { stream: true })
    if (done || /event: ready\n.*\n\n/s.test(text)) return text
  }
}

interface Sent {
  key?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The credential of a request, unless it has none or two. */
function credentialOf({ key, headers: { authorization, 'x-api-key': given, ...headers } = {} }: Sent) {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  const apiKey = given ?? key
  if ((apiKey && authorization !== undefined) || (given !== undefined && key)) return undefined
  if (token) return { credential: { token }, headers }
  const { 'x-guildhall-console': console, ...others } = headers
  if (!apiKey && console === '1') return { credential: { session: true as const }, headers: others }
  return apiKey && /^[\x21-\x7e]+$/.test(apiKey) ? { credential: { apiKey }, headers } : undefined
}

/** A handle or a group of the client. The place of an operation is data here, and the types of the client are tested elsewhere. */
interface Part {
  [name: string]: Part & ((...args: unknown[]) => Part)
}

const functionOf = (gh: Guildhall, { handles, group, name, kind }: Placement, ids: string[]) => {
  const handle = handles.reduce((above, { call }, i) => above[call]?.(ids[i]) as Part, gh as unknown as Part)
  return (kind === 'S' ? handle.events : handle[group]?.[name]) as (...args: unknown[]) => unknown
}

/** Calls the operation. Returns its value, or opens a stream and closes it again. */
async function run(placement: Placement, call: (...args: unknown[]) => unknown, args: unknown[], recorder: Recorder) {
  if (placement.kind !== 'S') return call(...args)
  const stop = new AbortController()
  const [query, { headers, onBehalfOf }] = args as [object, { headers: Record<string, string>; onBehalfOf?: string }]
  const events = call({ ...query, onBehalfOf, ...(headers['last-event-id'] && { after: headers['last-event-id'] }), signal: stop.signal })
  const first = (events as AsyncGenerator).next()
  first.catch(() => {})
  const opened = (async () => {
    while (!recorder.response) await new Promise((resolve) => setTimeout(resolve, 5))
    if (recorder.response.status >= 500 || recorder.response.status === 429) return
    await recorder.text
    if (!recorder.response.ok) await first
  })()
  await opened.finally(() => stop.abort())
}

const counts = { through: 0, direct: 0, ids: new Set<string>() }
const log = process.env.TEST_CLIENT_LOG
if (log) process.on('exit', () => appendFileSync(log, `${JSON.stringify({ ...counts, ids: [...counts.ids] })}\n`))

/** Sends a request through the client. Returns undefined if the client cannot make such a request. */
export async function throughClient(baseUrl: string, method: string, path: string, sent: Sent): Promise<Answer | undefined> {
  const answer = await send(baseUrl, method, path, sent)
  if (answer) counts.through++
  else counts.direct++
  return answer
}

async function send(baseUrl: string, method: string, path: string, sent: Sent): Promise<Answer | undefined> {
  const [pathname = '', search = ''] = path.split(/\?(.*)/s)
  const found = find(method, pathname)
  const query = queryOf(search)
  const credential = credentialOf(sent)
  if (!found || !query || !credential) return undefined
  const { placement, ids } = found
  const { kind, plan, handles } = placement
  const { body } = sent
  const takesQuery = /[LQS]/.test(kind)
  const takesBody = /[BCUA]/.test(kind)
  const isRaw =
    typeof body === 'string' ||
    Buffer.isBuffer(body) ||
    /^content-(type|length|encoding)$/m.test(Object.keys(credential.headers).join('\n'))
  if (isRaw || (body !== undefined && !takesBody) || (search && !takesQuery)) return undefined
  const recorder = new Recorder()
  const gh = new Guildhall({ ...credential.credential, baseUrl, retries: 0, fetch: recorder.fetch as typeof fetch })
  const args = [
    ...ids.slice(handles.length),
    ...(takesBody ? [body] : []),
    ...(takesQuery ? [query] : []),
    optionsOf(credential.headers, placement),
  ]
  try {
    const value = await run(placement, functionOf(gh, placement, ids), args, recorder)
    const { status, headers } = recorder.response as Response
    const text = await recorder.text
    counts.ids.add(plan.id)
    if (kind !== 'S') assert.deepEqual(value, text === '' ? undefined : JSON.parse(text))
    if (value) assert.equal(metaOf(value)?.status, status)
    return { status, body: value as Body, text, headers: Object.fromEntries(headers) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { headers } = recorder.response as Response
    const text = await recorder.text
    assert.deepEqual(error.problem, text === '' ? {} : JSON.parse(text))
    return { status: error.status, body: (text === '' ? undefined : error.problem) as Body, text, headers: Object.fromEntries(headers) }
  }
}

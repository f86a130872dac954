import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutgoingRequest } from '../bench/load.ts'
import { foreignIds, type Known } from './known.ts'

/** A request that creates something, with its Idempotency-Key. */
export interface Write extends OutgoingRequest {
  kind: string
  key: string
  company_id: string
  /** The acting user, if the path is below a user. */
  actor_id: string | null
  body: Record<string, unknown>
  idempotencyKey: string
  /** True if the request is sent twice at once: then a replayed answer does not mean that an earlier try was cut off. */
  isDuplicate?: boolean
}

/** A write that the service has confirmed. */
export interface ConfirmedWrite extends Write {
  status: number
  text: string
}

/** The result of one try: a status, or no answer. */
export interface Try {
  port: number
  status: number
  text: string
  headers: IncomingHttpHeaders
  replayed: boolean
  /** The reason if there was no answer. */
  lost: string
  ms: number
}

/** If a try takes longer, the service hangs. */
const MAX_TRY_MS = 30_000
const agent = new Agent({ keepAlive: true })

export function attempt(port: number, { method, path, key, body, headers }: OutgoingRequest): Promise<Try> {
  const start = performance.now()
  const text = body === undefined ? '' : JSON.stringify(body)
  const sent = { ...(key && { 'x-api-key': key }), ...(text && { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve) => {
    const end = (outcome: Partial<Try>) => {
      clearTimeout(timer)
      const ms = performance.now() - start
      resolve({ port, status: 0, text: '', headers: {}, replayed: false, lost: '', ms, ...outcome })
    }
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent, headers: sent }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk) => chunks.push(chunk))
      reply.on('error', (error) => end({ lost: String(error) }))
      reply.on('end', () => {
        // An incomplete reply counts as none.
        if (!reply.complete) return end({ lost: 'incomplete reply' })
        const replayed = reply.headers['idempotent-replayed'] === 'true'
        end({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: reply.headers, replayed })
      })
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), MAX_TRY_MS)
    outgoing.on('error', (error: NodeJS.ErrnoException) => end({ lost: error.code ?? error.message }))
    outgoing.end(text)
  })
}

const isUndecided = ({ status, text }: Try) =>
  status === 0 || status === 503 || status === 500 || (status === 409 && text.includes('idempotency_in_progress'))

/** Sends requests to either process until they get a final answer, always with the same Idempotency-Key, and records the confirmed ones. */
export class Client {
  readonly confirmed: ConfirmedWrite[] = []
  /** The number of requests with a final answer. */
  decided = 0
  /** Requests without a final answer. */
  readonly unanswered: Write[] = []
  /** Tries that were cut off or rejected (5xx), and requests that turned out to be done by a try that was cut off. */
  readonly tries = { cut: 0, refused: 0, done: 0 }
  /** Set to stop retrying, because the scenario has failed. */
  closed = false
  readonly failures: string[] = []
  readonly leaks: string[] = []
  /** Called for every try. */
  onTry: (tried: Try, write: Write) => void = () => {}
  /** Every request must get a final answer within this time, whatever fault occurs. */
  maxDecisionMs = 60_000
  /** The maximum pause before a request is sent again. */
  maxPauseMs = 100
  /** True if the scenario may cause status 500. */
  mayFail = false
  readonly #ports: () => number[]
  readonly #known: Known

  constructor(ports: () => number[], known: Known) {
    this.#ports = ports
    this.#known = known
  }

  #inspect(write: Pick<Write, 'company_id' | 'method' | 'path'>, { text, lost }: Try): void {
    const foreign = foreignIds(this.#known, write.company_id, text)
    if (foreign.length > 0) this.leaks.push(`${write.method} ${write.path} returned ${foreign[0]} of another company`)
    if (lost === 'no answer in time') this.failures.push(`${write.method} ${write.path} had no answer in ${MAX_TRY_MS / 1000} s`)
  }

  async tryOnce(write: Write, port: number): Promise<Try> {
    const tried = await attempt(port, { ...write, headers: { 'idempotency-key': write.idempotencyKey } })
    this.onTry(tried, write)
    this.#inspect(write, tried)
    if (tried.status >= 500) this.tries.refused++
    if (tried.status === 0 && tried.lost !== 'ECONNREFUSED') this.tries.cut++
    return tried
  }

  /** Sends a request until it gets a final answer. */
  async send(write: Write): Promise<ConfirmedWrite | undefined> {
    let turn = Math.floor(Math.random() * 2)
    const start = Date.now()
    for (let before = 0; Date.now() < start + this.maxDecisionMs && !this.closed; turn++, before++) {
      const ports = this.#ports()
      const tried = await this.tryOnce(write, ports[turn % ports.length] as number)
      if (tried.status === 500 && !this.mayFail) this.failures.push(`500: ${tried.text}`)
      if (isUndecided(tried)) {
        await sleep(10 + Math.random() * (this.maxPauseMs - 10))
        continue
      }
      if (before > 0 && tried.replayed && !write.isDuplicate) this.tries.done++
      return this.#decide(write, tried)
    }
    this.unanswered.push(write)
    return undefined
  }

  #decide(write: Write, { status, text }: Try): ConfirmedWrite | undefined {
    this.decided++
    if (status !== 201) {
      this.failures.push(`${write.method} ${write.path} answered ${status}: ${text.slice(0, 300)}`)
      return undefined
    }
    const confirmed = { ...write, status, text }
    this.confirmed.push(confirmed)
    for (const { id } of rowsIn(text)) this.#known.set(id, write.company_id)
    return confirmed
  }

  /** Repeats a confirmed request, which must get the same answer, byte for byte. */
  async again({ status, text, ...write }: ConfirmedWrite): Promise<void> {
    for (const end = Date.now() + this.maxDecisionMs; Date.now() < end; await sleep(50)) {
      const ports = this.#ports()
      const tried = await this.tryOnce(write, ports[Math.floor(Math.random() * ports.length)] as number)
      if (isUndecided(tried)) continue
      if (tried.status !== status || tried.text !== text || !tried.replayed)
        this.failures.push(
          `${write.path} repeated with its key answers ${tried.status} ${tried.text.slice(0, 200)}, not ${text.slice(0, 200)}`,
        )
      return
    }
  }
}

/** Summarizes the tries of a client, for the table. */
export const summaryOf = ({ tries: { cut, refused, done } }: Client) => `${cut} cut off, ${refused} refused, ${done} done nevertheless`

/** Returns the created rows in a reply, one or several. */
export function rowsIn(text: string): ({ id: string } & Record<string, unknown>)[] {
  const reply = JSON.parse(text)
  return reply.items ?? [reply]
}

export const newKey = () => randomUUID()

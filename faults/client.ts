import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from '../bench/load.ts'
import { foreignIds, type Known } from './known.ts'

/** A request that changes something, by whom, and what kind of thing it makes. */
export interface Wish extends Ask {
  kind: string
  key: string
  company_id: string
  /** Who acts, if it is done below the path of a user. */
  actor_id: string | null
  body: Record<string, unknown>
  once: string
  /** Sent twice at once: who comes second finds it done, and that means nothing. */
  twin?: boolean
}

/** What the client was told, and relies on. */
export interface Told extends Wish {
  status: number
  text: string
}

/** How one try ended: with a status, or without an answer. */
export interface Try {
  port: number
  status: number
  text: string
  headers: IncomingHttpHeaders
  replayed: boolean
  /** Why there was no answer. */
  lost: string
  ms: number
}

/** Within this time every request has an answer that decides it, whatever happens meanwhile. */
const PATIENCE = 60_000
/** A try that takes longer is a service that hangs. */
const LONGEST_TRY = 30_000
const agent = new Agent({ keepAlive: true })

export function attempt(port: number, { method, path, key, body, headers }: Ask): Promise<Try> {
  const begun = performance.now()
  const text = body === undefined ? '' : JSON.stringify(body)
  const sent = { ...(key && { 'x-api-key': key }), ...(text && { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve) => {
    const end = (outcome: Partial<Try>) => {
      clearTimeout(timer)
      const ms = performance.now() - begun
      resolve({ port, status: 0, text: '', headers: {}, replayed: false, lost: '', ms, ...outcome })
    }
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers: sent }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk) => chunks.push(chunk))
      reply.on('error', (error) => end({ lost: String(error) }))
      reply.on('end', () => {
        // A reply that breaks off is none.
        if (!reply.complete) return end({ lost: 'half a reply' })
        const replayed = reply.headers['idempotent-replayed'] === 'true'
        end({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: reply.headers, replayed })
      })
    })
    const timer = setTimeout(() => asked.destroy(new Error('no answer in time')), LONGEST_TRY)
    asked.on('error', (error: NodeJS.ErrnoException) => end({ lost: error.code ?? error.message }))
    asked.end(text)
  })
}

const undecided = ({ status, text }: Try) =>
  status === 0 || status === 503 || status === 500 || (status === 409 && text.includes('idempotency_in_progress'))

/** Asks either process until it has an answer that decides, always with the same Idempotency-Key, and writes down what it is told. */
export class Client {
  readonly told: Told[] = []
  /** Requests that were decided, and those that never were. */
  decided = 0
  readonly unanswered: Wish[] = []
  /** Tries that were cut off or turned away, and how often the next one learnt that it had been done all the same. */
  readonly tries = { cut: 0, refused: 0, done: 0 }
  /** Told to give up, because the scenario has failed. */
  closed = false
  readonly amiss: string[] = []
  readonly leaks: string[] = []
  /** Sees every try, for those who want to know how each went. */
  onTry: (tried: Try) => void = () => {}
  /** Where a 500 is all that can be said. */
  mayFail = false
  readonly #ports: () => number[]
  readonly #known: Known

  constructor(ports: () => number[], known: Known) {
    this.#ports = ports
    this.#known = known
  }

  #look(wish: Pick<Wish, 'company_id' | 'method' | 'path'>, { text, lost }: Try): void {
    const foreign = foreignIds(this.#known, wish.company_id, text)
    if (foreign.length > 0) this.leaks.push(`${wish.method} ${wish.path} tells ${foreign[0]} of another company`)
    if (lost === 'no answer in time') this.amiss.push(`${wish.method} ${wish.path} had no answer in ${LONGEST_TRY / 1000} s`)
  }

  async once(wish: Wish, port: number): Promise<Try> {
    const tried = await attempt(port, { ...wish, headers: { 'idempotency-key': wish.once } })
    this.onTry(tried)
    this.#look(wish, tried)
    if (tried.status >= 500) this.tries.refused++
    if (tried.status === 0 && tried.lost !== 'ECONNREFUSED') this.tries.cut++
    return tried
  }

  /** Sends a wish until it is decided. */
  async send(wish: Wish): Promise<Told | undefined> {
    let turn = Math.floor(Math.random() * 2)
    const begun = Date.now()
    for (let before = 0; Date.now() < begun + PATIENCE && !this.closed; turn++, before++) {
      const ports = this.#ports()
      const tried = await this.once(wish, ports[turn % ports.length] as number)
      if (tried.status === 500 && !this.mayFail) this.amiss.push(`500: ${tried.text}`)
      if (undecided(tried)) {
        await sleep(10 + Math.random() * 90)
        continue
      }
      if (before > 0 && tried.replayed && !wish.twin) this.tries.done++
      return this.#decide(wish, tried)
    }
    this.unanswered.push(wish)
    return undefined
  }

  #decide(wish: Wish, { status, text }: Try): Told | undefined {
    this.decided++
    if (status !== 201) {
      this.amiss.push(`${wish.method} ${wish.path} answered ${status}: ${text.slice(0, 300)}`)
      return undefined
    }
    const told = { ...wish, status, text }
    this.told.push(told)
    for (const { id } of thingsIn(text)) this.#known.set(id, wish.company_id)
    return told
  }

  /** The same again must be told the same, byte for byte. */
  async again({ status, text, ...wish }: Told): Promise<void> {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(50)) {
      const ports = this.#ports()
      const tried = await this.once(wish, ports[Math.floor(Math.random() * ports.length)] as number)
      if (undecided(tried)) continue
      if (tried.status !== status || tried.text !== text || !tried.replayed)
        this.amiss.push(`${wish.path} repeated with its key answers ${tried.status} ${tried.text.slice(0, 200)}, not ${text.slice(0, 200)}`)
      return
    }
  }
}

/** How the client fared, for the table. */
export const faredOf = ({ tries: { cut, refused, done } }: Client) => `${cut} cut off, ${refused} refused, ${done} found done`

/** What a reply says was made: one thing, or several. */
export function thingsIn(text: string): ({ id: string } & Record<string, unknown>)[] {
  const reply = JSON.parse(text)
  return reply.items ?? [reply]
}

export const newKey = () => randomUUID()

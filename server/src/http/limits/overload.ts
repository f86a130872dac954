import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { FairQueue, QueueFull } from '../../core/shares/fair-queue.ts'
import type { Holder } from '../../core/shares/holder.ts'
import type { Plan } from '../plan.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from '../request/headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True while the request has its turn; it never waits for a second one. */
    hasTurn: boolean
    /** The size of the body; undefined without one. */
    bodyBytes: number | undefined
  }
}

/** The maximum share of the turns that one developer may have. */
const MAX_TENANT_SHARE = 0.75
const WAITS = { waitMs: 10_000, overloadWaitMs: 20 }
/**
 * Limits for requests that take long, so that short ones get through: searches, and requests that keep the CPU busy. One event can end the wait of many
 * requests at once: they go on a few at a time, and take no room in the queue.
 */
const LANES = {
  long: { running: 2, runningPerTenant: 1 },
  heavy: { running: 3, runningPerTenant: 2 },
  woken: { running: 4, runningPerTenant: 3 },
}
type Lane = keyof typeof LANES

/** A body this large takes long to validate, to fold for search, and to index. */
const HEAVY_BODY_BYTES = 8192

/** The lane of a request that takes long. */
export function laneOf(plan: Plan, request: FastifyRequest): Lane | undefined {
  if (plan.readsLong(request.query as object)) return 'long'
  return (request.bodyBytes ?? 0) > HEAVY_BODY_BYTES || plan.isHeavy(request) ? 'heavy' : undefined
}

/** The number of requests that run, that wait, and that were rejected so far. */
export interface Load {
  inFlight: number
  waiting: number
  refused: number
}

/** The average delay of a 503: clients that retry at once would keep the server busy with rejecting. */
const REFUSAL_DELAY_MS = 1000
/** The maximum number of delayed 503 responses, because each takes memory. Any more are sent at once. */
const MAX_HELD_REFUSALS = 2000

const overloaded = new Problem(503, 'overloaded', 'The server is overloaded. Retry after the time in Retry-After.', { retry_after: 1 })

/** Decides when a request runs: at once, after others, or not at all (503). Health checks need no turn, and are answered under any load. */
export class Turns {
  readonly #all: FairQueue
  readonly #lanes: Record<Lane, FairQueue>
  #heldRefusals = 0

  /** `woken` is the maximum number of requests that go on after a wait. */
  constructor(running: number, waiting: number, woken: number) {
    const runningPerTenant = Math.ceil(running * MAX_TENANT_SHARE)
    this.#all = new FairQueue({ running, runningPerTenant, waiting, ...WAITS })
    const lane = (name: Lane, waiting: number) => new FairQueue({ waiting, ...LANES[name], ...WAITS })
    this.#lanes = { long: lane('long', waiting), heavy: lane('heavy', waiting), woken: lane('woken', woken) }
  }

  /** True if the requests of some callers would be rejected at once. */
  get isFull(): boolean {
    return this.#all.isFull
  }

  get load(): Load {
    const queues = [this.#all, ...Object.values(this.#lanes)]
    const sum = (field: 'waiting' | 'refused') => queues.reduce((total, queue) => total + queue[field], 0)
    return { inFlight: this.#all.running, waiting: sum('waiting'), refused: sum('refused') }
  }

  /** Returns true, and counts a rejection, if a request of this caller would be rejected. */
  refuses(caller: string): boolean {
    if (!this.#all.isFullFor(caller)) return false
    this.#all.noteOverflow()
    this.#all.refused++
    return true
  }

  /** Sends a rejection late. The delays vary, so that the rejected clients do not return all at once. */
  delayRefusal(refuse: () => void): void {
    if (this.#heldRefusals >= MAX_HELD_REFUSALS) return void refuse()
    this.#heldRefusals++
    setTimeout(
      () => {
        this.#heldRefusals--
        refuse()
      },
      REFUSAL_DELAY_MS * (0.75 + Math.random() / 2),
    )
  }

  /** Runs a part of a request in its holder's turn. If the request has a turn already, the part runs at once. */
  async run<T>(request: FastifyRequest, holder: Holder, part: () => Promise<T>, lane?: Lane): Promise<T> {
    if (request.hasTurn) return part()
    const turn = () =>
      this.#all.run(holder, async () => {
        request.hasTurn = true
        try {
          return await part()
        } finally {
          request.hasTurn = false
        }
      })
    try {
      return await (lane ? this.#lanes[lane].run(holder, turn) : turn())
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      await new Promise<void>((resolve) => this.delayRefusal(resolve))
      throw overloaded
    }
  }
}

/** True for any 503: it is answered without asking the database about the caller. */
export const isOverload = (error: unknown) => error instanceof Problem && error.status === 503

const HEALTH = /^(https?:\/\/[^/]*)?\/health\//i
const EARLY_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'retry-after': '1' }

/** Returns the caller of a request and its rate limit headers, if they are known without waiting for anything. */
export type Recognize = (request: IncomingMessage) => { caller: string; headers: Record<string, string> } | undefined

/**
 * Rejects requests that could not even wait, before anything else is done with them. A rejection at the end of the pipeline takes a tenth of a
 * millisecond; in an overload there are thousands per second, which would take the time of the requests that can be served.
 */
export function refuseEarly(server: Server, turns: Turns, recognize: Recognize): void {
  const [handle] = server.listeners('request') as [RequestListener]
  server.removeListener('request', handle)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const known = turns.isFull && !HEALTH.test(request.url ?? '') ? recognize(request) : undefined
    if (!known || !turns.refuses(known.caller)) return void handle(request, response)
    turns.delayRefusal(() => {
      const id = newRequestId()
      const body = JSON.stringify(overloaded.body(pathOf(request.url ?? '/'), id))
      response
        .writeHead(503, { ...EARLY_HEADERS, ...known.headers, 'x-request-id': id, 'content-length': Buffer.byteLength(body) })
        .end(body)
    })
  })
}

/** Rejects a request whose client has closed the connection, before any work is done for it. */
export function refuseAbandoned({ raw }: FastifyRequest): void {
  if (raw.socket?.destroyed) throw new Problem(499, 'client_gone', 'The client closed the connection before its request was begun.')
}

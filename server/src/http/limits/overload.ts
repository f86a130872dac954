import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from '../request/headers.ts'
import { FairQueue, QueueFull } from './fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request runs: it never waits for a second turn while it has one. */
    hasTurn: boolean
  }
}

/** One caller leaves a quarter of the turns to others. */
const CALLERS_SHARE = 0.75
const WAITS = { waitMs: 10_000, overloadWaitMs: 20 }
/** Requests that take long run a few at a time, so that short ones get through: reads that search, and work that keeps the processor busy. */
const LANES = { long: { running: 2, runningPerCaller: 1 }, heavy: { running: 3, runningPerCaller: 2 } }
export type Lane = keyof typeof LANES

/** How many requests run, wait, and were refused so far. */
export interface Load {
  inFlight: number
  waiting: number
  refused: number
}

/** About how late a refusal is sent: clients that retry at once would keep the server busy with refusing. */
const REFUSAL_DELAY_MS = 1000
/** So many refusals are held back; more are sent at once, because each takes memory. */
const MAX_HELD_REFUSALS = 2000

const overloaded = new Problem(503, 'overloaded', 'The server is overloaded. Retry after the time in Retry-After.', { retry_after: 1 })

/** Decides when a request runs: at once, after others, or not at all (503). Health needs no turn, and is answered under any load. */
export class Turns {
  readonly #all: FairQueue
  readonly #lanes: Record<Lane, FairQueue>
  #heldRefusals = 0

  constructor(running: number, waiting: number) {
    const runningPerCaller = Math.ceil(running * CALLERS_SHARE)
    this.#all = new FairQueue({ running, runningPerCaller, waiting, ...WAITS })
    const lane = (name: Lane) => new FairQueue({ ...LANES[name], waiting, ...WAITS })
    this.#lanes = { long: lane('long'), heavy: lane('heavy') }
  }

  /** Whether some callers' requests would be refused at once. */
  get isFull(): boolean {
    return this.#all.isFull
  }

  get load(): Load {
    const queues = [this.#all, this.#lanes.long, this.#lanes.heavy]
    const sum = (of: 'waiting' | 'refused') => queues.reduce((total, queue) => total + queue[of], 0)
    return { inFlight: this.#all.running, waiting: sum('waiting'), refused: sum('refused') }
  }

  /** Whether a request of this caller would only be refused; if so, it counts as refused. */
  refuses(caller: string): boolean {
    if (!this.#all.isFullFor(caller)) return false
    this.#all.noteOverflow()
    this.#all.refused++
    return true
  }

  /** Lets a refusal wait, not all for the same time, so that the refused do not come back all together. */
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

  /** Runs a part of a request in its caller's turn; a part of what already runs is run at once. */
  async run<T>(request: FastifyRequest, caller: string, part: () => Promise<T>, lane?: Lane): Promise<T> {
    if (request.hasTurn) return part()
    const turn = () =>
      this.#all.run(caller, async () => {
        request.hasTurn = true
        try {
          return await part()
        } finally {
          request.hasTurn = false
        }
      })
    try {
      return await (lane ? this.#lanes[lane].run(caller, turn) : turn())
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      await new Promise<void>((resolve) => this.delayRefusal(resolve))
      throw overloaded
    }
  }
}

/** Whether a request was refused before it was begun, whoever sent it. */
export const isOverload = (error: unknown) => error instanceof Problem && error.status === 503

const HEALTH = /^(https?:\/\/[^/]*)?\/health\//i
const EARLY_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'retry-after': '1' }

/** The caller of a request and what it is told of its limits, as far as that is known without waiting for anything. */
export type Recognize = (request: IncomingMessage) => { caller: string; headers: Record<string, string> } | undefined

/**
 * Refuses what could not even wait ahead of everything else. A request takes a tenth of a millisecond on its way to a refusal, of which
 * there are thousands a second in an overload: they would take the time of those that can be served.
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

/** A request whose client has closed the connection is not begun. */
export function refuseAbandoned({ raw }: FastifyRequest): void {
  if (raw.socket?.destroyed) throw new Problem(499, 'client_gone', 'The client closed the connection before its request was begun.')
}

import { detached } from '../core/detached.ts'
import { FairQueue } from '../core/shares/fair-queue.ts'
import type { Holder } from '../core/shares/holder.ts'
import { SharedSlots } from '../core/shares/shared-slots.ts'
import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { watchOf } from '../events/watch.ts'
import type { Sender } from '../outbound/post.ts'
import type { Webhook } from '../resources/webhooks/schema.ts'
import { claim, findDue, LEASE_MS, type Lease } from './leases.ts'
import type { Result } from './turn.ts'
import { Worker } from './worker.ts'

/** How often webhooks with something to do are looked for. Feeds that got longer are looked at sooner, but that is not relied on. */
const POLL_MS = 1000
/** Feeds that get longer within this time are looked at together. */
const SOON_MS = 20
/** The most webhooks that a process has at once, and the most requests. */
const MAX_HELD = 32
const MAX_REQUESTS = 64
/** The most requests of one tenant, as a share of all. */
const MAX_TENANT_SHARE = 0.75

interface Options {
  db: Database
  sender: Sender
  timeoutMs: number
  /** Tests use their own, as they do for the four below. */
  random?: () => number
  leaseMs?: number
  pollMs?: number
  maxHeld?: number
  maxRequests?: number
  failed(error: unknown): void
  sent?(result: Result): void
  disabled?(webhook: Webhook, reason: string): void
}

/** Delivers webhooks until the returned function is called, which waits for the requests that are under way. Any number of processes may do it. */
export function startDeliverer({
  db,
  sender,
  timeoutMs,
  random = Math.random,
  leaseMs = LEASE_MS,
  pollMs = POLL_MS,
  maxHeld = MAX_HELD,
  maxRequests = MAX_REQUESTS,
  failed,
  sent,
  disabled,
}: Options) {
  const running = new Map<string, { company_id: string; worker: Worker; done: Promise<void> }>()
  const slots = new SharedSlots(maxHeld)
  const requests = new FairQueue({
    running: maxRequests,
    runningPerTenant: Math.ceil(maxRequests * MAX_TENANT_SHARE),
    waiting: Number.POSITIVE_INFINITY,
    waitMs: Number.POSITIVE_INFINITY,
    overloadWaitMs: Number.POSITIVE_INFINITY,
  })
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let hinted = new Set<string | undefined>()
  /** The clock of the database minus that of this process: leases of several machines are compared. */
  let skewMs = 0
  const clock = () => new Date(db.now().getTime() + skewMs)

  const options = {
    db,
    sender,
    clock,
    random,
    timeoutMs,
    leaseMs,
    requests,
    isStopping: () => isStopped,
    sent: sent ?? (() => {}),
    disabled: disabled ?? (() => {}),
  }
  const deliver = (held: Lease, holder: Holder) => {
    const { company_id, id } = held
    const worker = new Worker(held, holder, options)
    const release = slots.take(holder, () => worker.giveBack())
    const done = worker
      .run()
      .catch(failed)
      .finally(() => {
        running.delete(id)
        const wasFull = slots.isFull
        release()
        // There may be more. Others wait only while all slots are taken: they are looked for as well, because their turn is first.
        lookSoon(wasFull ? undefined : company_id)
      })
    running.set(id, { company_id, worker, done })
  }
  const look = async (companies?: string[]) => {
    if (isStopped) return
    for (const due of await findDue(db, clock(), maxHeld, companies)) {
      const holder: Holder = [due.tenant_id, due.company_id]
      if (isStopped || running.has(due.id) || slots.refuses(holder)) continue
      const held = await db.transaction((tx) => claim(tx, due, clock(), leaseMs))
      if (held) deliver(held, holder)
    }
  }
  /** One look after the other, so that none claims what another has found. */
  const lookOnce = (companies?: string[]) => {
    looking = looking.then(() => look(companies)).catch(failed)
    return looking
  }
  /** Looks at a company soon, or at all of them. */
  const lookSoon = (company_id: string | undefined) => {
    if (isStopped) return
    hinted.add(company_id)
    soon ??= detached(() =>
      setTimeout(() => {
        soon = undefined
        const companies = [...hinted].filter((id) => id !== undefined)
        const isAll = hinted.has(undefined)
        hinted = new Set()
        void lookOnce(isAll ? undefined : companies)
      }, SOON_MS),
    )
  }
  const poll = async () => {
    await readSkew().then(() => lookOnce(), failed)
    if (!isStopped) timer = detached(() => setTimeout(() => void poll(), pollMs * (0.8 + 0.4 * Math.random())))
  }
  const readSkew = async () => {
    const [row] = await db.query<{ now: string }>(sql`SELECT clock_timestamp() AS now`)
    skewMs = row ? Date.parse(row.now) - Date.now() : 0
  }
  const stopListening = watchOf(db).listen((advances) => {
    for (const { company_id } of advances) lookSoon(company_id)
    const longer = new Set(advances.map(({ company_id }) => company_id))
    for (const { company_id, worker } of running.values()) if (longer.has(company_id)) worker.wake()
  })
  void poll()
  return async () => {
    isStopped = true
    stopListening()
    clearTimeout(timer)
    clearTimeout(soon)
    await looking
    for (const { worker } of running.values()) worker.wake()
    await Promise.all([...running.values()].map(({ done }) => done))
  }
}

import type { Holder } from './holder.ts'

/** The limits of a queue. */
interface QueueLimits {
  running: number
  /** The maximum of one tenant; the rest is reserved for others. */
  runningPerTenant: number
  waiting: number
  /** The maximum wait of a job, normally and during an overload. */
  waitMs: number
  overloadWaitMs: number
}

/** The queue is full, or the job waited too long. The job was not started. */
export class QueueFull extends Error {}

interface Waiting {
  since: number
  begin(): void
  refuse(): void
}

/** The waiting jobs of a tenant. */
interface Line {
  count: number
  /** The waiting jobs of each part. A Map iterates in insertion order: the first part is next. */
  parts: Map<string, Waiting[]>
}

const SWEEP_EVERY_MS = 50
/** A queue that overflows for longer than this is overloaded; a shorter overflow is a burst. */
const OVERLOADED_AFTER_MS = 100
const OVERLOAD_ENDS_AFTER_MS = 1000
/** The number of jobs that may wait during an overload, for each job that may run. */
const OVERLOAD_WAITING_SHARE = 1 / 4

/**
 * Runs a fixed number of jobs while the others wait. Tenants take turns (round robin), and so do the parts of a tenant, so that a holder with many jobs waits longer and
 * others do not. When no more may wait, the newest job of the longest line is rejected (longest queue drop). A queue that stays full makes every job late:
 * during an overload only a few jobs wait, and only for a short time (controlled delay).
 */
export class FairQueue {
  running = 0
  waiting = 0
  /** The number of jobs rejected so far. */
  refused = 0
  readonly #limits: QueueLimits
  readonly #runningOf = new Map<string, number>()
  /** The first tenant is next. */
  readonly #lines = new Map<string, Line>()
  #sweeping: NodeJS.Timeout | undefined
  /** The first and the last overflow of a period without a pause. */
  #overflow = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<T>(holder: Holder, job: () => Promise<T>): Promise<T> {
    const [tenant] = holder
    if (this.#hasRoomFor(tenant)) this.#begin(tenant)
    else await this.#wait(holder)
    try {
      return await job()
    } finally {
      this.#end(tenant)
    }
  }

  /** True if a new job can wait only in place of a job of a caller with a longer line. */
  get isFull(): boolean {
    const { running, waiting } = this.#limits
    return this.waiting >= (this.#isOverloaded() ? Math.min(running * OVERLOAD_WAITING_SHARE, waiting) : waiting)
  }

  /** True if a job of this tenant, whatever the part, would be rejected at once. */
  isFullFor(tenant: string): boolean {
    return this.isFull && !this.#hasRoomFor(tenant) && this.#longest(tenant) === tenant
  }

  #hasRoomFor(tenant: string): boolean {
    return this.running < this.#limits.running && (this.#runningOf.get(tenant) ?? 0) < this.#limits.runningPerTenant
  }

  #begin(tenant: string): void {
    this.running++
    this.#runningOf.set(tenant, (this.#runningOf.get(tenant) ?? 0) + 1)
  }

  #end(tenant: string): void {
    this.running--
    const left = (this.#runningOf.get(tenant) as number) - 1
    if (left > 0) this.#runningOf.set(tenant, left)
    else this.#runningOf.delete(tenant)
    this.#beginNext()
  }

  #wait(holder: Holder): Promise<void> {
    if (this.isFull) this.#dropFor(holder)
    const [tenant, part] = holder
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        since: performance.now(),
        begin: () => {
          this.#begin(tenant)
          resolve()
        },
        refuse: () => {
          this.refused++
          reject(new QueueFull())
        },
      }
      const line = this.#lines.get(tenant) ?? { count: 0, parts: new Map() }
      this.#lines.set(tenant, line)
      const jobs = line.parts.get(part)
      if (jobs) jobs.push(waiting)
      else line.parts.set(part, [waiting])
      line.count++
      this.waiting++
      this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref()
    })
  }

  /** Rejects the newest job of the longest line to make room, or throws if no line is longer than the newcomer's would be. */
  #dropFor([tenant, part]: Holder): void {
    this.noteOverflow()
    const longest = this.#longest(tenant)
    const parts = this.#lines.get(longest)?.parts ?? new Map<string, Waiting[]>()
    const isOwn = longest === tenant
    const [largest] = longestOf(parts, (jobs) => jobs.length, isOwn ? part : undefined)
    if (isOwn && largest === part) {
      this.refused++
      throw new QueueFull()
    }
    this.#take(longest, largest, 'newest').refuse()
  }

  /** The tenant with the longest line, counting the newcomer's job. */
  #longest(newcomer: string): string {
    return longestOf(this.#lines, ({ count }) => count, newcomer)[0]
  }

  /** Records an overflow, also for jobs that are rejected before they are submitted. */
  noteOverflow(): void {
    const now = performance.now()
    if (now - this.#overflow.last > OVERLOAD_ENDS_AFTER_MS) this.#overflow.first = now
    this.#overflow.last = now
  }

  #take(tenant: string, part: string, which: 'oldest' | 'newest'): Waiting {
    const line = this.#lines.get(tenant) as Line
    const jobs = line.parts.get(part) as Waiting[]
    const taken = (which === 'oldest' ? jobs.shift() : jobs.pop()) as Waiting
    if (jobs.length === 0) line.parts.delete(part)
    if (--line.count === 0) this.#lines.delete(tenant)
    if (--this.waiting === 0) {
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
    }
    return taken
  }

  /** The instant before which a job must not have begun to wait. */
  #oldestAllowed(): number {
    const { waitMs, overloadWaitMs } = this.#limits
    return performance.now() - (this.#isOverloaded() ? overloadWaitMs : waitMs)
  }

  #isOverloaded(): boolean {
    const { first, last } = this.#overflow
    return last - first > OVERLOADED_AFTER_MS && performance.now() - last < OVERLOAD_ENDS_AFTER_MS
  }

  #beginNext(): void {
    for (const [tenant, line] of this.#lines) {
      if (!this.#hasRoomFor(tenant)) continue
      this.#refuseLate(tenant, line)
      const [part] = line.parts.keys()
      if (part === undefined) continue
      const next = this.#take(tenant, part, 'oldest')
      // Move the tenant, and its part, to the end of the round.
      toEnd(line.parts, part)
      toEnd(this.#lines, tenant)
      next.begin()
      return
    }
  }

  #refuseLate(tenant: string, { parts }: Line): void {
    const oldest = this.#oldestAllowed()
    for (const [part, jobs] of [...parts]) while (jobs[0] && jobs[0].since < oldest) this.#take(tenant, part, 'oldest').refuse()
  }

  #sweep(): void {
    for (const [tenant, line] of [...this.#lines]) this.#refuseLate(tenant, line)
  }
}

/** The key of the highest number, and the number; that of the newcomer is one higher, and counts among equals. */
function longestOf<T>(lines: Map<string, T>, lengthOf: (line: T) => number, newcomer: string | undefined): [string, number] {
  const own = newcomer === undefined ? undefined : lines.get(newcomer)
  let longest: [string, number] = [newcomer ?? '', newcomer === undefined ? 0 : (own ? lengthOf(own) : 0) + 1]
  for (const [key, line] of lines) if (lengthOf(line) > longest[1]) longest = [key, lengthOf(line)]
  return longest
}

function toEnd<T>(map: Map<string, T>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}

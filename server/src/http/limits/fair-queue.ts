/** The limits of a queue. */
interface QueueLimits {
  running: number
  /** The maximum of one caller; the rest is reserved for others. */
  runningPerCaller: number
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

const SWEEP_EVERY_MS = 50
/** A queue that overflows for longer than this is overloaded; a shorter overflow is a burst. */
const OVERLOADED_AFTER_MS = 100
const OVERLOAD_ENDS_AFTER_MS = 1000
/** The number of jobs that may wait during an overload, for each job that may run. */
const OVERLOAD_WAITING_SHARE = 1 / 4

/**
 * Runs a fixed number of jobs while the others wait. Callers take turns (round robin), so that a caller with many jobs waits longer and others do
 * not. When no more may wait, the newest job of the longest line is rejected (longest queue drop). A queue that stays full makes every job late:
 * during an overload only a few jobs wait, and only for a short time (controlled delay).
 */
export class FairQueue {
  running = 0
  waiting = 0
  /** The number of jobs rejected so far. */
  refused = 0
  readonly #limits: QueueLimits
  readonly #runningOf = new Map<string, number>()
  /** The waiting jobs of each caller. A Map iterates in insertion order: the first caller is next. */
  readonly #lines = new Map<string, Waiting[]>()
  #sweeping: NodeJS.Timeout | undefined
  /** The first and the last overflow of a period without a pause. */
  #overflow = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<T>(caller: string, job: () => Promise<T>): Promise<T> {
    if (this.#hasRoomFor(caller)) this.#begin(caller)
    else await this.#wait(caller)
    try {
      return await job()
    } finally {
      this.#end(caller)
    }
  }

  /** True if a new job can wait only in place of a job of a caller with a longer line. */
  get isFull(): boolean {
    const { running, waiting } = this.#limits
    return this.waiting >= (this.#isOverloaded() ? Math.min(running * OVERLOAD_WAITING_SHARE, waiting) : waiting)
  }

  /** True if a job of this caller would be rejected at once. */
  isFullFor(caller: string): boolean {
    return this.isFull && !this.#hasRoomFor(caller) && this.#longest(caller) === caller
  }

  #hasRoomFor(caller: string): boolean {
    return this.running < this.#limits.running && (this.#runningOf.get(caller) ?? 0) < this.#limits.runningPerCaller
  }

  #begin(caller: string): void {
    this.running++
    this.#runningOf.set(caller, (this.#runningOf.get(caller) ?? 0) + 1)
  }

  #end(caller: string): void {
    this.running--
    const left = (this.#runningOf.get(caller) as number) - 1
    if (left > 0) this.#runningOf.set(caller, left)
    else this.#runningOf.delete(caller)
    this.#beginNext()
  }

  #wait(caller: string): Promise<void> {
    if (this.isFull) this.#dropFromLongest(caller)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        since: performance.now(),
        begin: () => {
          this.#begin(caller)
          resolve()
        },
        refuse: () => {
          this.refused++
          reject(new QueueFull())
        },
      }
      const line = this.#lines.get(caller)
      if (line) line.push(waiting)
      else this.#lines.set(caller, [waiting])
      this.waiting++
      this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref()
    })
  }

  /** Rejects a job of the longest line to make room, or throws if no line is longer than the newcomer's would be. */
  #dropFromLongest(newcomer: string): void {
    this.noteOverflow()
    const longest = this.#longest(newcomer)
    if (longest === newcomer) {
      this.refused++
      throw new QueueFull()
    }
    this.#take(longest, 'newest').refuse()
  }

  /** The caller with the longest line, counting the newcomer's job. */
  #longest(newcomer: string): string {
    let [longest, length] = [newcomer, (this.#lines.get(newcomer)?.length ?? 0) + 1]
    for (const [caller, line] of this.#lines) if (line.length > length) [longest, length] = [caller, line.length]
    return longest
  }

  /** Records an overflow, also for jobs that are rejected before they are submitted. */
  noteOverflow(): void {
    const now = performance.now()
    if (now - this.#overflow.last > OVERLOAD_ENDS_AFTER_MS) this.#overflow.first = now
    this.#overflow.last = now
  }

  #take(caller: string, which: 'oldest' | 'newest'): Waiting {
    const line = this.#lines.get(caller) as Waiting[]
    const taken = (which === 'oldest' ? line.shift() : line.pop()) as Waiting
    if (line.length === 0) this.#lines.delete(caller)
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
    const oldest = this.#oldestAllowed()
    for (const [caller, line] of this.#lines) {
      if (!this.#hasRoomFor(caller)) continue
      while (line[0] && line[0].since < oldest) this.#take(caller, 'oldest').refuse()
      if (line.length === 0) continue
      const next = this.#take(caller, 'oldest')
      // Move the caller to the end of the round.
      if (line.length > 0) {
        this.#lines.delete(caller)
        this.#lines.set(caller, line)
      }
      next.begin()
      return
    }
  }

  #sweep(): void {
    const oldest = this.#oldestAllowed()
    for (const [caller, line] of [...this.#lines]) while (line[0] && line[0].since < oldest) this.#take(caller, 'oldest').refuse()
  }
}

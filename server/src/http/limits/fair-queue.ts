/** What a queue lets run and wait at once. */
export interface QueueLimits {
  running: number
  /** So many of one caller's run at most; the rest of the room is for others. */
  runningPerCaller: number
  waiting: number
  /** How long a job waits at most, and how long in an overload. */
  waitMs: number
  overloadWaitMs: number
}

/** The queue is full, or the wait took too long: nothing was begun. */
export class QueueFull extends Error {}

interface Waiting {
  since: number
  begin(): void
  refuse(): void
}

const SWEEP_EVERY_MS = 50
/** A queue that keeps overflowing for so long is no burst that will be worked off. */
const OVERLOADED_AFTER_MS = 100
const OVERLOAD_ENDS_AFTER_MS = 1000
/** So many may wait in an overload, for each that runs. */
const OVERLOAD_WAITING_SHARE = 1 / 3

/**
 * Lets a fixed number of jobs run and the others wait, callers taking turns (round robin), so that a caller who sends much waits
 * longer and others do not. When no more may wait, the newest job of the longest line is refused (longest queue drop). A queue that
 * stays full makes every job late and serves none in time: in an overload few wait, and for a short time (controlled delay).
 */
export class FairQueue {
  running = 0
  waiting = 0
  /** How many jobs were refused so far. */
  refused = 0
  readonly #limits: QueueLimits
  readonly #runningOf = new Map<string, number>()
  /** The line of each caller who waits. A Map keeps the order of insertion: the first caller is next. */
  readonly #lines = new Map<string, Waiting[]>()
  #sweeping: NodeJS.Timeout | undefined
  /** When it first overflowed and last did, without a pause in between. */
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

  /** Whether no more may wait, but of callers with a shorter line than others. */
  get isFull(): boolean {
    const { running, waiting } = this.#limits
    return this.waiting >= (this.#isOverloaded() ? Math.min(running * OVERLOAD_WAITING_SHARE, waiting) : waiting)
  }

  /** Whether a job of this caller would be refused at once. */
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

  /** Makes room for the newcomer, or throws if no line is longer than theirs would be. */
  #dropFromLongest(newcomer: string): void {
    this.noteOverflow()
    const longest = this.#longest(newcomer)
    if (longest === newcomer) {
      this.refused++
      throw new QueueFull()
    }
    this.#take(longest, 'newest').refuse()
  }

  /** The caller with the longest line, were the newcomer's job added to theirs. */
  #longest(newcomer: string): string {
    let [longest, length] = [newcomer, (this.#lines.get(newcomer)?.length ?? 0) + 1]
    for (const [caller, line] of this.#lines) if (line.length > length) [longest, length] = [caller, line.length]
    return longest
  }

  /** Also for jobs that are refused before they are submitted. */
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

  /** Jobs that began to wait before this instant waited too long. */
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
      // To the end of the round.
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

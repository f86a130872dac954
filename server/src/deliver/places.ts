/** A number of places for requests, which are used in the order of arrival. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** `work` is told whether it had to wait for its place. */
  async use<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const hasWaited = this.#free === 0
    if (hasWaited) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free--
    try {
      return await work(hasWaited)
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

/** Lets a few tasks run at once. Others wait in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

import type { FileResult } from './run-files.ts'

const REPORT_EVERY_MS = 15_000

/** Prints how far a run is: each failure at once, and from time to time the files done, with an estimate of the time left. */
export class Progress {
  readonly #started = performance.now()
  readonly #weights: Map<string, number>
  readonly #total: number
  readonly #files: number
  readonly #verbose: boolean
  #done = 0
  #filesDone = 0
  #last = 0

  /** `weights` are the seconds of CPU that each file is expected to take. */
  constructor(weights: Map<string, number>, verbose: boolean) {
    this.#weights = weights
    this.#total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    this.#files = weights.size
    this.#verbose = verbose
  }

  /** Prints what a file printed, if it failed, and its failures. */
  show({ file, failures, output }: FileResult): void {
    if (this.#verbose || failures.length > 0) console.log(`\n${file}\n${output.trimEnd()}`)
    for (const { name, error } of failures) console.log(`✖ ${file}: ${name}\n${error.replaceAll(/^/gm, '    ')}`)
  }

  add(result: FileResult): void {
    this.#filesDone++
    this.#done += this.#weights.get(result.file) ?? 0
    this.show(result)
    const now = performance.now()
    if (now - this.#last < REPORT_EVERY_MS && this.#filesDone < this.#files) return
    this.#last = now
    const seconds = (now - this.#started) / 1000
    const left = this.#done > 0 ? (seconds * (this.#total - this.#done)) / this.#done : 0
    console.log(
      `${Math.round(seconds)} s: ${this.#filesDone} of ${this.#files} files${left > 0 ? `, about ${Math.ceil(left / 10) * 10} s left` : ''}`,
    )
  }
}

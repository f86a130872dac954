/** Why the program cannot go on, in one sentence for the person at the keyboard. No stack is shown for it. */
export class Refusal extends Error {
  readonly exitCode: number
  constructor(sentence: string, exitCode = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** Ends the program with a message for the person at the keyboard, without a stack trace. */
export class Refusal extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

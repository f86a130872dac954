import { DiceFault } from './fault.ts'

/** A syntax error. `position` counts from 0 and may be the end of the text. */
export class NotationFault extends DiceFault {
  override readonly name: string = 'NotationFault'
  readonly position: number
  constructor(position: number, reason: string) {
    super(reason)
    this.position = position
  }
}

const DIGITS = /\d+/y

/** Reads a notation from left to right. Spaces and tabs between its parts have no meaning. */
export class Scanner {
  readonly text: string
  position = 0
  constructor(text: string) {
    this.text = text
  }

  fail(reason: string, where: number = this.position): never {
    throw new NotationFault(Math.min(where, this.text.length), reason)
  }

  skip(): void {
    while (this.text[this.position] === ' ' || this.text[this.position] === '\t') this.position++
  }

  /** Matches a sticky pattern at the next part, without taking it. */
  ahead(pattern: RegExp): string | undefined {
    this.skip()
    pattern.lastIndex = this.position
    return pattern.exec(this.text)?.[0]
  }

  /** Takes a word in any case, if it comes next. */
  take(word: string): boolean {
    this.skip()
    // Most words are not next. Bit 5 distinguishes the cases of a letter.
    if ((this.text.charCodeAt(this.position) | 32) !== (word.charCodeAt(0) | 32)) return false
    const next = this.text.slice(this.position, this.position + word.length)
    // ASCII only: other characters of Unicode become a k in lower case, too.
    if (next.toLowerCase() !== word || /[^ -~]/.test(next)) return false
    this.position += word.length
    return true
  }

  number(max: number, name: string): number | null {
    const digits = this.ahead(DIGITS)
    if (digits === undefined) return null
    const value = Number(digits)
    if (value > max) this.fail(`${name} is at most ${max.toLocaleString('en')}`)
    this.position += digits.length
    return value
  }

  requiredNumber(max: number, name: string): number {
    return this.number(max, name) ?? this.fail(`${name} is missing here`)
  }
}

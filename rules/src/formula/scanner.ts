/** An error in a formula. `position` counts from 0 and may be the end of the text. */
export class FormulaFault extends Error {
  override readonly name: string = 'FormulaFault'
  readonly position: number
  constructor(position: number, reason: string) {
    super(reason)
    this.position = position
  }
}

const TOKEN = /[ \t\r\n]*(?:(\d+)|([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)|(<=|>=|==|!=|[-+*/<>(),?:]))/y
const SPACE = /[ \t\r\n]*/y

interface Token {
  kind: 'number' | 'word' | 'sign' | 'end'
  text: string
  position: number
}

/** Reads a formula from left to right, one token at a time. Spaces between tokens have no meaning. */
export class Scanner {
  readonly #text: string
  #end = 0
  token: Token

  constructor(text: string) {
    this.#text = text
    this.token = this.#read()
  }

  fail(reason: string, position: number = this.token.position): never {
    throw new FormulaFault(position, reason)
  }

  /** Returns the current token, and goes on to the next one. */
  next(): Token {
    const { token } = this
    this.token = this.#read()
    return token
  }

  is(text: string): boolean {
    return this.token.text === text
  }

  take(text: string): boolean {
    if (!this.is(text)) return false
    this.next()
    return true
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail(this.is('') ? `${text} is missing here` : `${text} is missing before ${this.token.text}`)
  }

  word(what: string): Token {
    return this.token.kind === 'word' ? this.next() : this.fail(`${what} is missing here`)
  }

  #read(): Token {
    TOKEN.lastIndex = this.#end
    const found = TOKEN.exec(this.#text)
    if (!found) return this.#readEnd()
    const [, number, word, sign] = found
    this.#end = TOKEN.lastIndex
    const text = (number ?? word ?? sign) as string
    return { kind: number ? 'number' : word ? 'word' : 'sign', text, position: this.#end - text.length }
  }

  #readEnd(): Token {
    SPACE.lastIndex = this.#end
    SPACE.exec(this.#text)
    const position = SPACE.lastIndex
    const character = String.fromCodePoint(this.#text.codePointAt(position) ?? 0)
    if (position < this.#text.length) throw new FormulaFault(position, `${JSON.stringify(character)} ${adviceOn(character)}`)
    return { kind: 'end', text: '', position }
  }
}

/** Advice for characters that other languages use. */
function adviceOn(character: string): string {
  if (character === '=') return 'compares as == in formulas'
  if (character === '&') return 'is written as and in formulas'
  if (character === '|') return 'is written as or in formulas'
  if (character === '!') return 'is written as not in formulas'
  if (character === '.' || character === '%') return 'has no meaning here: formulas have whole numbers only'
  if (/\p{Lu}/u.test(character)) return 'has no meaning here: names are in snake_case'
  return 'has no meaning here'
}

import { text as all } from './text.ts'

const text = all.syntax

/** A place in a text: from a character to another. */
export interface Span {
  start: number
  end: number
}

/** A text that is not JSON, and where. */
export interface SyntaxFault {
  message: string
  index: number
  line: number
  column: number
}

export type ReadSource = { document: Record<string, unknown>; places: Map<string, Span> } | { fault: SyntaxFault }

class Unreadable extends Error {
  readonly index: number
  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

const SPACE = /[ \t\r\n]*/y
/** Of the control characters, only the first 32 need a backslash. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** Deeper documents are no rulesets, and would exhaust the stack. */
const MAX_DEPTH = 100

/** Reads JSON and notes where each value is. Browsers report syntax errors in words of their own, and some without a place. */
class Scanner {
  readonly places = new Map<string, Span>()
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  scan(): void {
    this.#value('', 0)
    this.#space()
    if (this.#at < this.#source.length) throw new Unreadable(text.afterEnd, this.#at)
  }

  #space(): void {
    this.#take(SPACE)
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #isAt(sign: string): boolean {
    this.#space()
    if (this.#source[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #string(wanted: string): string {
    this.#space()
    const start = this.#at
    const found = this.#take(STRING)
    if (found === undefined) throw new Unreadable(this.#source[start] === '"' ? text.string : wanted, start)
    return found
  }

  #value(path: string, depth: number): void {
    this.#space()
    const start = this.#at
    if (depth > MAX_DEPTH) throw new Unreadable(text.depth, start)
    if (this.#isAt('{')) this.#object(path, depth)
    else if (this.#isAt('[')) this.#list(path, depth)
    else if (this.#source[start] === '"') this.#string(text.value)
    else if (!this.#take(WORD)) throw new Unreadable(start < this.#source.length ? text.value : text.end, start)
    this.places.set(path, { start, end: this.#at })
  }

  #object(path: string, depth: number): void {
    if (this.#isAt('}')) return
    const names = new Set<string>()
    do {
      this.#space()
      const start = this.#at
      const name = JSON.parse(this.#string(text.name)) as string
      if (names.has(name)) throw new Unreadable(text.twice(name), start)
      names.add(name)
      if (!this.#isAt(':')) throw new Unreadable(text.colon, this.#at)
      this.#value(path ? `${path}.${name}` : name, depth + 1)
    } while (this.#isAt(','))
    if (!this.#isAt('}')) throw new Unreadable(text.comma('}'), this.#at)
  }

  #list(path: string, depth: number): void {
    if (this.#isAt(']')) return
    let index = 0
    do this.#value(path ? `${path}.${index++}` : `${index++}`, depth + 1)
    while (this.#isAt(','))
    if (!this.#isAt(']')) throw new Unreadable(text.comma(']'), this.#at)
  }
}

/** The line and the column of a place, from 1. */
function faultAt(source: string, index: number, message: string): { fault: SyntaxFault } {
  const before = source.slice(0, index).split('\n')
  return { fault: { message, index, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } }
}

/** Reads the text of a document. */
export function readSource(source: string): ReadSource {
  const scanner = new Scanner(source)
  try {
    scanner.scan()
  } catch (error) {
    if (error instanceof Unreadable) return faultAt(source, error.index, error.message)
    throw error
  }
  const document: unknown = JSON.parse(source)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return faultAt(source, 0, text.object)
  return { document: document as Record<string, unknown>, places: scanner.places }
}

/** The place of a field, or of the nearest part around it: a field that is missing has none of its own. */
export function placeOf(places: Map<string, Span>, field: string): Span | undefined {
  const parts = field.replace(/^document\b\.?/, '').split('.')
  for (; parts.length; parts.pop()) {
    const found = places.get(parts.join('.'))
    if (found) return found
  }
  return undefined
}

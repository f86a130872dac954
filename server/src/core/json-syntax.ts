// Finds the position of a JSON syntax error. JSON.parse reports one only for some errors, and quotes the text in its message.

const isSpace = (symbol: string | undefined) => symbol === ' ' || symbol === '\n' || symbol === '\r' || symbol === '\t'
const isDigit = (symbol: string | undefined) => symbol !== undefined && symbol >= '0' && symbol <= '9'
const isHex = (symbol: string | undefined) => isDigit(symbol) || (symbol !== undefined && /[a-f]/i.test(symbol))

/** Reads tokens from a text. Each method returns true on success; after a failure, `position` is that of the first invalid character. */
class Scanner {
  position = 0
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  peek(): string | undefined {
    return this.text[this.position]
  }

  skip(symbols: string): boolean {
    const symbol = this.peek()
    if (symbol === undefined || !symbols.includes(symbol)) return false
    this.position++
    return true
  }

  spaces(): void {
    while (isSpace(this.peek())) this.position++
  }

  digits(): boolean {
    const from = this.position
    while (isDigit(this.peek())) this.position++
    return this.position > from
  }

  word(word: string): boolean {
    for (const letter of word) if (!this.skip(letter)) return false
    return true
  }

  number(): boolean {
    this.skip('-')
    if (!this.skip('0') && !this.digits()) return false
    if (this.skip('.') && !this.digits()) return false
    if (!this.skip('eE')) return true
    this.skip('+-')
    return this.digits()
  }

  escape(): boolean {
    if (this.skip('"\\/bfnrt')) return true
    if (!this.skip('u')) return false
    for (let digits = 0; digits < 4; digits++) {
      if (!isHex(this.peek())) return false
      this.position++
    }
    return true
  }

  string(): boolean {
    if (!this.skip('"')) return false
    for (let symbol = this.peek(); symbol !== undefined && symbol >= ' '; symbol = this.peek()) {
      this.position++
      if (symbol === '"') return true
      if (symbol === '\\' && !this.escape()) return false
    }
    return false
  }

  key(): boolean {
    if (!this.string()) return false
    this.spaces()
    return this.skip(':')
  }

  scalar(): boolean {
    switch (this.peek()) {
      case '"':
        return this.string()
      case 't':
        return this.word('true')
      case 'f':
        return this.word('false')
      case 'n':
        return this.word('null')
      default:
        return this.number()
    }
  }
}

/** Returns the index of the first invalid character, or the length of a text that ends too early. Undefined for valid JSON. */
export function syntaxErrorAt(text: string): number | undefined {
  const scanner = new Scanner(text)
  /** The closing brackets that are expected, the innermost last. An explicit stack, because a body can be nested deeper than calls can. */
  const closers: string[] = []
  let next: 'value' | 'key' | 'separator' = 'value'
  /** True after an opening bracket, which may be closed at once. */
  let opened = false
  for (;;) {
    scanner.spaces()
    const closer = closers.at(-1)
    const symbol = scanner.peek()
    if (next === 'separator' && closer === undefined) return symbol === undefined ? undefined : scanner.position
    const wasOpened = opened
    opened = false
    if (closer !== undefined && (wasOpened || next === 'separator') && scanner.skip(closer)) {
      closers.pop()
      next = 'separator'
    } else if (next === 'separator') {
      if (!scanner.skip(',')) return scanner.position
      next = closer === '}' ? 'key' : 'value'
    } else if (next === 'key') {
      if (!scanner.key()) return scanner.position
      next = 'value'
    } else if (scanner.skip('{[')) {
      closers.push(symbol === '{' ? '}' : ']')
      opened = true
      next = symbol === '{' ? 'key' : 'value'
    } else {
      if (!scanner.scalar()) return scanner.position
      next = 'separator'
    }
  }
}

/** Returns the line and column of an index, both from 1. Columns count characters, not code units. */
export function lineAndColumn(text: string, index: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let i = 0; i < index; i++) {
    if (text[i] !== '\n' && (text[i] !== '\r' || text[i + 1] === '\n')) continue
    line++
    start = i + 1
  }
  return { line, column: [...text.slice(start, index)].length + 1 }
}

import { isDeepStrictEqual } from 'node:util'

/** Stands in a sample for what is left out: fields, elements, lines, or a part of a text. */
const ELLIPSIS = '…'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
/** A line of text, or a JSON value that may extend over several lines. */
type Item = { line: string } | { json: Json }

/** Parts of an output that differ from run to run. Those with `bound` must differ consistently. */
const MASKS = {
  id: { pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', bound: true },
  hash: { pattern: '[0-9a-f]{64}', bound: true },
  time: { pattern: '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z', bound: false },
  date: { pattern: '\\d{4}-\\d\\d-\\d\\d', bound: false },
  request: { pattern: 'req_[\\w-]{16}', bound: false },
  key: { pattern: 'glh_\\w{36}', bound: true },
  tag: { pattern: '(?<="\\d+-)[\\w-]{16}(?=")', bound: false },
}
const MASKED = new RegExp(
  Object.entries(MASKS)
    .map(([name, { pattern }]) => `(?<${name}>${pattern})`)
    .join('|'),
  'g',
)
const NUMBERS = /-?\d[\d,.]*|\b(BOTCH|FAILURE|SUCCESS|CRITICAL)\b/g

/** The object or array at the beginning of a text, without its `…`, which become fields and elements of that name; undefined if it is none. */
function leadingJson(text: string): { json: Json; length: number } | undefined {
  const open: string[] = []
  let plain = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '"') {
      const string = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(i))?.[0]
      if (!string) return undefined
      plain += string
      i += string.length - 1
    } else if (char === ELLIPSIS) {
      plain += open.at(-1) === '{' && /[{,]\s*$/.test(plain) ? `"${ELLIPSIS}":true` : `"${ELLIPSIS}"`
    } else {
      plain += char
      if (char === '{' || char === '[') open.push(char)
      if (char === '}' || char === ']') open.pop()
      if (open.length > 0) continue
      try {
        return { json: JSON.parse(plain), length: i + 1 }
      } catch {
        return undefined
      }
    }
  }
  return undefined
}

const isObject = (value: Json): value is { [name: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_LINE_CHARACTERS = 120

/** JSON for a document: on one line if it is short, and `…` without quotes. */
export function renderJson(value: Json, indent = ''): string {
  if (value === ELLIPSIS) return ELLIPSIS
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = (inner: string) =>
    Array.isArray(value)
      ? value.map((element) => renderJson(element, inner))
      : Object.entries(value).map(([name, field]) =>
          name === ELLIPSIS ? ELLIPSIS : `${JSON.stringify(name)}: ${renderJson(field, inner)}`,
        )
  const line = `${open}${parts('').join(', ')}${close}`
  if (!line.includes('\n') && indent.length + line.length <= MAX_LINE_CHARACTERS) return line
  const inner = `${indent}  `
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}\n${indent}${close}`
}

export function itemsOf(output: string): Item[] {
  const items: Item[] = []
  for (let rest = output.trim(); rest !== ''; rest = rest.replace(/^\s+/, '')) {
    const found = /^[{[]/.test(rest) ? leadingJson(rest) : undefined
    const line = (rest.split('\n', 1)[0] as string).trimEnd()
    items.push(found ? { json: found.json } : { line })
    rest = rest.slice(found?.length ?? line.length)
  }
  return items
}

/** Compares the output shown in a document with the real one, and remembers which real id stands for which shown one. */
export class Comparison {
  /** Real values of ids, hashes and keys, by the value shown. */
  readonly bound = new Map<string, string>()
  #varies = new Set<string>()

  /** True if the shown output describes the real one. `varies` names the fields of which only the type is compared. */
  matches(shown: string, real: string, varies: string[]): boolean {
    this.#varies = new Set(varies)
    return this.#matchItems(itemsOf(shown), itemsOf(real))
  }

  /** The real output in the form of the shown one: with the same parts left out, and the shown ids where they are known. */
  update(shown: string, real: string, varies: string[]): string {
    this.#varies = new Set(varies)
    const [before, after] = [itemsOf(shown), itemsOf(real)]
    const items = before.length === after.length ? before.map((item, i) => this.#updateItem(item, after[i] as Item)) : after
    return `${items.map((item) => ('json' in item ? renderJson(item.json) : item.line)).join('\n')}\n`
  }

  #updateItem(shown: Item, real: Item): Item {
    if ('json' in shown && 'json' in real) return { json: this.#updateJson(shown.json, real.json) }
    return 'line' in shown && 'line' in real && (shown.line === ELLIPSIS || this.#matchText(shown.line, real.line)) ? shown : real
  }

  #updateJson(shown: Json, real: Json, field = ''): Json {
    if (this.#attempt(() => this.#matchJson(shown, real, field))) return shown
    if (isObject(shown) && isObject(real)) {
      const names = shown[ELLIPSIS] ? Object.keys(shown).filter((name) => name in real) : Object.keys(real)
      const fields = names.map((name) => [
        name,
        name in shown ? this.#updateJson(shown[name] as Json, real[name] as Json, name) : real[name],
      ])
      return { ...Object.fromEntries(fields), ...(shown[ELLIPSIS] && { [ELLIPSIS]: true }) }
    }
    if (Array.isArray(shown) && Array.isArray(real)) {
      const isCut = shown.at(-1) === ELLIPSIS
      const updated = real.map((element, i) => this.#updateJson(shown[i] ?? shown[0] ?? element, element))
      return isCut ? [...updated.slice(0, shown.length - 1), ELLIPSIS] : updated
    }
    return typeof real === 'string' ? this.#toShown(real) : real
  }

  #toShown(text: string): string {
    const shown = new Map([...this.bound].map(([key, value]) => [value, key]))
    return text.replaceAll(MASKED, (token) => shown.get(token) ?? token)
  }

  /** Replaces the ids shown in a document with the real ones. */
  toReal(text: string): string {
    return text.replaceAll(MASKED, (token) => this.bound.get(token) ?? token)
  }

  #matchItems([shown, ...others]: Item[], real: Item[]): boolean {
    if (!shown) return real.length === 0
    if ('line' in shown && shown.line === ELLIPSIS) {
      return real.some((_, skipped) => this.#attempt(() => this.#matchItems(others, real.slice(skipped)))) || others.length === 0
    }
    const [first, ...rest] = real
    if (!first) return false
    const isMatch =
      'json' in shown
        ? 'json' in first && this.#matchJson(shown.json, first.json)
        : 'line' in first && this.#matchText(shown.line, first.line)
    return isMatch && this.#matchItems(others, rest)
  }

  /** Undoes what a failed attempt has bound. */
  #attempt(match: () => boolean): boolean {
    const before = [...this.bound]
    if (match()) return true
    this.bound.clear()
    for (const [shown, real] of before) this.bound.set(shown, real)
    return false
  }

  #matchJson(shown: Json, real: Json, field = ''): boolean {
    if (shown === ELLIPSIS) return true
    if (this.#varies.has(field)) return typeof shown === typeof real && Array.isArray(shown) === Array.isArray(real)
    if (typeof shown === 'string') return typeof real === 'string' && this.#matchText(shown, real)
    if (shown === null || real === null || typeof shown !== 'object' || typeof real !== 'object') return shown === real
    if (Array.isArray(shown)) {
      if (!Array.isArray(real)) return false
      const isCut = shown.at(-1) === ELLIPSIS
      const elements = isCut ? shown.slice(0, -1) : shown
      return (
        (isCut ? real.length >= elements.length : real.length === elements.length) &&
        elements.every((element, i) => this.#matchJson(element, real[i] as Json))
      )
    }
    if (Array.isArray(real)) return false
    const { [ELLIPSIS]: isCut, ...fields } = shown
    const names = Object.keys(fields)
    if (!isCut && !isDeepStrictEqual([...names].sort(), Object.keys(real).sort())) return false
    return names.every((name) => name in real && this.#matchJson(fields[name] as Json, real[name] as Json, name))
  }

  #matchText(shown: string, real: string): boolean {
    if (shown.includes(ELLIPSIS)) {
      const pattern = shown.split(ELLIPSIS).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      return new RegExp(`^${pattern.join('.+')}$`, 's').test(real)
    }
    const [left, right] = [this.#split(shown), this.#split(real)]
    return (
      left.length === right.length &&
      left.every(({ kind, token }, i) => {
        const other = right[i] as (typeof left)[number]
        if (kind !== other.kind) return false
        return kind === 'text' ? token === other.token : !MASKS[kind as keyof typeof MASKS].bound || this.#bind(token, other.token)
      })
    )
  }

  #bind(shown: string, real: string): boolean {
    const known = this.bound.get(shown)
    if (known === undefined && [...this.bound.values()].includes(real)) return false
    this.bound.set(shown, known ?? real)
    return known === undefined || known === real
  }

  /** Splits a text into the parts that must be equal and the masked ones. */
  #split(text: string): { kind: string; token: string }[] {
    const parts: { kind: string; token: string }[] = []
    const plain = (part: string) => parts.push({ kind: 'text', token: this.#varies.has('numbers') ? part.replaceAll(NUMBERS, 'N') : part })
    let end = 0
    for (const match of text.matchAll(MASKED)) {
      plain(text.slice(end, match.index))
      const [kind = ''] = Object.entries(match.groups ?? {}).find(([, token]) => token !== undefined) ?? []
      parts.push({ kind, token: match[0] })
      end = match.index + match[0].length
    }
    plain(text.slice(end))
    return parts
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineAndColumn, syntaxErrorAt } from './json-syntax.ts'

/** The error of JSON.parse, with its position where it gives one. */
function parseError(text: string): { position: number | undefined } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { message } = error as SyntaxError
    const [, position] = /at position (\d+)/.exec(message) ?? []
    return { position: /end of JSON input/.test(message) ? text.length : position === undefined ? undefined : Number(position) }
  }
}

/** JSON with one character replaced, inserted or removed. */
const damaged = fc
  .tuple(fc.json(), fc.constantFrom(0, 2), fc.nat(), fc.nat(1), fc.constantFrom(...'{}[],:"\\/-+.01eEtfnu \n\r\ta\u0000é🎲'))
  .map(([text, indent, offset, removed, symbol]) => {
    const whole = JSON.stringify(JSON.parse(text), null, indent)
    const position = offset % (whole.length + 1)
    return whole.slice(0, position) + (offset % 3 ? symbol : '') + whole.slice(position + removed)
  })

test('syntax errors are found where JSON.parse reports them, and nowhere else', () => {
  let compared = 0
  fc.assert(
    fc.property(damaged, (text) => {
      const expected = parseError(text)
      const found = syntaxErrorAt(text)
      assert.equal(found === undefined, expected === undefined)
      if (expected?.position === undefined) return
      assert.equal(found, expected.position)
      compared++
    }),
    { numRuns: 5000 },
  )
  assert.ok(compared > 500, `${compared} positions were compared`)
})

test('errors that JSON.parse reports without a position are found, too', () => {
  for (const [text, position] of [
    ['', 0],
    [' ', 1],
    ['[1,]', 3],
    ['{"a":}', 5],
    ['nulL', 3],
    ['x', 0],
    ['[tru]', 4],
    ['{"a":1}x', 7],
    [']', 0],
    ['[}', 1],
    ['['.repeat(200_000), 200_000],
  ] as const)
    assert.equal(syntaxErrorAt(text), position, text.slice(0, 50))
})

test('lines end with a line feed, a carriage return or both, and columns count characters', () => {
  for (const [text, index, line, column] of [
    ['abc', 0, 1, 1],
    ['abc', 3, 1, 4],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 3, 2, 1],
    ['a\rb', 2, 2, 1],
    ['\n\n\n', 3, 4, 1],
    ['🎲é', 3, 1, 3],
  ] as const)
    assert.deepEqual(lineAndColumn(text, index), { line, column }, JSON.stringify(text))
})

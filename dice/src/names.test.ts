import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divide } from './divide.ts'
import { evaluate } from './evaluate.ts'
import { namesIn, resolveNames } from './names.ts'
import { MAX_NOTATION_LENGTH, MAX_RESOLVED_LENGTH, NotationFault, parse } from './notation.ts'

const noDice = Object.assign(() => assert.fail('a die was rolled'), { used: 0 })

test('names are found once each, in their order', () => {
  for (const [text, names] of [
    ['2d6+3', []],
    ['', []],
    ['2d20kh1+{str_mod}+{proficiency}', ['str_mod', 'proficiency']],
    ['{b}+{a}*{b}-{hp.max}+{hp}', ['b', 'a', 'hp.max', 'hp']],
    ['{level}d{die}kh{kept}>={face}', ['level', 'die', 'kept', 'face']],
    ['2d6[fire]+{x}[a@b]', ['x']],
    [`{${'x'.repeat(64)}.max}`, [`${'x'.repeat(64)}.max`]],
  ] as const)
    assert.deepEqual(namesIn(text), names, text)
})

test('malformed braces and names are refused with a position', () => {
  for (const [text, position, reason] of [
    ['1+{str', 6, /\} is missing here/],
    ['1+{', 3, /\} is missing here/],
    ['1+str}', 5, /was not opened/],
    ['1+{}', 3, /a name is missing/],
    ['1+{Str}', 3, /snake_case/],
    ['1+{ str }', 3, /snake_case/],
    ['1+{str__mod}', 3, /snake_case/],
    ['1+{_str}', 3, /snake_case/],
    ['1+{1}', 3, /snake_case/],
    ['1+{str.min}', 3, /snake_case/],
    ['1+{str.max.max}', 3, /snake_case/],
    ['1+{{str}}', 3, /snake_case/],
    ['1+{stärke}', 3, /snake_case/],
    [`1+{${'x'.repeat(65)}}`, 3, /at most 64/],
    ['1+@{str}', 2, /write \{str\} instead of @\{str\}/],
    ['2{x}', 1, /an operator is missing/],
    ['{x}2d6', 0, /an operator is missing/],
    ['{x}{y}', 3, /an operator is missing/],
    ['2d6[{x}]', 4, /a label has no/],
  ] as [string, number, RegExp][])
    assert.throws(
      () => namesIn(text),
      (error: unknown) => {
        assert.ok(error instanceof NotationFault, String(error))
        assert.match(error.message, reason, text)
        assert.equal(error.position, position, `${text}: ${error.message}`)
        return true
      },
    )
})

test('names are replaced by their values, and a negative value turns the sign before it', () => {
  for (const [text, value, resolved] of [
    ['2d20kh1+{x}', 2, '2d20kh1+2'],
    ['2d20kh1+{x}', -1, '2d20kh1-1'],
    ['2d20kh1 - {x}', -1, '2d20kh1 + 1'],
    ['2d6[fire]+{x}[cold]', -1, '2d6[fire]-1[cold]'],
    ['d%+{x}', -1, 'd%-1'],
    ['4dF+{x}', -1, '4dF-1'],
    ['d6!-{x}', -1, 'd6!+1'],
    ['d6!o-{x}', -1, 'd6!o+1'],
    ['(1)-{x}', -1, '(1)+1'],
    ['{x}-{x}', -1, '(-1)+1'],
    ['1-{x}*{x}', -2, '1+2*(-2)'],
    ['{x}', -1, '(-1)'],
    ['-{x}', -1, '-(-1)'],
    ['(-{x})', -1, '(-(-1))'],
    ['1--{x}', -1, '1--(-1)'],
    ['2*{x}', -1, '2*(-1)'],
    ['floor({x}/2)', -5, 'floor((-5)/2)'],
    ['floor(5/-{x})', -5, 'floor(5/-(-5))'],
    ['{x}d6', 3, '3d6'],
    ['1d{x}', 8, '1d8'],
    ['4d6kh{x}', 3, '4d6kh3'],
    ['d20mi{x}', 3, 'd20mi3'],
    ['4dF>={x}', -1, '4dF>=-1'],
    ['4dF>=-{x}', -1, '4dF>=1'],
    ['4dF>= - {x}', 1, '4dF>= - 1'],
    ['1+{x}', 0, '1+0'],
    ['1-{x}', -0, '1-0'],
    ['no names', 1, 'no names'],
  ] as [string, number, string][])
    assert.equal(
      resolveNames(text, () => value),
      resolved,
      text,
    )
  assert.equal(
    resolveNames('{hp.max}-{hp}', (name) => (name === 'hp' ? 3 : 31)),
    '31-3',
  )
})

test('a negative value is refused where it has no meaning', () => {
  for (const [text, position] of [
    ['5-{x}d6', 2],
    ['5-{x} D6', 2],
    ['{x}d6', 0],
    ['1d{x}', 2],
    ['4d6kh{x}', 5],
    ['4d6 dl {x}', 7],
    ['d20mi{x}', 5],
    ['6d10>=7f{x}', 8],
  ] as [string, number][])
    assert.throws(
      () => resolveNames(text, () => -1),
      (error: unknown) => {
        assert.ok(error instanceof NotationFault, String(error))
        assert.match(error.message, /^\{x\} is -1, and only a number of 0 or more can stand here$/)
        assert.equal(error.position, position, text)
        return true
      },
    )
  for (const value of [1.5, Number.NaN, Infinity, 2 ** 53]) assert.throws(() => resolveNames('{x}', () => value), /not a whole number/)
})

/** An expression with names, and its value. */
type Expression = { text: string; value: number }
const NAMES = ['a', 'b', 'str_mod', 'hp.max'] as const

test('a resolved notation has the value of the arithmetic with the names', () => {
  let negatives = 0
  const values = fc.tuple(...NAMES.map(() => fc.integer({ min: -12, max: 12 })))
  const blank = fc.constantFrom('', '', ' ', '\t ')
  const expression = (of: Map<string, number>) =>
    fc.letrec<{ whole: Expression; product: Expression; factor: Expression; leaf: Expression }>((tie) => ({
      whole: fc.oneof(
        { maxDepth: 3 },
        tie('product'),
        fc.tuple(tie('whole'), blank, fc.constantFrom('+', '-'), blank, tie('product')).map(([a, s, sign, t, b]) => ({
          text: `${a.text}${s}${sign}${t}${b.text}`,
          value: sign === '+' ? a.value + b.value : a.value - b.value,
        })),
      ),
      product: fc.oneof(
        { maxDepth: 3 },
        tie('factor'),
        fc
          .tuple(tie('product'), blank, tie('factor'))
          .map(([a, s, b]) => ({ text: `${a.text}${s}*${s}${b.text}`, value: a.value * b.value })),
      ),
      factor: fc.oneof(
        { maxDepth: 3 },
        tie('leaf'),
        fc.tuple(blank, tie('factor')).map(([s, a]) => ({ text: `-${s}${a.text}`, value: -a.value })),
        fc.tuple(blank, tie('whole')).map(([s, a]) => ({ text: `(${s}${a.text}${s})`, value: a.value })),
        fc
          .tuple(fc.constantFrom('floor', 'ceil', 'round'), tie('product'), tie('leaf'))
          .filter(([, , divisor]) => divisor.value !== 0)
          .map(([rounding, a, b]) => ({ text: `${rounding}(${a.text}/${b.text})`, value: divide(rounding, a.value, b.value) })),
      ),
      leaf: fc.oneof(
        fc.constantFrom(...NAMES).map((name) => ({ text: `{${name}}`, value: of.get(name) as number })),
        fc.integer({ min: 0, max: 9 }).map((value) => ({ text: String(value), value })),
      ),
    })).whole
  const cases = values.chain((list) => {
    const of = new Map<string, number>(NAMES.map((name, i) => [name, list[i] as number]))
    return expression(of).map((whole) => ({ ...whole, of }))
  })
  fc.assert(
    fc.property(cases, ({ text, value, of }) => {
      fc.pre(text.length <= MAX_NOTATION_LENGTH)
      const resolved = resolveNames(text, (name) => of.get(name) ?? assert.fail(name))
      negatives += Number(namesIn(text).some((name) => (of.get(name) as number) < 0))
      assert.equal(evaluate(parse(resolved, { maxLength: MAX_RESOLVED_LENGTH }), noDice).value, value + 0, `${text} became ${resolved}`)
      assert.equal(
        resolveNames(resolved, () => assert.fail()),
        resolved,
      )
    }),
    { numRuns: 5000, seed: 1 },
  )
  assert.ok(negatives > 1000, `only ${negatives} had negative values`)
})

test('any text with names is resolved to a text without braces, or refused with a position inside the text', () => {
  const parts = fc.constantFrom(
    '{',
    '}',
    '{a}',
    '{b.max}',
    '@',
    '[',
    ']',
    '-',
    '+',
    '*',
    '2',
    'd',
    'd6',
    'kh',
    '>=',
    ' ',
    'floor(',
    '/',
    ')',
    '(',
  )
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 12 }).map((list) => list.join('')),
      fc.integer({ min: -9, max: 9 }),
      (text, value) => {
        try {
          assert.doesNotMatch(resolveNames(text, () => value).replace(/\[[^\]]*$/, ''), /[{}]/, text)
        } catch (error) {
          if (!(error instanceof NotationFault)) throw error
          assert.ok(error.position >= 0 && error.position <= text.length, `${error.position} in ${text}`)
        }
      },
    ),
    { numRuns: 5000, seed: 2 },
  )
})

test('the longest names and values stay within the length of resolved notation', () => {
  const text = `{a}${'*{a}'.repeat(63)}`
  assert.ok(text.length <= MAX_NOTATION_LENGTH)
  assert.ok(resolveNames(text, () => -1_000_000).length <= MAX_RESOLVED_LENGTH)
})

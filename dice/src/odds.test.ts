import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agree, bruteForce } from '../test/brute-force.ts'
import { entries, momentsOf, OddsTooComplex } from './distribution.ts'
import { evaluate, type Flag } from './evaluate.ts'
import { type Dice, diceIn, facesOf, parse } from './notation.ts'
import { oddsOf, oddsWithNaturals } from './odds.ts'

test('the odds of small notations equal those of brute force', () => {
  for (const text of [
    'd6',
    '3d6',
    '4d6kh3',
    '4d6kl1',
    '3d4dl1',
    '3d4dh2',
    '2d20kl1',
    '4dF',
    '3d10>=7f1',
    '3d6<=2',
    '2d6ro=1',
    '3d4ro<=2kh2',
    '2d6!o',
    '2d4!oro=1',
    '2d6>=5!o',
    '(2d6+3)*2',
    '2d4*d6',
    'd8-2d4',
    '-2d6+7',
    '4d6kh2>=5',
    '3d4kh2>=3f1',
    '7',
    '2d6[fire]-d4[cold]',
    'floor(2d6/2)',
    'ceil((d6-2d4)/3)',
    'round((d8-10)/4)*2-d4',
    'round(2d6/-4)',
    'd6-floor(d4*d4/3)',
    'd20mi10',
    '2d20kh1mi10',
    '2d20kl1ma8mi3',
    '3d6mi2ma5',
    '4d6kh3mi2',
    '3d6dl1ma4',
    '3d4>=3f1mi2',
    '3d6kh2>=4f2ma3mi2',
    '2d6ro=1mi3',
    '2d6!oma4',
    '2d4!omi3>=3',
    'd4mi9',
    '3dFmi0',
  ])
    agree(
      new Map(entries(oddsOf(parse(text)))),
      bruteForce((draw) => evaluate(parse(text), draw).value),
      text,
    )
})

test('the odds with naturals equal those of brute force', () => {
  for (const text of [
    'd20',
    'd20+5',
    '2d20kh1',
    '2d20kl1+d4',
    '2d20dl1-2',
    '2d20kh1mi10',
    '2d20kl1mi10+1',
    '2d20kl1ma15',
    '2d20kh1mi20',
    'd20ro=1',
    'd20ro=20+d6',
    'd20ro>=19mi3',
    '10-floor((d20-d4)/2)*2',
    'd20*0',
    '-d20+4d4kh1',
  ]) {
    const term = parse(text)
    const { max, min, other } = oddsWithNaturals(term)
    // The key joins the result and the flag.
    const key = (value: number, natural: number) => value * 3 + natural
    const joint = new Map(
      [max, min, other].flatMap((part, natural) => [...entries(part)].map(([value, p]) => [key(value, natural), p] as const)),
    )
    const tried = bruteForce((draw) => {
      const { dice, value } = evaluate(term, draw)
      const shows = (flag: Flag) => dice.some(({ flags }) => flags.includes(flag))
      return key(value, shows('natural_max') ? 0 : shows('natural_min') ? 1 : 2)
    })
    agree(joint, tried, text)
  }
  assert.throws(() => oddsWithNaturals(parse('2d20')), /no single d20/)
  assert.throws(() => oddsWithNaturals(parse('d20r=1')), OddsTooComplex)
})

test('the odds of random notations equal those of brute force', () => {
  const dice = fc
    .record({
      count: fc.integer({ min: 1, max: 3 }),
      sides: fc.constantFrom('2', '3', '4', 'F'),
      reroll: fc.constantFrom('', '', 'ro=1', 'ro>=2'),
      last: fc.constantFrom('', '!o', 'kh1', 'dl1', 'kl1'),
      minimum: fc.constantFrom('', 'mi2', 'mi3'),
      maximum: fc.constantFrom('', 'ma3', 'ma4'),
      success: fc.constantFrom('', '', '>=2', '=3f2', '<2f>=3'),
    })
    .filter(({ count, last }) => count > 1 || last !== 'dl1')
    .map(({ count, sides, reroll, last, minimum, maximum, success }) => `${count}d${sides}${minimum}${success}${maximum}${reroll}${last}`)
  const one = fc.oneof(dice, fc.integer({ min: 0, max: 5 }).map(String))
  const term = fc.oneof(
    one,
    fc
      .tuple(fc.constantFrom('floor', 'ceil', 'round'), one, one, fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '-'))
      .map(([rounding, a, b, divisor, sign]) => `${rounding}((${a}-${b})/${sign}${divisor})`),
  )
  const small = (text: string) => diceIn(parse(text)).reduce((ways, { count, sides }) => ways * sides ** count, 1) <= 48
  fc.assert(
    fc.property(
      fc
        .tuple(term, fc.constantFrom('+', '-', '*'), term)
        .map((parts) => parts.join(''))
        .filter(small),
      (text) =>
        agree(
          new Map(entries(oddsOf(parse(text)))),
          bruteForce((draw) => evaluate(parse(text), draw).value),
          text,
        ),
    ),
    { numRuns: 200, seed: 5 },
  )
})

test('odds sum to 1, and mean and deviation follow from them', () => {
  const dice: fc.Arbitrary<Dice> = fc
    .record({
      count: fc.integer({ min: 1, max: 12 }),
      sides: fc.integer({ min: 2, max: 30 }),
      fudge: fc.boolean(),
      keep: fc.option(fc.record({ highest: fc.boolean(), drop: fc.constant(false), count: fc.integer({ min: 1, max: 12 }) })),
    })
    .map(({ count, sides, fudge, keep }) => ({
      kind: 'dice',
      position: 0,
      end: 0,
      count,
      sides: fudge ? 3 : sides,
      fudge,
      ...(keep && { keep: { ...keep, count: Math.min(keep.count, count) } }),
    }))
  fc.assert(
    fc.property(dice, dice, fc.constantFrom('+', '-'), (left, right, sign) => {
      const addend = { notation: '', label: null }
      const odds = oddsOf({
        kind: 'sum',
        addends: [
          { ...addend, sign: '+', operand: left },
          { ...addend, sign, operand: right },
        ],
      })
      const sum = [...entries(odds)].reduce((total, [, p]) => total + p, 0)
      assert.ok(Math.abs(sum - 1) < 1e-12, String(sum))
      const { mean, deviation } = momentsOf(odds)
      assert.ok(deviation >= 0 && mean >= odds.min && mean <= odds.min + odds.p.length)
      const meanOf = (dice: Dice) => dice.count * ((facesOf(dice)[0] + facesOf(dice)[1]) / 2)
      if (!left.keep && !right.keep) assert.ok(Math.abs(mean - (meanOf(left) + (sign === '+' ? 1 : -1) * meanOf(right))) < 1e-9)
    }),
    { numRuns: 200, seed: 3 },
  )
})

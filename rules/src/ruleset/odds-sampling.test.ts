import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawFrom } from '@guildhall/dice/draw'
import { evaluate } from '@guildhall/dice/evaluate'
import { wordsOf } from '@guildhall/dice/node-crypto'
import { parse } from '@guildhall/dice/notation'
import { compileRuleset, type Ruleset } from './compile.ts'
import type { Random } from './creation.ts'
import type { Input } from './document-rolls.ts'
import { generateSheet } from './generate.ts'
import { OddsFault, oddsOfRoll } from './odds.ts'
import { RollFault, SheetRoll } from './roll.ts'

/** As many rolls of the packs as are tried. The seed is always the same, so that more of them in every run would prove nothing new. */
const CASES = process.env.TEST_EVERYTHING ? 200 : 40
const ROLLS = 20_000
/** The seed is fixed, so that a roll of dice never decides whether the test passes. */
const server_seed = Buffer.from('guildhall: odds against the dice')
const MIN_P_VALUE = 1e-6
/** Chi-square is not exact where fewer results than this are expected: they are counted together. */
const MIN_EXPECTED = 5

const folder = new URL('../../../packs/', import.meta.url)
const packs = readdirSync(folder).filter((file) => file.endsWith('.json'))
const rulesets = packs.map((file) => compileRuleset(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))).ruleset as Ruleset)

const draw = drawFrom(wordsOf({ server_seed, client_seed: 'cases', nonce: 1 }))
const random: Random = (below) => draw(below)
const from = (min: number, max: number) => min + random(max - min + 1)
const oneOf = <Item>(items: readonly Item[]) => items[random(items.length)] as Item

function anyAnswer(ruleset: Ruleset, { trait, optional, number, choice }: Input): string | number | undefined {
  if (choice) return oneOf(Object.keys(choice))
  if (number) return from(number.min, number.max)
  return optional && random(3) === 0 ? undefined : oneOf(ruleset.groups.get(trait as string) ?? [])
}

/** A roll of a random character, with random answers and payments; undefined if it has no dice, or more than odds are computed for. */
function anyRoll(ruleset: Ruleset) {
  const [name, compiled] = oneOf([...ruleset.rolls])
  const { inputs = {}, spends = {} } = compiled.roll
  const conditions = Object.fromEntries(
    Object.entries(ruleset.document.conditions ?? {}).map(([condition, { most = 1 }]) => [condition, random(4) === 0 ? from(1, most) : 0]),
  )
  const sheet = { ...generateSheet(ruleset, random), conditions, campaign: { desperation: random(6) } }
  const answers = Object.entries(inputs).flatMap(([input, asked]) => {
    const answer = anyAnswer(ruleset, asked)
    return answer === undefined ? [] : [[input, answer]]
  })
  const paid = Object.entries(spends).map(([spend, { most }]) => [spend, random(Math.min(most, 3) + 1)])
  const request = { inputs: Object.fromEntries(answers), spends: Object.fromEntries(paid) }
  try {
    const roll = new SheetRoll(ruleset, compiled, sheet, request)
    const steps = oddsOfRoll(roll)
    let step = steps.next()
    for (; !step.done; step = steps.next());
    return { roll, odds: step.value, name: `${ruleset.document.name}, ${name}: ${JSON.stringify(request)}` }
  } catch (error) {
    if (error instanceof RollFault || error instanceof OddsFault) return undefined
    throw error
  }
}

/** The probability that chi-square is at least this large, by the recurrence of the incomplete gamma function. */
function upperTail(chiSquare: number, degrees: number): number {
  const x = chiSquare / 2
  let [a, term, tail] =
    degrees % 2 ? [0.5, Math.sqrt(x / Math.PI) * 2 * Math.exp(-x), complementaryError(Math.sqrt(x))] : [1, x * Math.exp(-x), Math.exp(-x)]
  for (; a < degrees / 2; a++) {
    tail += term
    term *= x / (a + 1)
  }
  return tail
}

/** The complementary error function, by its continued fraction, and by its series where that converges slowly. */
function complementaryError(x: number): number {
  if (x < 2) {
    let [sum, term] = [x, x]
    for (let n = 1; n < 60; n++) {
      term *= -(x * x) / n
      sum += term / (2 * n + 1)
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum
  }
  let fraction = x
  for (let n = 60; n > 0; n--) fraction = x + n / 2 / fraction
  return Math.exp(-x * x) / fraction / Math.sqrt(Math.PI)
}

test('the upper tail of chi-square is that of printed tables', () => {
  for (const [chiSquare, degrees, p] of [
    [3.841, 1, 0.05],
    [10.828, 1, 0.001],
    [23.928, 1, 1e-6],
    [5.991, 2, 0.05],
    [7.815, 3, 0.05],
    [18.307, 10, 0.05],
    [29.588, 10, 0.001],
    [31.41, 20, 0.05],
    [0, 5, 1],
  ] as const)
    assert.ok(Math.abs(upperTail(chiSquare, degrees) / p - 1) < 0.001, `${chiSquare} with ${degrees}: ${upperTail(chiSquare, degrees)}`)
})

/** The probability of a sample that fits no better, if the odds are right. A result without a probability cannot be in it. */
function pValueOf<Key>(odds: ReadonlyMap<Key, number>, counts: ReadonlyMap<Key, number>): number {
  if ([...counts.keys()].some((key) => !odds.has(key))) return 0
  const bins: { expected: number; count: number }[] = []
  for (const [key, probability] of [...odds].sort(([, a], [, b]) => a - b)) {
    const open = bins.at(-1)
    const [expected, count] = [probability * ROLLS, counts.get(key) ?? 0]
    if (open && open.expected < MIN_EXPECTED) Object.assign(open, { expected: open.expected + expected, count: open.count + count })
    else bins.push({ expected, count })
  }
  const chiSquare = bins.reduce((sum, { expected, count }) => sum + (count - expected) ** 2 / expected, 0)
  return bins.length === 1 ? 1 : upperTail(chiSquare, bins.length - 1)
}

test('two hundredths more of an outcome than the odds say are found', () => {
  const odds = new Map([
    ['a', 0.5],
    ['b', 0.5],
  ])
  const counted = (a: number) =>
    new Map([
      ['a', a],
      ['b', ROLLS - a],
    ] as const) as Map<string, number>
  assert.ok(pValueOf(odds, counted(ROLLS * 0.5)) === 1 && pValueOf(odds, counted(ROLLS * 0.505)) > 0.05)
  assert.ok(pValueOf(odds, counted(ROLLS * 0.52)) < MIN_P_VALUE && pValueOf(odds, new Map([['c', ROLLS]])) === 0)
})

test('the odds of random rolls of all packs add up to 1, and the dice of the engine fall by them', (t) => {
  const tried = new Map<string, number>()
  let least = 1
  for (let i = 0; i < CASES; ) {
    const made = anyRoll(rulesets[i % rulesets.length] as Ruleset)
    if (!made) continue
    const { roll, odds, name } = made
    const [outcomes, scores] = [
      new Map(odds.outcomes.map(({ code, probability }) => [code, probability])),
      new Map(odds.scores.map(({ score, probability }) => [score, probability])),
    ]
    for (const all of [outcomes, scores]) {
      const sum = [...all.values()].reduce((total, probability) => total + probability, 0)
      assert.ok(Math.abs(sum - 1) < 1e-9, `${name}: ${sum}`)
    }
    const term = parse(roll.resolved.notation)
    const dice = drawFrom(wordsOf({ server_seed, client_seed: 'rolls', nonce: i }))
    const [codes, totals] = [new Map<string, number>(), new Map<number, number>()]
    for (let j = 0; j < ROLLS; j++) {
      const { dice: fallen, value } = evaluate(term, dice)
      const { code, score } = roll.judge(fallen, value)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      totals.set(score, (totals.get(score) ?? 0) + 1)
    }
    const p = Math.min(pValueOf(outcomes, codes), pValueOf(scores, totals))
    assert.ok(p >= MIN_P_VALUE, `${name}: ${p}`)
    least = Math.min(least, p)
    const key = name.split(':', 1)[0] as string
    tried.set(key, (tried.get(key) ?? 0) + 1)
    i++
  }
  t.diagnostic(`least p-value ${least.toExponential(1)}; ${[...tried].map(([name, count]) => `${name} ${count}`).join('; ')}`)
  assert.ok(tried.size >= 7, 'every roll of every pack is tried')
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { evaluate } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import { oddsOfPool, outcomesOfPool } from '@guildhall/dice/odds-of-pool'
import { compileRuleset, type Ruleset } from './compile.ts'
import { OddsFault, oddsOfRoll } from './odds.ts'
import { SheetRoll } from './roll.ts'
import type { Sheet } from './sheet.ts'

const rulesetOf = (name: string) =>
  compileRuleset(JSON.parse(readFileSync(new URL(`../../../packs/${name}.json`, import.meta.url), 'utf8'))).ruleset as Ruleset

function rollOf(pack: string, name: string, sheet: Sheet, inputs: Record<string, string | number>): SheetRoll {
  const ruleset = rulesetOf(pack)
  return new SheetRoll(ruleset, ruleset.rolls.get(name) as never, sheet, { inputs })
}

function oddsOf(roll: SheetRoll) {
  const steps = oddsOfRoll(roll)
  let step = steps.next()
  for (; !step.done; step = steps.next());
  return step.value
}

/** The chance of each outcome, rounded. */
const chances = (roll: SheetRoll) =>
  Object.fromEntries(oddsOf(roll).outcomes.map(({ code, probability }) => [code, Number(probability.toFixed(4))]))

test('known chances are exact', () => {
  assert.deepEqual(chances(rollOf('action-dice', 'action', { traits: { prowl: 3 } }, { action: 'prowl' })), {
    bad: 0.125,
    partial: 0.4537,
    full: 0.3472,
    critical: 0.0741,
  })
  const attack = chances(
    rollOf('srd-5.2', 'attack', { traits: { strength: 16, level: 5 }, choices: { class: 'fighter' } }, { mode: 'advantage', armor: 15 }),
  )
  assert.deepEqual([attack.critical_hit, attack.hit, attack.miss], [0.0975, 0.7425, 0.16])
  assert.deepEqual(chances(rollOf('fate-core', 'action', { traits: { fight: 2 } }, { skill: 'fight', opposition: 2 })), {
    failure: 0.3827,
    tie: 0.2346,
    success: 0.321,
    success_with_style: 0.0617,
  })
})

test('the d10 pool has the odds of the pool engine', () => {
  const roll = rollOf('d10-pool', 'test', { traits: { might: 3, fighting: 3 } }, { attribute: 'might', skill: 'fighting', difficulty: 6 })
  const pool = { sides: 10, dice: 6, difficulty: 6, desperation_dice: 0 } as never
  const expected = Object.fromEntries(outcomesOfPool(pool, oddsOfPool(pool)).map(({ outcome, probability }) => [outcome, probability]))
  const actual = Object.fromEntries(oddsOf(roll).outcomes.map(({ code, probability }) => [code, probability]))
  for (const [code, outcome] of [
    ['botch', 'BOTCH'],
    ['failure', 'FAILURE'],
    ['success', 'SUCCESS'],
    ['triumph', 'CRITICAL'],
  ] as const)
    assert.ok(Math.abs((actual[code] ?? 0) - (expected[outcome] ?? 0)) < 1e-12, code)
})

test('odds equal those of every single roll of the dice', () => {
  const cases: [string, string, Sheet, Record<string, string | number>][] = [
    ['d10-pool', 'test', { traits: { might: 2 }, campaign: { desperation: 1 } }, { attribute: 'might', desperate: 1, difficulty: 7 }],
    ['srd-5.2', 'check', { conditions: { poisoned: 1 } }, { difficulty: 12 }],
    ['action-dice', 'resist', { traits: { prowl: 1, wreck: 2 } }, {}],
    ['action-dice', 'action', {}, { action: 'sway' }],
    ['fate-core', 'action', {}, { bonus: 1 }],
  ]
  for (const [pack, name, sheet, inputs] of cases) {
    const roll = rollOf(pack, name, sheet, inputs)
    const { outcomes, scores } = oddsOf(roll)
    const sum = (all: { probability: number }[]) => all.reduce((total, { probability }) => total + probability, 0)
    assert.ok(Math.abs(sum(outcomes) - 1) < 1e-9 && Math.abs(sum(scores) - 1) < 1e-9)
    const counted = new Map<string, number>()
    const term = parse(roll.resolved.notation)
    const sides: number[] = []
    evaluate(term, (count) => {
      sides.push(count)
      return 0
    })
    const all = sides.reduce((product, count) => product * count, 1)
    for (let i = 0; i < all; i++) {
      let rest = i
      const { dice, value } = evaluate(term, (count) => {
        const shown = rest % count
        rest = Math.floor(rest / count)
        return shown
      })
      const { code } = roll.judge(dice, value)
      counted.set(code, (counted.get(code) ?? 0) + 1)
    }
    for (const { code, probability } of outcomes)
      assert.ok(Math.abs(probability - (counted.get(code) ?? 0) / all) < 1e-12, `${pack} ${code}`)
    assert.equal(outcomes.length, counted.size)
  }
})

test('rerolled dice have their chances, and what is too much is refused', () => {
  const document = (dice: string) => ({
    format: 1 as const,
    name: 'Test',
    source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
    groups: {},
    traits: {},
    rolls: { test: { dice: { dice }, outcomes: [{ when: 'best() == 1', code: 'one' }, { code: 'more' }] } },
  })
  const rollWith = (dice: string) => {
    const { ruleset, faults } = compileRuleset(document(dice))
    assert.deepEqual(faults, [])
    return new SheetRoll(ruleset as Ruleset, ruleset?.rolls.get('test') as never, {})
  }
  const one = (dice: string) => chances(rollWith(dice)).one
  assert.deepEqual([one('1d6'), one('1d6ro=1'), one('1d6r=1'), one('2d6')], [0.1667, 0.0278, undefined, 0.0278])
  assert.throws(() => oddsOf(rollWith('2d6!')), OddsFault)
  assert.throws(() => oddsOf(rollWith('50d10')), /100,000 combinations/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import { boundsOf } from '@guildhall/dice/term'
import { randomOf } from '../../../server/test/random.ts'
import { compileRuleset, type Ruleset } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import { Effort, generateFaultless, generateSheet } from './generate.ts'

const game = (changes: object): RulesetDocument => ({
  format: 1,
  name: 'Deep',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { skills: { min: 1, max: 5 }, kit: { min: 0, max: 2 } },
  traits: { hands: { group: 'skills' }, lungs: { group: 'skills' }, rig: { group: 'kit' } },
  checks: [{ that: 'hands + lungs + rig > 0', message: 'Nothing at all.' }],
  ...changes,
})
const created = (step: object) => compileRuleset(game({ creation: { steps: [{ id: 'step', ...step }] } }))
const shown = (faults: { field: string; message: string }[]) => faults.map(({ field, message }) => `${field} ${message}`)

test('dice and values of a step must fit its traits, because nobody could answer it otherwise', () => {
  const faultsOf = (step: object) => shown(created(step).faults)
  assert.deepEqual(faultsOf({ kind: 'dice', of: 'kit', dice: '1d6' }), ['creation.steps.0.dice can come to 6, and rig must be 0 to 2'])
  assert.deepEqual(faultsOf({ kind: 'dice', of: 'skills', dice: '1d6-1' }), [
    'creation.steps.0.dice can come to 0, and hands must be 1 to 5',
  ])
  assert.deepEqual(faultsOf({ kind: 'dice', of: 'kit', dice: '1d2!' }), ['creation.steps.0.dice can come to 3, and rig must be 0 to 2'])
  assert.deepEqual(faultsOf({ kind: 'array', of: 'skills', values: [3, 9] }), ['creation.steps.0.values.1 fits none of the traits'])
  assert.deepEqual(faultsOf({ kind: 'dice', of: 'kit', dice: '2d4kh1-2' }), [
    'creation.steps.0.dice can come to -1, and rig must be 0 to 2',
  ])
  for (const dice of ['1d3-1', '1d6r>2', '3-1d3', 'floor(1d5/2)']) assert.deepEqual(faultsOf({ kind: 'dice', of: 'kit', dice }), [], dice)
})

test('a budget that no answer keeps, or that nobody can spend, is a warning', () => {
  const warningsOf = (step: object) => shown(created({ kind: 'points', of: 'skills', ...step }).warnings)
  assert.deepEqual(warningsOf({ budget: 1 }), ['creation.steps.0.budget the lowest values cost 2 of 1 already'])
  assert.deepEqual(warningsOf({ budget: 60 }), ['creation.steps.0.budget the highest values cost 10, so that not all of it can be spent'])
  assert.deepEqual(warningsOf({ budget: 6, cost: 'value - 1' }), [])
})

test('options favor traits that exist, and random characters raise these more often', () => {
  const trades = (favours: string[]) => ({ choices: { trade: { required: true, options: { diver: { favours } } } } })
  assert.deepEqual(shown(compileRuleset(game(trades(['lung']))).faults), [
    'choices.trade.options.diver.favours.0 there is no trait lung: did you mean lungs?',
  ])
  for (const step of [
    { kind: 'points', of: 'skills', budget: 4, cost: 'value - 1' },
    { kind: 'priority', of: 'skills', pools: [4] },
  ]) {
    const { ruleset } = compileRuleset(game({ ...trades(['lungs']), creation: { steps: [{ id: 'step', ...step }] } }))
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const sums = { hands: 0, lungs: 0 }
    for (let i = 0; i < 200; i++) {
      const { traits = {} } = generateSheet(ruleset as Ruleset, random, { choices: { trade: 'diver' } })
      sums.hands += traits.hands ?? 0
      sums.lungs += traits.lungs ?? 0
    }
    assert.ok(sums.lungs > sums.hands * 1.5 && sums.hands > 200, JSON.stringify(sums))
  }
})

test('no result of a notation is outside its bounds, and sums of plain dice reach them', () => {
  const low = () => 0
  const high = (below: number) => below - 1
  const any = randomOf().below
  const notations = ['3d6', '4d6dl1', '2d20kl1+3', '4dF', '10-2d4', '(1d6+1)*2', '-1d6', '5d10>=8', '1d6mi2ma5', '2d6r=1', '1d4!o', '2d6!']
  for (const notation of notations) {
    const term = parse(notation)
    const [least, most] = boundsOf(term)
    for (let i = 0; i < 200; i++) {
      const { value } = evaluate(term, any)
      assert.ok(value >= least && value <= most, `${notation}: ${value} is not in ${least} to ${most}`)
    }
    if (/[r!]/.test(notation)) continue
    const ends = [evaluate(term, low).value, evaluate(term, high).value].sort((a, b) => a - b)
    assert.deepEqual(ends, [least, most], notation)
  }
  assert.deepEqual(boundsOf(parse('1d6!')), [1, Infinity])
  assert.deepEqual(boundsOf(parse('2d6r=1')), [4, 12])
})

test('a choice is asked for once, and a step has one way with dice', () => {
  const choices = { trade: { options: { diver: {} } } }
  const ask = { kind: 'choose', slot: 'trade' }
  const roll = { kind: 'dice', of: 'kit', dice: '1d3-1' }
  const faultsOf = (steps: object[]) => shown(compileRuleset(game({ choices, creation: { steps } })).faults)
  assert.deepEqual(
    faultsOf([
      { id: 'one', ...ask },
      { id: 'two', ...ask },
    ]),
    ['creation.steps.1 another way of answering asks for trade, too'],
  )
  assert.deepEqual(faultsOf([{ id: 'one', any: [roll, roll] }]), ['creation.steps.0 has several ways with dice, and may have one'])
})

test('random characters of a hostile ruleset take a limited effort, in many parts', () => {
  const traits = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`trait_${i}`, { group: 'wide' }]))
  const step = (i: number) => ({ id: `step_${i}`, kind: 'points', of: 'wide', budget: 1_000_000, cost: 'value' })
  const hostile = game({
    groups: { wide: { min: 0, max: 1_000_000 } },
    traits,
    checks: [{ that: 'trait_0 < 0', message: 'Never.' }],
    creation: { steps: Array.from({ length: 30 }, (_, i) => step(i)) },
  })
  const { ruleset, faults } = compileRuleset(hostile)
  assert.deepEqual(faults, [])
  const effort = new Effort()
  const parts = generateFaultless(ruleset as Ruleset, randomOf().below, { isPlayer: true }, effort)
  let count = 0
  for (let part = parts.next(); !part.done; part = parts.next()) count++
  assert.ok(count >= 30 && count <= 120, `${count} parts`)
  assert.ok(effort.left <= 0 && effort.left > -10_000_000, `${effort.left} left`)
})

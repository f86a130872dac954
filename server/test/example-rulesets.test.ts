import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileRuleset, type Ruleset } from '@guildhall/rules/ruleset/compile'
import { faultsOfAnswer, randomAnswer } from '@guildhall/rules/ruleset/creation'
import type { RulesetDocument } from '@guildhall/rules/ruleset/document'
import { generateSheet, rollValues, withAnswer } from '@guildhall/rules/ruleset/generate'
import { deriveSheet, type Sheet } from '@guildhall/rules/ruleset/sheet'
import { type Answer, assertProblem, call } from './harness.ts'
import { root } from './markdown.ts'
import { newPricedTable } from './priced-table.ts'
import { ruledOf } from './ruled-table.ts'

const files = globSync('examples/rulesets/*.json', { cwd: root })
const read = (file: string): RulesetDocument => JSON.parse(readFileSync(`${root}/${file}`, 'utf8'))
const lamplight = read('examples/rulesets/lamplight.json')

/** A sequence of numbers that is the same each time. */
function randomFrom(start: number) {
  let seed = start
  return (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
}

test('random characters of the example games break no rule of their creation, and none of the sheet', () => {
  assert.ok(files.length > 0)
  const random = randomFrom(17)
  for (const file of files) {
    const { ruleset: compiled, faults } = compileRuleset(read(file))
    assert.deepEqual(faults, [], file)
    const ruleset = compiled as Ruleset
    const errorsOf = (sheet: Sheet) => deriveSheet(ruleset, sheet).faults.filter(({ level }) => level === 'ERROR')
    for (let i = 0; i < 1000; i++) {
      let sheet: Sheet = {}
      for (const { id, methods } of ruleset.creation) {
        const method = methods[random(methods.length)] ?? assert.fail(id)
        const rolled = rollValues(method, random)
        const answer = randomAnswer(ruleset, method, sheet, random, rolled)
        assert.deepEqual(faultsOfAnswer(ruleset, method, sheet, answer, rolled), [], `${file}, ${id}`)
        sheet = withAnswer(ruleset, sheet, method, answer)
      }
      assert.deepEqual(errorsOf(sheet), [], file)
    }
    for (const tier of Object.keys(ruleset.document.creation?.tiers ?? {}))
      for (let i = 0; i < 10; i++) {
        const sheet = generateSheet(ruleset, random, { tier })
        assert.ok((sheet.xp?.spent ?? 0) > 0, tier)
        assert.deepEqual(errorsOf(sheet), [], tier)
      }
  }
})

test('the file is a ruleset like any other: it is valid without a warning, and exported as it was', async () => {
  const { base, key, ruleset_id, version_id } = await newPricedTable(lamplight)
  const { body } = await call('POST', `${base}/rulesets/validate`, { key, body: { document: lamplight } })
  const found = body as never as { valid: boolean; faults: object[]; warnings: object[]; examples: { holds: boolean }[] }
  assert.deepEqual([found.valid, found.faults, found.warnings], [true, [], []])
  assert.ok(found.examples.length > 1 && found.examples.every(({ holds }) => holds))
  const exported = await call('GET', `${base}/rulesets/${ruleset_id}/versions/${version_id}/document`, { key })
  assert.equal(exported.text, JSON.stringify(lamplight))
})

interface ShownSheet {
  derived: Record<string, number>
  trackers: Record<string, { value: number; min: number; max: number }>
  faults: { field: string }[]
}

const created = (reply: Answer) => {
  assert.equal(reply.status, 201, reply.text)
  return reply
}

test('an evening is played by a game that only its document describes', async () => {
  const { player, teller, award, raise, balance, C, H } = await newPricedTable(lamplight)
  const traits = { vigor: 70, build: 60, agility: 65, intellect: 55, resolve: 60, fortune: 12, brawling: 60, noticing: 40, lantern: 2 }
  const filled = await player.patch(H, { traits, choices: { calling: 'constable' } })
  assert.equal(filled.status, 200, filled.text)
  // The trackers were created with the empty sheet, and start again from this one.
  assert.equal((await player.post(`${H}/trackers/reset`, { keys: ['health', 'composure', 'luck'] })).status, 200)
  assertProblem(await player.patch(H, { traits: { climbing: 24 } }), 400)
  assertProblem(await player.patch(H, { traits: { climbing: 95, hiding: 95, lying: 95 } }), 400)
  const sheet = async () => ((await player.get(`${H}?include=sheet`)).body as never as { sheet: ShownSheet }).sheet
  const { derived, trackers, faults } = await sheet()
  assert.deepEqual(derived, { impact: 1, stride: 8, evading: 30, sight: 50, means: 35, hindrance: 0 })
  assert.deepEqual([trackers.health?.max, trackers.composure?.value, trackers.luck?.value], [13, 60, 12])
  assert.deepEqual(faults, [])

  // Luck is paid with the roll, five points at a time, and never more than there is.
  const brawl = (spends: object, inputs: object = {}) =>
    player.post(`${H}/rolls/test`, { inputs: { ability: 'brawling', ...inputs }, spends })
  const lucky = ruledOf(created(await brawl({ fortunate: 2 }, { grade: 'hard' })))
  assert.deepEqual([lucky.values.chance, lucky.values.needed, (await sheet()).trackers.luck?.value], [70, 35, 2])
  const poor = await brawl({ fortunate: 1 })
  assertProblem(poor, 409)
  assert.equal(poor.body.code, 'tracker_exhausted')
  for (const [footing, notation] of [
    ['even', '1d100'],
    ['favorable', '2d100kl1'],
    ['poor', '2d100kh1'],
  ]) {
    const rolled = created(await brawl({}, { footing }))
    const { score, margin, code, label } = ruledOf(rolled)
    assert.deepEqual([rolled.body.notation, margin], [notation, 60 - (score as number)])
    const known = lamplight.rolls?.test?.outcomes.find((outcome) => outcome.code === code)
    assert.deepEqual([rolled.body.outcome, label], [known?.outcome, known?.label])
  }
  for (const [roll, inputs] of [
    ['nerve', {}],
    ['blow', { weapon: 'club' }],
    ['lesson', { skill: 'first_aid' }],
  ] as const)
    created(await player.post(`${H}/rolls/${roll}`, { inputs }))

  // Half of a chance of 60 is 30: 12 extreme successes with the 1, 18 hard ones, and 100 is a fumble.
  const odds = await player.post(`${H}/rolls/test/odds`, { inputs: { ability: 'brawling' } })
  const chances = (odds.body as never as { outcomes: { code: string; probability: number }[] }).outcomes
  assert.deepEqual(Object.fromEntries(chances.map(({ code, probability }) => [code, Math.round(probability * 100)])), {
    marvel: 1,
    extreme: 11,
    hard: 18,
    regular: 30,
    failure: 39,
    fumble: 1,
  })

  // Wounds and fear hinder, and secrets lower how composed one can be.
  await player.post(`${H}/trackers/health/adjust`, { by: -7 })
  assert.equal((await player.put(`${H}/conditions/shaken`, { level: 1 })).status, 200)
  assert.equal((await sheet()).derived.hindrance, 20)
  assert.equal(ruledOf(created(await brawl({}))).values.chance, 40)
  await teller.patch(H, { traits: { secrets: 45 } })
  assert.equal((await sheet()).trackers.composure?.max, 54)
  assert.equal((await teller.post(`${C}/trackers/rumor/adjust`, { by: 1 })).status, 200)
  assertProblem(await player.post(`${C}/trackers/rumor/adjust`, { by: 1 }), 403)

  // Three steps of brawling above 50 cost two each.
  await award(10)
  const { items } = (await player.get(`${H}/costs?trait=brawling&to=63`)).body as never as { items: { cost: number }[] }
  assert.deepEqual(
    items.map(({ cost }) => cost),
    [2, 2, 2],
  )
  created(await raise('brawling', 63))
  assert.deepEqual(await balance(), [10, 6, 4])
  assert.equal((await raise('brawling', 70)).body.code, 'not_enough_experience')
  assert.equal((await raise('secrets', 46)).body.code, 'not_for_experience')
})

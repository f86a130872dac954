import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { evaluate } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import { rollPool } from '@guildhall/dice/pool'
import { characterSchema } from './character-schema.ts'
import { compileRuleset, type Ruleset } from './compile.ts'
import { faultsOfAnswer, randomAnswer } from './creation.ts'
import type { RulesetDocument } from './document.ts'
import { tryExamples } from './examples.ts'
import { generateSheet, rollValues, withAnswer } from './generate.ts'
import { glossaryOf } from './glossary.ts'
import { isRefused, priceOf } from './price.ts'
import { RollFault, SheetRoll } from './roll.ts'
import { deriveSheet, type Sheet } from './sheet.ts'

const folder = new URL('../../../packs/', import.meta.url)
const documents = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), readFileSync(new URL(file, folder), 'utf8')]),
)
const documentOf = (name: string): RulesetDocument => JSON.parse(documents.get(name) as string)

function compiled(document: RulesetDocument): Ruleset {
  const { ruleset, faults } = compileRuleset(document)
  assert.deepEqual(faults, [])
  return ruleset as Ruleset
}

const rulesetOf = (name: string) => compiled(documentOf(name))
const [d10, srd, fate] = [rulesetOf('d10-pool'), rulesetOf('srd-5.2'), rulesetOf('fate-core')]

/** A sequence of numbers that is the same each time. */
function randomFrom(start: number) {
  let seed = start
  return (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
}

const errorsOf = (ruleset: Ruleset, sheet: Sheet) => deriveSheet(ruleset, sheet).faults.filter(({ level }) => level === 'ERROR')

const rollOf = (ruleset: Ruleset, name: string, sheet: Sheet, inputs = {}, spends = {}) => {
  const roll = ruleset.rolls.get(name)
  assert.ok(roll, name)
  return new SheetRoll(ruleset, roll, sheet, { inputs, spends })
}

test('a warning says that a character cannot store a value for all traits', () => {
  const document = documentOf('d10-pool')
  const warned = (length: number) => {
    const traits = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`t${i}`.padEnd(length, 'x'), { group: 'skills' }]))
    const { warnings } = compileRuleset({ ...document, traits, derived: {}, trackers: {}, rolls: {}, experience: { raise: [] } })
    return warnings.filter(({ field }) => field === 'traits').map(({ message }) => message)
  }
  assert.deepEqual(warned(25), [])
  assert.deepEqual(warned(26), [
    'with their values, the traits take up to 15501 characters as JSON, and a character can store 15202: shorten names',
  ])
})

test('every pack compiles without faults and warnings, and its examples hold', () => {
  assert.deepEqual([...documents.keys()].toSorted(), ['action-dice', 'd10-pool', 'fate-core', 'srd-5.2'])
  for (const name of documents.keys()) {
    const { ruleset, faults, warnings, cost } = compileRuleset(documentOf(name))
    assert.deepEqual([faults, cost < 1000], [[], true], name)
    assert.ok(ruleset)
    const results = tryExamples(ruleset)
    assert.ok(results.length > 0 && results.every(({ holds }) => holds), `${name} ${JSON.stringify(results)}`)
    assert.ok(warnings.length < 10, `${name} ${JSON.stringify(warnings)}`)
  }
})

/** The places of all numbers that the examples of a document expect: each is a function that changes one of them in a copy. */
function expectations({ examples = [] }: RulesetDocument): ((copy: RulesetDocument) => void)[] {
  return examples.flatMap(({ expect }, i) => {
    const expected = (copy: RulesetDocument) => copy.examples?.[i]?.expect as Required<typeof expect>
    const add = (numbers: Record<string, number>, name: string) => {
      numbers[name] = (numbers[name] as number) + 1
    }
    return [
      ...Object.keys(expect.derived ?? {}).map((name) => (copy: RulesetDocument) => add(expected(copy).derived, name)),
      ...Object.keys(expect.limits ?? {}).map((name) => (copy: RulesetDocument) => add(expected(copy).limits, name)),
      ...(expect.prices ?? []).map((_, j) => (copy: RulesetDocument) => add(expected(copy).prices[j] as never, 'cost')),
      ...(expect.rolls ?? []).map((_, j) => (copy: RulesetDocument) => add(expected(copy).rolls[j] as never, 'score')),
      ...(expect.rolls ?? []).map(
        (_, j) => (copy: RulesetDocument) => void Object.assign(expected(copy).rolls[j] ?? {}, { code: 'other' }),
      ),
    ]
  })
}

test('an example fails as soon as one number or code that it expects is another one', () => {
  let changed = 0
  for (const name of documents.keys())
    for (const change of expectations(documentOf(name))) {
      const copy = documentOf(name)
      change(copy)
      assert.equal(tryExamples(compiled(copy)).filter(({ holds }) => !holds).length, 1, `${name}: ${change}`)
      changed++
    }
  assert.ok(changed > 30, `only ${changed} were changed`)
})

test('the d10 pool as data has the score and outcome of the pool engine', () => {
  const random = randomFrom(7)
  for (let i = 0; i < 100_000; i++) {
    const [might, fighting, difficulty] = [1 + random(5), random(6), 2 + random(9)]
    const roll = rollOf(d10, 'test', { traits: { might, fighting } }, { attribute: 'might', skill: 'fighting', difficulty })
    const shown = Array.from({ length: might + fighting }, () => random(10))
    const from = () => {
      let next = 0
      return () => shown[next++] as number
    }
    const { dice, value } = evaluate(parse(roll.resolved.notation), from())
    const { score, outcome } = roll.judge(dice, value)
    const pool = rollPool({ sides: 10, dice: might + fighting, difficulty, desperation_dice: 0 } as never, from())
    assert.deepEqual([score, outcome], [pool.net, pool.outcome], `${shown} at ${difficulty}`)
  }
})

test('a sheet has defaults, derived values, limits and faults', () => {
  const fighter: Sheet = {
    traits: { strength: 16, dexterity: 9, constitution: 14, level: 5 },
    choices: { class: 'fighter' },
    xp: { earned: 6500 },
  }
  const { traits, derived, trackers, faults } = deriveSheet(srd, fighter)
  assert.deepEqual([traits.wisdom, traits.strength, derived.dex_mod, derived.proficiency, derived.level_earned], [10, 16, -1, 3, 5])
  assert.deepEqual(trackers.hp, { value: 44, min: 0, max: 44 })
  assert.deepEqual(faults, [])
  const wounded = deriveSheet(srd, {
    ...fighter,
    trackers: { hp: 50 },
    conditions: { exhaustion: 7 },
    traits: { strength: 31, luck: 1 },
    choices: { class: 'lawyer', clan: 'x' },
  })
  assert.deepEqual(
    wounded.faults.map(({ field, level }) => [field, level]),
    [
      ['traits.strength', 'ERROR'],
      ['traits.luck', 'ERROR'],
      ['choices.clan', 'ERROR'],
      ['choices.class', 'ERROR'],
      ['conditions.exhaustion', 'ERROR'],
      ['trackers.hp', 'WARNING'],
    ],
  )
  assert.deepEqual(
    deriveSheet(srd, {}).faults.map(({ message }) => message),
    ['must be chosen'],
  )
  assert.deepEqual(deriveSheet(srd, {}, { isPlayer: false }).faults, [])
  const broken = deriveSheet(fate, { traits: { fight: 4 } }).faults
  assert.match(broken[0]?.message ?? '', /Columns/)
})

test('prices add up step by step, may pay, and are refused with a reason', () => {
  const soldier: Sheet = { traits: { might: 2 }, choices: { concept: 'soldier' } }
  const cost = (trait: string, to: number) => {
    const price = priceOf(d10, soldier, trait, to)
    return isRefused(price) ? price.code : price.cost
  }
  assert.deepEqual(
    [cost('fighting', 3), cost('might', 4), cost('hunted', 1), cost('might', 2), cost('might', 6), cost('luck', 1)],
    [18, 35, -2, 'not_raised', 'out_of_range', 'unknown_trait'],
  )
  const level = (earned: number) => priceOf(srd, { traits: { level: 5 }, xp: { earned } }, 'level', 6)
  assert.deepEqual(
    [level(13_999), level(14_000)].map((price) => (isRefused(price) ? price.code : price.cost)),
    ['needs_not_met', 0],
  )
  const strength = priceOf(srd, {}, 'strength', 12)
  assert.equal(isRefused(strength) && strength.code, 'not_for_experience')
})

test('a roll becomes plain notation, with its inputs, values and what it costs', () => {
  const attack = rollOf(srd, 'attack', { traits: { strength: 16, level: 5 } }, { mode: 'advantage', armor: 15 })
  assert.deepEqual(attack.resolved, {
    notation: '2d20kh1',
    groupOfTerm: ['d20'],
    values: { all: 6 },
    inputs: { ability: 'str', mode: 'advantage', bonus: 0, armor: 15 },
    moves: {},
    read: { str_mod: 3, dex_mod: 0, proficiency: 3, exhaustion: 0, all: 6 },
    choices: {},
  })
  const action = rollOf(fate, 'action', { traits: { fight: 3 } }, { skill: 'fight' }, { invokes: 2 })
  assert.deepEqual(action.resolved.moves, { fate_points: -2 })
  const dread = rollOf(d10, 'test', { campaign: { desperation: 2 } }, { attribute: 'might', desperate: 3 })
  assert.deepEqual([dread.resolved.notation, dread.resolved.groupOfTerm], ['1d10 + 2d10', ['normal', 'dread']])
  const faults = (inputs: object, spends: object = {}) => {
    try {
      return rollOf(d10, 'test', {}, inputs, spends).resolved.notation
    } catch (error) {
      assert.ok(error instanceof RollFault)
      return error.message
    }
  }
  assert.equal(faults({}), 'inputs.attribute: is required: a trait of attributes')
  assert.equal(faults({ attribute: 'lore' }), 'inputs.attribute: must be a trait of attributes')
  assert.equal(faults({ attribute: 'constructor' }), 'inputs.attribute: must be a trait of attributes')
  assert.equal(faults({ attribute: 'might', difficulty: 11 }), 'inputs.difficulty: must be a whole number from 2 to 10')
  assert.equal(faults({ attribute: 'might', difficulty: '6' }), 'inputs.difficulty: must be a whole number from 2 to 10')
  assert.equal(faults({ attribute: 'might', luck: 1 }), 'inputs.luck: is none of attribute, skill, modifier, difficulty, desperate')
  assert.equal(faults({ attribute: 'might' }, { effort: 4 }), 'spends.effort: must be a whole number from 0 to 3')
  assert.equal(faults({ attribute: 'might' }, { luck: 1 }), 'spends.luck: cannot be paid with this roll')
})

test('random characters break no rule of their creation, and no rule of the sheet', () => {
  const random = randomFrom(11)
  for (const name of documents.keys()) {
    const ruleset = rulesetOf(name)
    for (let i = 0; i < 1000; i++) {
      let sheet: Sheet = {}
      for (const { id, methods } of ruleset.creation) {
        const method = methods[random(methods.length)]
        assert.ok(method)
        const rolled = rollValues(method, random)
        const answer = randomAnswer(ruleset, method, sheet, random, rolled)
        assert.deepEqual(faultsOfAnswer(ruleset, method, sheet, answer, rolled), [], `${name}, ${id}`)
        sheet = withAnswer(ruleset, sheet, method, answer)
      }
      assert.deepEqual(errorsOf(ruleset, sheet), [], name)
    }
  }
})

test('a generated character has the given choices, and a tier spends its experience by the prices', () => {
  const document = documentOf('d10-pool')
  const ruleset = compiled({ ...document, creation: { steps: document.creation?.steps ?? [], tiers: { veteran: 60 } } })
  const random = randomFrom(3)
  for (let i = 0; i < 50; i++) {
    const sheet = generateSheet(ruleset, random, { choices: { concept: 'fixer' }, tier: 'veteran' })
    assert.equal(sheet.choices?.concept, 'fixer')
    const { earned = 0, spent = 0 } = sheet.xp ?? {}
    assert.ok(earned === 60 && spent > 50 && spent <= 60, `${spent}`)
    assert.deepEqual(errorsOf(ruleset, sheet), [])
  }
  assert.equal(Object.keys(generateSheet(srd, random).choices ?? {}).length, 1)
})

test('the glossary has everything with a label, and the schema of characters has their ranges', () => {
  const entries = glossaryOf(srd.document)
  const found = (name: string) => entries.find((entry) => entry.name === name)
  assert.deepEqual(
    [found('animal_handling')?.term, found('class.fighter')?.kind, found('hp')?.kind, found('attack')?.term],
    ['Animal Handling', 'OPTION', 'TRACKER', 'Attack roll'],
  )
  assert.equal(glossaryOf(d10.document)[0]?.term, 'pool')
  const schema = JSON.parse(JSON.stringify(characterSchema(srd)))
  assert.deepEqual(schema.properties.traits.properties.strength, {
    type: 'integer',
    title: 'Strength',
    minimum: 1,
    maximum: 30,
    default: 10,
  })
  assert.deepEqual([schema.properties.choices.required, schema.properties.conditions.properties.exhaustion.maximum], [['class'], 6])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceInWords } from '../src/tray/chance.ts'
import { addDie, type Draft, isFinished, namesIn, readDraft, toggleTrait } from '../src/tray/request.ts'

const draft = (part: Partial<Draft>): Draft => ({
  mode: 'pool',
  notation: '',
  target: '',
  pool: '',
  difficulty: '6',
  desperation: 0,
  ...part,
})

test('the text of a pool becomes dice or traits', () => {
  const cases: [Partial<Draft>, unknown][] = [
    [{ pool: '5' }, { dice: 5, difficulty: 6 }],
    [{ pool: '5 + 2 - 1', difficulty: '' }, { dice: 6 }],
    [{ pool: 'wits + stealth' }, { traits: ['wits', 'stealth'], difficulty: 6 }],
    [
      { pool: 'Self Control-2', desperation: 2 },
      { traits: ['self_control'], modifier: -2, difficulty: 6, desperation_dice: 2 },
    ],
    [{ pool: '1 + wits+2' }, { traits: ['wits'], modifier: 3, difficulty: 6 }],
  ]
  for (const [given, pool] of cases) assert.deepEqual(readDraft(draft(given)), { dice: { pool } }, JSON.stringify(given))
  for (const pool of ['', '  ', '+', 'wits - stealth']) assert.ok('fault' in readDraft(draft({ pool })), JSON.stringify(pool))
})

test('a die that is pressed is added to the notation', () => {
  const cases: [before: string, die: string, after: string][] = [
    ['', 'd6', '1d6'],
    ['1d6', 'd6', '2d6'],
    ['d6', 'd6', '2d6'],
    ['2d6', 'd8', '2d6+1d8'],
    ['1d8-9d6', 'd6', '1d8-10d6'],
    ['1d6+3', 'd6', '1d6+3+1d6'],
    ['1d%', 'd%', '2d%'],
  ]
  for (const [before, die, after] of cases) assert.equal(addDie(draft({ notation: before }), die).notation, after, before)
})

test('notation is passed on as it is', () => {
  assert.deepEqual(readDraft(draft({ mode: 'notation', notation: ' 4d6kh3 + {wits} ' })), { dice: { notation: '4d6kh3 + {wits}' } })
  assert.deepEqual(readDraft(draft({ mode: 'notation', notation: '1d20', target: ' 15' })), { dice: { notation: '1d20', target: 15 } })
  assert.ok('fault' in readDraft(draft({ mode: 'notation', notation: ' ' })))
  for (const notation of ['2d', '2d6+', '1d6+{wi', '6d10>=', '(2d6']) {
    assert.equal(isFinished({ notation }), notation === '(2d6', notation)
  }
})

test('a trait goes into the field, and out of a pool again', () => {
  const once = toggleTrait(draft({ pool: 'wits - 1' }), 'stealth')
  assert.equal(once.pool, 'wits - 1 + stealth')
  assert.deepEqual(namesIn(once.pool), ['wits', 'stealth'])
  assert.equal(toggleTrait(once, 'wits').pool, '-1 + stealth')
  assert.equal(toggleTrait(draft({}), 'wits').pool, 'wits')
  assert.equal(toggleTrait(draft({ mode: 'notation', notation: '1d20' }), 'wits').notation, '1d20+{wits}')
})

test('chances are said in small numbers', () => {
  const cases: [number, string][] = [
    [0, 'never'],
    [0.01, 'almost never'],
    [0.1, 'about 1 in 10 times'],
    [0.25, 'about 1 in 4 times'],
    [1 / 3, 'about 1 in 3 times'],
    [0.5, 'about 1 in 2 times'],
    [0.745, 'about 3 in 4 times'],
    [0.9, 'about 9 in 10 times'],
    [0.99, 'almost always'],
    [1, 'always'],
  ]
  for (const [chance, words] of cases) assert.equal(chanceInWords(chance), words)
})

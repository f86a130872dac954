import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPool } from '../test/pools.ts'
import { type Pair, proven } from '../test/proven.ts'
import type { Die } from './evaluate.ts'
import { DiceFault, ProofFault, verifyRoll } from './index.ts'
import type { Proof, ProvenRoll } from './proof.ts'

const HOLDS = 'The proof holds: the commitment follows from the seed, the words from both seeds and the nonce'

test('every roll holds, with the sentence of what was checked', async () => {
  for (const notation of [
    '4d6kh3+2',
    '12d10>=7f1',
    '5d6!',
    '8d6r<=2',
    '9dF',
    '20d%',
    '3d10000',
    '7',
    '1000d2',
    '900d2!r=1+2d6!',
    '9d6!>=5',
  ]) {
    const { proof, roll } = proven({ notation })
    assert.deepEqual(await verifyRoll(proof), { holds: true, message: `${HOLDS}.`, faults: [] }, notation)
    const verdict = { holds: true, message: `${HOLDS}, and the dice from the words.`, faults: [] }
    assert.deepEqual(await verifyRoll(proof, JSON.parse(JSON.stringify(roll))), verdict, notation)
  }
})

test('any pool of any seed holds', async () => {
  await fc.assert(
    fc.asyncProperty(anyPool(10), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }), async (pool, seed, nonce) => {
      const { proof, roll } = proven({ pool }, seed, nonce)
      const { faults } = await verifyRoll(proof, roll)
      assert.deepEqual(faults, [], JSON.stringify(roll))
    }),
    { numRuns: 300 },
  )
})

const SEED = 'The seed does not match the commitment.'
const WORDS = 'The words do not follow from the seeds and the nonce.'
const DICE = 'The dice do not follow from the words.'
const RESULT = 'The result does not follow from the dice.'

test('a changed proof or roll does not hold, and every fault is named', async () => {
  const { proof, roll } = proven({ notation: '40d100' })
  const [first = assert.fail(), ...others] = roll.dice
  const [word = assert.fail(), ...words] = proof.words
  for (const [title, changedProof, changedRoll, faults] of [
    ['another commitment', { commitment: '00'.repeat(32) }, {}, [SEED]],
    ['a commitment in capitals', { commitment: proof.commitment.toUpperCase() }, {}, [SEED]],
    ['another seed', { server_seed: '00'.repeat(32) }, {}, [SEED, WORDS, DICE, RESULT]],
    ['another client seed', { client_seed: 'My-own_SEED' }, {}, [WORDS, DICE, RESULT]],
    ['another nonce', { nonce: 2 }, {}, [WORDS, DICE, RESULT]],
    ['another word', { words: [(word + 1) % 2 ** 32, ...words] }, {}, [WORDS]],
    ['a word less', { words: proof.words.slice(0, -1) }, {}, [DICE]],
    ['no words', { words: [] }, {}, [DICE]],
    ['a word more', { words: [...proof.words, 0] }, {}, [WORDS, DICE]],
    ['another die', {}, { dice: [{ ...first, value: (first.value % 100) + 1 }, ...others] }, [DICE]],
    ['another flag', {}, { dice: [{ ...first, flags: ['dropped'] }, ...others] }, [DICE]],
    ['a die less', {}, { dice: others }, [DICE]],
    ['another total', {}, { total: 4000 }, [RESULT]],
    ['a total as successes', {}, { net: roll.total, total: null }, [RESULT]],
    ['another outcome', {}, { outcome: 'CRITICAL' }, [RESULT]],
    ['a margin without a target', {}, { margin: 1 }, [RESULT]],
    ['another roll', {}, { id: 'q' }, ['The proof belongs to another roll.']],
    ['hidden notation', {}, { notation: null }, ['The notation of this roll is hidden from you, so its dice cannot be checked.']],
    ['a hidden seed', { server_seed: null }, {}, ['The seed is not revealed yet. Rotate it, and get the proof again.']],
    ['nothing', {}, {}, []],
  ] as [string, Partial<Proof>, Partial<ProvenRoll>, string[]][]) {
    const verdict = await verifyRoll({ ...proof, ...changedProof }, { ...roll, ...changedRoll })
    assert.deepEqual(verdict.faults, faults, title)
    assert.equal(verdict.holds, faults.length === 0, title)
    if (!verdict.holds) assert.equal(verdict.message, faults.join('\n'), title)
  }
})

test('the settlement, the target and the natural faces count for the outcome', async () => {
  const { proof, roll } = proven({ notation: '1d20' })
  const total = roll.total as number
  const against = (changes: Partial<ProvenRoll>) => verifyRoll(proof, { ...roll, ...changes }).then(({ holds }) => holds)
  assert.equal(await against({ target: total, compare: 'AT_LEAST', margin: 0, outcome: 'SUCCESS' }), true)
  assert.equal(await against({ target: total, compare: 'AT_LEAST', margin: 0, outcome: 'FAILURE' }), false)
  assert.equal(await against({ target: total - 1, compare: 'AT_MOST', margin: -1, outcome: 'FAILURE' }), true)
  const pool = { sides: 10, dice: 30, difficulty: 2, desperation_dice: 1 }
  const strains = ({ roll: { dice } }: Pair) => dice.some(({ kind, value }) => kind === 'DESPERATION' && value === 1)
  const pooled = Array.from({ length: 100 }, (_, seed) => proven({ pool }, seed)).find(strains) as Pair
  const settled = { ...pooled.roll, settlement: 'DESPAIR', outcome: 'FAILURE' }
  assert.notEqual(pooled.roll.outcome, 'FAILURE')
  assert.deepEqual((await verifyRoll(pooled.proof, settled)).faults, [])
  assert.deepEqual((await verifyRoll(pooled.proof, { ...settled, settlement: null })).faults, [RESULT])
  const calm = proven({ pool: { ...pool, desperation_dice: 0 } })
  const forged = { ...calm.roll, settlement: 'DESPAIR', outcome: 'FAILURE' }
  assert.deepEqual((await verifyRoll(calm.proof, forged)).faults, ['The roll has a settlement, but no desperation die shows 1.'])
  const [first, ...others] = calm.roll.dice as [Die, ...Die[]]
  for (const change of [{ counts_as: 99 }, { flags: [...first.flags, 'natural_max' as const] }])
    assert.deepEqual((await verifyRoll(calm.proof, { ...calm.roll, dice: [{ ...first, ...change }, ...others] })).faults, [DICE])
  const { margin: _, ...earlier } = pooled.roll
  assert.deepEqual((await verifyRoll(pooled.proof, earlier)).faults, [], 'earlier versions stored no margin')
})

test('anything that is not a proof or not a roll is rejected with the field and the reason', async () => {
  const { proof, roll } = proven({ notation: '2d6' })
  const { roll: pooled } = proven({ pool: { sides: 10, dice: 3, difficulty: 6, desperation_dice: 0 } })
  const notProofs: [unknown, RegExp][] = [
    ...[null, undefined, 'text', 7, true, [], [proof], () => proof].map((value): [unknown, RegExp] => [value, /: it is not an object\./]),
    [{}, /: roll_id is missing\./],
    ...['roll_id', 'commitment', 'client_seed', 'nonce', 'words', 'server_seed'].map((name): [unknown, RegExp] => [
      { ...proof, [name]: undefined },
      new RegExp(`: ${name} is missing\\.`),
    ]),
    [{ ...proof, roll_id: 7 }, /: roll_id must be a text\./],
    [{ ...proof, commitment: null }, /: commitment must be a text\./],
    ...['', 'é', 'a:b', 'x\n', 'x'.repeat(65), 5, null].map((client_seed): [unknown, RegExp] => [
      { ...proof, client_seed },
      /: client_seed must be 1 to 64 characters/,
    ]),
    ...[0, -1, 1.5, '1', 2 ** 31, Number.NaN, Infinity, null].map((nonce): [unknown, RegExp] => [
      { ...proof, nonce },
      /: nonce must be a whole number from 1 to 2147483647\./,
    ]),
    ...['text', {}, [-1], [1.5], ['1'], [2 ** 32], [null], new Array(100_001).fill(0)].map((words): [unknown, RegExp] => [
      { ...proof, words },
      /: words must be a list of at most 100000 32-bit words\./,
    ]),
    ...['', 'zz', '00'.repeat(31), '00'.repeat(33), 'AB'.repeat(32), `${'00'.repeat(32)}\n`, 7, {}].map(
      (server_seed): [unknown, RegExp] => [{ ...proof, server_seed }, /: server_seed must be 64 lowercase hex digits, or null\./],
    ),
    [roll, /^This is a roll, not a proof\. Get its proof with GET/],
  ]
  for (const [value, reason] of notProofs) await assertRejects(verifyRoll(value), 'proof', reason)
  const notRolls: [unknown, RegExp][] = [
    ...[null, 'text', 7, []].map((value): [unknown, RegExp] => [value, /: it is not an object\./]),
    [proof, /: id is missing\./],
    [{ ...roll, notation: undefined }, /: notation is missing\./],
    [{ ...roll, notation: 7 }, /: notation must be a text, or null\./],
    [{ ...roll, notation: '4d6kh3+' }, /: notation is invalid at position 8: a number, dice such as 2d6/],
    [{ ...roll, notation: 'd6+'.repeat(400) }, /: notation is invalid at position 1025: .*at most 1024/],
    [{ ...roll, dice: {} }, /: dice must be a list of at most 1000 dice\./],
    [{ ...roll, dice: [null] }, /: dice must be a list of at most 1000 dice\./],
    [{ ...roll, dice: [{ ...roll.dice[0], flags: 'kept' }] }, /: dice must be a list/],
    [{ ...roll, dice: new Array(1001).fill(roll.dice[0]) }, /: dice must be a list/],
    [{ ...roll, dice: [], truncated: true }, /: it comes from a list, which leaves out its dice\./],
    [{ ...roll, total: '7' }, /: total must be a whole number, or null\./],
    [{ ...roll, naturals: 'yes' }, /: naturals must be true or false, or null\./],
    [{ ...pooled, pool: 'text' }, /: pool must be an object, or null\./],
    [{ ...pooled, pool: {} }, /: pool\.sides is missing\./],
    // These would roll without end, or for very long.
    [{ ...pooled, pool: { ...pooled.pool, sides: 2 ** 33 } }, /: pool\.sides must be a whole number from 2 to 10000\./],
    [{ ...pooled, pool: { ...pooled.pool, dice: 1e6 } }, /: pool must have at most 1000 dice\./],
    [{ ...pooled, pool: { ...pooled.pool, special: { count: -1 } } }, /: pool\.special must be special dice with a count, or null\./],
  ]
  for (const [value, reason] of notRolls) await assertRejects(verifyRoll(proof, value), 'roll', reason)
})

async function assertRejects(verdict: Promise<unknown>, subject: 'proof' | 'roll', reason: RegExp): Promise<void> {
  await assert.rejects(verdict, (error: unknown) => {
    assert.ok(error instanceof ProofFault && error instanceof DiceFault, String(error))
    assert.deepEqual([error.name, error.subject, error.message], ['ProofFault', subject, `This ${error.detail}`])
    assert.match(error.message, reason)
    assert.match(error.message, /^This is (not )?a (proof|roll).*\. Get .* GET \.\.\.\/dice-rolls\/\{roll_id\}(\/proof)?\.$/)
    return true
  })
}

test('a runtime without WebCrypto is told so', async () => {
  const { proof } = proven({ notation: '2d6' })
  const crypto = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor
  for (const value of [undefined, {}]) {
    Object.defineProperty(globalThis, 'crypto', { value, configurable: true })
    await assert.rejects(verifyRoll(proof), /WebCrypto is missing: crypto\.subtle is undefined\. Browsers have it only on https/)
  }
  Object.defineProperty(globalThis, 'crypto', crypto)
  assert.equal((await verifyRoll(proof)).holds, true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPool } from '../test/pools.ts'
import { proven } from '../test/proven.ts'
import { explainRoll, type Proof, type ProvenRoll } from './index.ts'

const holdsOf = async (proof: unknown, roll?: unknown) => {
  const { commitment, words, dice } = await explainRoll(proof, roll)
  return [commitment.holds, words.holds, dice.holds]
}

test('each step has what is stated and what is computed', async () => {
  const { proof, roll } = proven({ notation: '4d6kh3+2' })
  const { commitment, words, dice } = await explainRoll(proof, JSON.parse(JSON.stringify(roll)))
  assert.deepEqual(commitment, { holds: true, faults: [], stated: proof.commitment, computed: proof.commitment })
  assert.deepEqual(words, { holds: true, faults: [], stated: proof.words, computed: proof.words })
  assert.deepEqual([dice.holds, dice.faults, dice.stated, dice.differing], [true, [], roll, []])
  const { drawn, ...computed } = dice.computed ?? assert.fail()
  const { dice: rolled, net, total, outcome, margin } = roll
  assert.deepEqual(computed, { dice: rolled, net, total, outcome, margin })
  assert.deepEqual(drawn.flat(), proof.words)
})

test('the last word of each die makes its face, and all words of the proof are taken', async () => {
  // A die with 10,000 sides discards one word in about 587,000, so the share of discarded words is tested with a forged list below.
  await fc.assert(
    fc.asyncProperty(anyPool(10), fc.integer({ min: 0, max: 255 }), async (pool, seed) => {
      const { proof, roll } = proven({ pool }, seed)
      const { dice } = await explainRoll(proof, roll)
      const { dice: rolled, drawn } = dice.computed ?? assert.fail()
      assert.equal(drawn.length, rolled.length)
      for (const [i, { sides, value }] of rolled.entries()) assert.equal(((drawn[i]?.at(-1) as number) % sides) + 1, value)
      assert.deepEqual(drawn.flat(), proof.words)
    }),
    { numRuns: 100 },
  )
  const { proof, roll } = proven({ notation: '1d6' })
  const die = { ...roll.dice[0], value: 3 }
  // 2^32 - 1 lies beyond the largest multiple of 6.
  const forged = { ...proof, server_seed: null, words: [2 ** 32 - 1, 2] }
  const { dice } = await explainRoll(forged, { ...roll, dice: [die], total: 3 })
  assert.deepEqual([dice.holds, dice.computed?.drawn], [true, [[2 ** 32 - 1, 2]]])
})

test('a changed value fails the step that it belongs to', async () => {
  const { proof, roll } = proven({ notation: '8d10' })
  const [first = assert.fail(), ...others] = roll.dice
  const changed = { ...first, value: (first.value % 10) + 1 }
  for (const [title, changedProof, changedRoll, holds] of [
    ['the commitment', { commitment: '00'.repeat(32) }, {}, [false, true, true]],
    ['the seed', { server_seed: '00'.repeat(32) }, {}, [false, false, false]],
    ['a word', { words: [((proof.words[0] as number) + 1) % 2 ** 32, ...proof.words.slice(1)] }, {}, [true, false, true]],
    ['a die', {}, { dice: [changed, ...others] }, [true, true, false]],
    ['the total', {}, { total: 80 }, [true, true, false]],
    ['another roll', {}, { id: 'q' }, [true, true, false]],
    ['hidden notation', {}, { notation: null }, [true, true, null]],
  ] as [string, Partial<Proof>, Partial<ProvenRoll>, (boolean | null)[]][])
    assert.deepEqual(await holdsOf({ ...proof, ...changedProof }, { ...roll, ...changedRoll }), holds, title)
  const { dice } = await explainRoll(proof, { ...roll, dice: [changed, ...others] })
  assert.deepEqual([dice.computed?.dice[0], dice.differing], [first, [0]], 'the difference can be shown')
  const shorter = await explainRoll(proof, { ...roll, dice: roll.dice.slice(0, 6) })
  assert.deepEqual(shorter.dice.differing, [6, 7])
})

test('before the seed is revealed only the dice can be checked, with the words of the proof', async () => {
  const { proof, roll } = proven({ notation: '5d6!o' })
  const hidden = { ...proof, server_seed: null }
  assert.deepEqual(await holdsOf(hidden, roll), [null, null, true])
  assert.deepEqual(await holdsOf(hidden), [null, null, null])
  assert.deepEqual(await holdsOf({ ...hidden, words: proof.words.slice(0, -1) }, roll), [null, null, false], 'a word less')
  assert.deepEqual(await holdsOf({ ...hidden, words: [...proof.words, 1] }, roll), [null, null, false], 'a word more')
  const { commitment, words, dice } = await explainRoll({ ...hidden, words: [] }, roll)
  assert.deepEqual([commitment.computed, words.computed, dice.computed], [null, null, null])
  for (const { faults } of [commitment, words]) assert.match(faults.join(), /not revealed yet/)
  assert.deepEqual(await holdsOf(proof), [true, true, null], 'a proof alone has no dice')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFrom } from './draw.ts'
import { commitmentOf, wordsOf } from './node-crypto.ts'

const server_seed = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
const source = { server_seed, client_seed: 'guildhall', nonce: 1 }

test('words are eight per block of HMAC-SHA-256, as in another implementation', () => {
  // python3: hmac.new(bytes(range(32)), b"guildhall:1:0", "sha256").hexdigest(), and the same with :1
  const expected =
    'ac378289b4a57519ed81e95fdc4fbef7a6a0550d126918b9881e96d223513db2' + 'c850cc661f839076338199985214f7c91c6c6580babc571e35fe06e3de9eac4d'
  const words = wordsOf(source)
  const hex = Array.from({ length: 16 }, () => words.next().value.toString(16).padStart(8, '0')).join('')
  assert.equal(hex, expected)
  assert.equal(commitmentOf(server_seed), '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd')
})

test('a word that would bias the die is rejected, and counted as used', () => {
  const take = (words: number[], sides: number) => {
    const draw = drawFrom(words[Symbol.iterator]() as Iterator<number, never>)
    return [draw(sides), draw.used]
  }
  assert.deepEqual(take([0], 6), [0, 1])
  assert.deepEqual(take([4_294_967_291], 6), [5, 1], 'the last of the whole sixes')
  assert.deepEqual(take([4_294_967_292, 4_294_967_295, 7], 6), [1, 3])
  assert.deepEqual(take([4_294_967_295], 2), [1, 1], 'no word is too many for a power of two')
  assert.deepEqual(take([4_294_967_295, 4_294_960_000, 3], 10_000), [3, 3])
})

// The seed is always the same, so that a million in every run would prove nothing new.
const DICE = process.env.TEST_EVERYTHING ? 1_000_000 : 100_000

test(`all faces are equally likely: chi-square over ${DICE} dice of each size`, (t) => {
  for (const sides of [4, 6, 8, 10, 12, 20, 100]) {
    const draw = drawFrom(wordsOf({ server_seed, client_seed: `fair-${sides}`, nonce: 1 }))
    const faces = new Array<number>(sides).fill(0)
    for (let i = 0; i < DICE; i++) {
      const face = draw(sides)
      faces[face] = (faces[face] as number) + 1
    }
    const expected = DICE / sides
    const chi = faces.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0)
    // Wilson and Hilferty: the distance from the expected value, in standard deviations.
    const freedom = sides - 1
    const z = (Math.cbrt(chi / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom))
    t.diagnostic(`d${sides}: chi-square ${chi.toFixed(1)} of ${freedom}, ${z.toFixed(2)} deviations`)
    assert.ok(Math.abs(z) < 3.3, `d${sides}: ${z}`)
  }
})

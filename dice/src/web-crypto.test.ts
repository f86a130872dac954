import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawFrom, WORDS_PER_BLOCK } from './draw.ts'
import * as node from './node-crypto.ts'
import { bytesOfHex, commitmentOf, withWords } from './web-crypto.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((seed) => Uint8Array.from(seed))
const anySource = fc.record({
  server_seed: bytes,
  client_seed: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  nonce: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
})
const anySides = fc.oneof(fc.constantFrom(2, 3, 6, 10, 20, 100), fc.integer({ min: 2, max: 10_000 }))

test('both sources draw the same faces from the same words, for any seeds, nonce and dice', async () => {
  await fc.assert(
    fc.asyncProperty(anySource, fc.array(anySides, { maxLength: 60 }), fc.nat({ max: 80 }), async (source, dice, expected) => {
      const rolled = (draw: ReturnType<typeof drawFrom>) => ({
        shown: dice.map((sides) => draw(sides)),
        used: draw.used,
        faces: draw.faces,
      })
      const web = await withWords(source, expected, (words) => rolled(drawFrom(words())))
      assert.deepEqual(web, rolled(drawFrom(node.wordsOf(source))))
    }),
    { numRuns: 500 },
  )
})

test('both sources publish the same commitment', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (seed) => {
      assert.equal(await commitmentOf(seed), node.commitmentOf(seed))
      assert.deepEqual(bytesOfHex(Buffer.from(seed).toString('hex')), seed)
    }),
  )
})

test('a function that takes more words than expected runs again, and each run begins with the first word', async () => {
  const source = { server_seed: new Uint8Array(32), client_seed: 'x', nonce: 1 }
  const take = (words: Iterator<number, never>, count: number) => Array.from({ length: count }, () => words.next().value)
  const expected = take(node.wordsOf(source), 5 * WORDS_PER_BLOCK)
  let runs = 0
  const found = await withWords(source, 0, (words) => {
    runs++
    return [take(words(), expected.length), take(words(), 3)]
  })
  assert.deepEqual(found, [expected, expected.slice(0, 3)])
  assert.equal(runs, 5, 'with 0, 1, 2, 4 and 8 blocks')
  await assert.rejects(
    withWords(source, 1, () => assert.fail('its own error')),
    /its own error/,
  )
})

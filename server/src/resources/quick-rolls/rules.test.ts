import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overridden, patchedContent, refuseUnfit, replacing, requestOf } from './rules.ts'
import { CONTENT_FIELDS, type Content } from './schema.ts'

const saved = (fields: Partial<Content>): Content => ({
  ...(Object.fromEntries(CONTENT_FIELDS.map((field) => [field, null])) as Content),
  ...fields,
})
const POOL = { sides: 10, modifier: 0, desperation_dice: 0 }

test('what is saved becomes the body of a roll, without its unset fields and with the defaults of a pool', () => {
  assert.deepEqual(requestOf(saved({ notation: '1d20', target: 15 })), { notation: '1d20', target: 15 })
  assert.deepEqual(requestOf(saved({ pool: { dice: 3 } })), { pool: { ...POOL, dice: 3 } })
  assert.deepEqual(requestOf(saved({ rolls: [{ notation: '1d20' }, { pool: { dice: 2, sides: 6 } }] })), {
    rolls: [{ notation: '1d20' }, { pool: { ...POOL, dice: 2, sides: 6 } }],
  })
})

test('a patch keeps the rest of the content, and a new kind of roll replaces all of it', () => {
  const before = saved({ notation: '1d20', target: 15, naturals: true })
  assert.deepEqual(patchedContent(before, { target: 12 }), { ...before, target: 12 })
  assert.deepEqual(patchedContent(before, { name: 'Renamed' }), before)
  assert.deepEqual(patchedContent(before, { pool: { dice: 3 } }), saved({ pool: { dice: 3 } }))
  assert.deepEqual(patchedContent(before, { target: null }), { ...before, target: null })
})

test('a request overrides values of a pool, and adds its inputs to those that are saved', () => {
  const pool = saved({ pool: { dice: 3, success: 8 }, values: { luck: 1, grit: 2 } })
  assert.deepEqual(overridden(pool, { difficulty: 6, modifier: -1, values: { luck: 5 } }), {
    pool: { ...POOL, dice: 3, difficulty: 6, modifier: -1 },
    values: { luck: 5, grit: 2 },
  })
  assert.deepEqual(overridden(saved({ notation: '1d20' }), { target: 9, missing: 'ZERO' }), {
    notation: '1d20',
    target: 9,
    missing: 'ZERO',
  })
  assert.throws(() => overridden(saved({ notation: '1d20' }), { modifier: 1 }), { status: 400 })
})

test('only a roll that nothing can make valid is rejected when it is saved', () => {
  for (const fine of [{ notation: '1d20+{str_mod}' }, { notation: '{a}d6' }, { pool: { traits: ['wits'] } }, { pool: { dice: 0 } }])
    assert.doesNotThrow(() => refuseUnfit(saved(fine)), JSON.stringify(fine))
  for (const unfit of [{ notation: '1d' }, { notation: '99999d6' }, { notation: '1d20', pool: { dice: 1 } }, {}])
    assert.throws(() => refuseUnfit(saved(unfit)), { status: 400 }, JSON.stringify(unfit))
})

test('the merge patch that replaces an object removes the keys that only the old one has', () => {
  assert.deepEqual(replacing({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 3 } }), { a: null, b: { c: null, d: 3 } })
  assert.deepEqual(replacing([1], { a: 1 }), { a: 1 })
  assert.equal(replacing({ a: 1 }, null), null)
})

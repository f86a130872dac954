import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { CURSOR_LENGTH, markOf, mayBeSame, NO_MARK, openCursor, sealCursor } from './cursor.ts'

const key = randomBytes(32)
const owner = { company_id: crypto.randomUUID(), reader_id: crypto.randomUUID() }
const epoch = crypto.randomUUID()

test('a cursor gives its place back, to its owner and in its epoch only', () => {
  for (const [position, mark] of [
    [0, NO_MARK],
    [1, 1n],
    [77, markOf(crypto.randomUUID())],
    [2 ** 31, 2n ** 63n],
    [Number.MAX_SAFE_INTEGER, 2n ** 64n - 1n],
  ] as const) {
    const cursor = sealCursor(key, owner, epoch, { position, mark })
    assert.match(cursor, /^[A-Za-z0-9_-]+$/)
    assert.equal(cursor.length, CURSOR_LENGTH)
    const opened = openCursor(key, owner, cursor)
    assert.deepEqual(
      [opened?.position, opened?.mark, opened?.isOf(epoch), opened?.isOf(crypto.randomUUID())],
      [position, mark, true, false],
    )
    assert.equal(openCursor(key, { ...owner, reader_id: crypto.randomUUID() }, cursor), null)
    assert.equal(openCursor(key, { ...owner, company_id: crypto.randomUUID() }, cursor), null)
    assert.equal(openCursor(randomBytes(32), owner, cursor), null)
  }
})

test('two cursors of one place have nothing in common, and no changed text is a cursor', () => {
  const [a, b] = [0, 1].map(() => sealCursor(key, owner, epoch, { position: 5, mark: 7n })) as [string, string]
  assert.notEqual(a, b)
  for (let i = 0; i < a.length; i++) {
    const changed = `${a.slice(0, i)}${a[i] === 'A' ? 'B' : 'A'}${a.slice(i + 1)}`
    assert.equal(openCursor(key, owner, changed), null)
  }
  for (const text of ['', 'x', a.slice(1), `${a}A`, `${a}=`, ' '.repeat(a.length), 'ü'.repeat(a.length), '0'.repeat(1000)])
    assert.equal(openCursor(key, owner, text), null)
})

test('the mark of an event is the random part of its id, and an unknown one contradicts none', () => {
  assert.equal(markOf('0192aaaa-bbbb-7ccc-8ddd-eeeeffff0001'), 0x8dddeeeeffff0001n)
  const [a, b] = [markOf(crypto.randomUUID()), markOf(crypto.randomUUID())]
  for (const [one, other, isSame] of [
    [a, a, true],
    [a, b, false],
    [a, NO_MARK, true],
    [NO_MARK, b, true],
  ] as const)
    assert.equal(mayBeSame(one, other), isSame)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { CURSOR_LENGTH, openCursor, sealCursor } from './cursor.ts'

const key = randomBytes(32)
const owner = { company_id: crypto.randomUUID(), reader_id: crypto.randomUUID() }
const epoch = crypto.randomUUID()

test('a cursor gives its position back, to its owner and in its epoch only', () => {
  for (const position of [0, 1, 77, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const cursor = sealCursor(key, owner, { epoch, position })
    assert.match(cursor, /^[A-Za-z0-9_-]+$/)
    assert.equal(cursor.length, CURSOR_LENGTH)
    const opened = openCursor(key, owner, cursor)
    assert.deepEqual([opened?.position, opened?.isOf(epoch), opened?.isOf(crypto.randomUUID())], [position, true, false])
    assert.equal(openCursor(key, { ...owner, reader_id: crypto.randomUUID() }, cursor), null)
    assert.equal(openCursor(key, { ...owner, company_id: crypto.randomUUID() }, cursor), null)
    assert.equal(openCursor(randomBytes(32), owner, cursor), null)
  }
})

test('two cursors of one place have nothing in common, and no changed text is a cursor', () => {
  const [a, b] = [0, 1].map(() => sealCursor(key, owner, { epoch, position: 5 })) as [string, string]
  assert.notEqual(a, b)
  for (let i = 0; i < a.length; i++) {
    const changed = `${a.slice(0, i)}${a[i] === 'A' ? 'B' : 'A'}${a.slice(i + 1)}`
    assert.equal(openCursor(key, owner, changed), null)
  }
  for (const text of ['', 'x', a.slice(1), `${a}A`, `${a}=`, ' '.repeat(a.length), 'ü'.repeat(a.length), '0'.repeat(1000)])
    assert.equal(openCursor(key, owner, text), null)
})

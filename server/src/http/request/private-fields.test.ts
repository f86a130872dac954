import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Paged } from '../../core/page.ts'
import { User } from '../../resources/users/schema.ts'
import { maskOf } from './private-fields.ts'

const user = (id: string) => ({ id, name: id, email: `${id}@example.com`, external_id: id, metadata: {} })
const masked = (id: string) => ({ ...user(id), email: null, external_id: null })

test('private fields become null in every row but that of the viewer, wherever the schema has them', () => {
  assert.deepEqual(maskOf(User)(user('mina'), 'lucy'), masked('mina'))
  assert.deepEqual(maskOf(User)(user('mina'), 'mina'), user('mina'))
  assert.deepEqual(maskOf(User)(user('mina'), undefined), masked('mina'))
  const page = { items: [user('mina'), user('lucy')], total: 2 }
  assert.deepEqual(maskOf(Paged(User))(page, 'lucy'), { items: [masked('mina'), user('lucy')], total: 2 })
  const sheet = { type: 'object', properties: { id: { type: 'string' }, player: { ...User, type: ['object', 'null'] } } }
  assert.deepEqual(maskOf(sheet)({ id: 'crane', player: user('mina') }, 'lucy'), { id: 'crane', player: masked('mina') })
  for (const row of [{ id: 'crane', player: null }, { id: 'crane' }]) assert.deepEqual(maskOf(sheet)(row, 'lucy'), row)
})

test('the value that is masked is not changed, and a schema without private fields returns it as it is', () => {
  const row = user('mina')
  maskOf(User)(row, 'lucy')
  assert.deepEqual(row, user('mina'))
  for (const schema of [{ type: 'object', properties: { email: { type: 'string' } } }, undefined])
    assert.equal(maskOf(schema)(row, 'lucy'), row)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { checksum, hashOf } from './api-key.ts'
import { newOwnedSecret, ownerOf } from './user-token.ts'

const ZERO = '00000000-0000-0000-0000-000000000000'
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

test('a user token contains the ids of its company and user', () => {
  for (const [company_id, user_id] of [
    [ZERO, MAX_ID],
    [MAX_ID, ZERO],
    ['00000000-0000-0000-0000-000000000001', '10000000-0000-0000-0000-000000000000'],
    ...Array.from({ length: 100 }, () => [randomUUID(), randomUUID()]),
  ] as [string, string][]) {
    const { secret: token, hash: token_hash } = newOwnedSecret('glu_', { company_id, user_id })
    assert.match(token, /^glu_[0-9A-Za-z]{80}$/)
    assert.deepEqual(token_hash, hashOf(token))
    assert.deepEqual(ownerOf('glu_', token), { company_id, user_id })
  }
  const owner = { company_id: ZERO, user_id: ZERO }
  assert.notEqual(newOwnedSecret('glu_', owner).secret, newOwnedSecret('glu_', owner).secret)
})

test('a user token is recognized by its checksum', () => {
  const { secret: token } = newOwnedSecret('glu_', { company_id: randomUUID(), user_id: randomUUID() })
  for (let i = 0; i < token.length; i++) {
    const typo = token.slice(0, i) + (token[i] === 'a' ? 'b' : 'a') + token.slice(i + 1)
    assert.equal(ownerOf('glu_', typo), undefined, `a typo at ${i}`)
  }
  for (const text of [
    '',
    'glu_',
    `gls_${token.slice(4)}`,
    `gll_${token.slice(4)}`,
    `${token} `,
    token.slice(1),
    token.toLowerCase(),
    `glh_${token.slice(4)}`,
  ])
    assert.equal(ownerOf('glu_', text), undefined)
})

test('an id that is larger than any is no id, whatever the checksum', () => {
  const id = 'z'.repeat(22)
  for (const content of [id + '0'.repeat(52), '0'.repeat(22) + id + '0'.repeat(30)])
    assert.equal(ownerOf('glu_', `glu_${content}${checksum(content)}`), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, newCompany } from '../../../test/harness.ts'

test('every enumerated value is listed, found in the schemas themselves', async () => {
  const { base, key } = await newCompany()
  assert.deepEqual((await call('GET', `${base}/options`, { key })).body as unknown, {
    campaign_creation: ['ANYONE', 'STORYTELLER'],
    permission: ['USER', 'ADMIN', 'OWNER'],
    role: ['PLAYER', 'STORYTELLER', 'ADMIN'],
  })
})

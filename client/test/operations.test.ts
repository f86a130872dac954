import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkAddress } from '../../server/test/harness.ts'
import { plans } from '../../server/test/plans.ts'
import { scene } from '../../server/test/scene.ts'
import { throughClient } from '../../server/test/through-client.ts'

for (const plan of plans) {
  test(`${plan.id} succeeds through the client`, async () => {
    const { pathWithQuery, body, caller } = await scene(plan)
    const request = { key: caller.key, ...(body !== undefined && { body }) }
    const answer = await throughClient(await networkAddress(), plan.method, pathWithQuery(), request)
    assert.ok(answer, 'the client has no function for it')
    assert.ok(answer.status === plan.reply[0], `${answer.status} ${answer.text}`)
  })
}

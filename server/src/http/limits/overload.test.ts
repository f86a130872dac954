import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Turns } from './overload.ts'

test('refusals are held back for a moment, up to two thousand of them', async () => {
  const turns = new Turns(1, 0, 1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const served = turns.run({} as FastifyRequest, ['a', ''], () => promise)
  let refused = 0
  const others = Array.from({ length: 2050 }, () =>
    turns
      .run({} as FastifyRequest, ['a', ''], async () => assert.fail('no turn was free'))
      .catch(({ code }) => {
        assert.equal(code, 'overloaded')
        refused++
      }),
  )
  await turnOfLoop()
  assert.equal(refused, 50)
  await Promise.all(others)
  assert.equal(refused, 2050)
  resolve()
  await served
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { clock, stopAtEnd } from '../../test/harness.ts'
import { randomOf } from '../../test/random.ts'
import type { Received } from '../../test/receiver.ts'
import { repeat } from '../../test/until.ts'
import { deliver, faults, isDone, newWebhook, range, until } from '../../test/webhook-scene.ts'

const SEEDS = 2
const ROTATIONS = 3
/** All overlaps together are shorter than the five minutes by which the package lets the time of a request differ from its own. */
const OVERLAP_SECONDS = 44
/** The receiver changes over this long before the end, so that a slow machine is not too late. */
const MARGIN_SECONDS = 20
const ROLLERS = 2

// Longer than an overlap, so that moving the clock does not end a lease.
stopAtEnd(deliver(undefined, 10 * OVERLAP_SECONDS * 1000))

const isGenuine = (secret: string, { text, headers }: Received) => {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const signaturesIn = ({ headers }: Received) => String(headers['webhook-signature']).split(' ').length

for (const seed of range(1, SEEDS))
  test(`a receiver that changes over at any moment of the overlap refuses nothing, and the old secret ends with it (seed ${seed})`, async (t) => {
    const { next } = randomOf(seed)
    let secret = ''
    const refused: string[] = []
    const hook = await newWebhook({ types: ['dice_roll.created'] }, (received) => {
      if (isGenuine(secret, received)) return { after: next() * 20 }
      refused.push(`${received.headers['guildhall-number']} with ${signaturesIn(received)} signatures`)
      return { status: 400 }
    })
    secret = hook.webhook.secret
    const { received, player } = hook
    let stop = async () => {}
    t.after(() => stop())
    const roll = () => {
      stop = repeat(async () => assert.equal((await player.post('/dice-rolls', { notation: '1d6' })).status, 201), ROLLERS)
    }
    /** Waits until the requests that were under way have ended, and goes on. */
    const settle = async () => {
      await stop()
      await until(() => isDone(hook), 'everything')
      roll()
    }
    roll()
    /** Waits until so many more requests have arrived. */
    const more = (count: number) => hook.gets(received.length + count)
    await more(5)
    for (const _ of range(1, ROTATIONS)) {
      const old = secret
      const before = received.length
      const rotated = String((await hook.act('rotate', { overlap_seconds: OVERLAP_SECONDS })).secret)
      // A request that was under way has a signature of the old secret only. The guide says to change over when it has ended.
      await settle()
      const changesAt = next() * (OVERLAP_SECONDS - MARGIN_SECONDS) * 1000
      clock.ahead += changesAt
      await more(Math.floor(next() * 10))
      secret = rotated
      await more(5)
      const during = received.slice(before).filter((one) => signaturesIn(one) === 2)
      assert.ok(during.length >= 5, 'requests arrived during the overlap')
      for (const one of during) assert.ok(isGenuine(old, one) && isGenuine(rotated, one), 'both secrets sign')
      clock.ahead += OVERLAP_SECONDS * 1000 - changesAt
      await settle()
      const ended = received.length
      await more(5)
      const afterwards = received.slice(ended)
      assert.deepEqual(
        afterwards.filter((one) => signaturesIn(one) !== 1 || isGenuine(old, one) || !isGenuine(rotated, one)),
        [],
        'only the new secret signs',
      )
    }
    await stop()
    await until(() => isDone(hook), 'everything')
    assert.deepEqual(refused, [])
    assert.deepEqual(new Set(hook.numbers()), new Set(range(1, (await hook.progress()).number)))
    t.diagnostic(`${received.length} requests`)
    assert.equal((await hook.progress()).secrets.length, 1)
  })

test('no step of delivering failed', () => {
  assert.deepEqual(faults, [])
})

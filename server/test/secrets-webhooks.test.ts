import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sequenceAll } from './follower.ts'
import { type Answer, call, stopAtEnd } from './harness.ts'
import { type Received, startReceiver } from './receiver.ts'
import { deliver, faults, until } from './webhook-scene.ts'
import { masked, newWorld, WORD } from './worlds.ts'

// Webhooks with the view of any player, or of one user, who may not see a secret.

stopAtEnd(deliver())

const VIEWS = ['OPEN', 'player', 'other', 'stranger'] as const

/**
 * Creates a world with a webhook for each view, and returns what each receiver got, up to the last change. Everything is sent at the end: what is sent is read then, and
 * would otherwise depend on the speed of this machine.
 */
async function deliveriesOf(hasSecrets: boolean) {
  const receivers = new Map<string, Received[]>()
  const paths: string[] = []
  const world = await newWorld(hasSecrets, async (table) => {
    await sequenceAll()
    for (const view of VIEWS) {
      const { received, url } = await startReceiver()
      const sight = view === 'OPEN' ? {} : { sight: 'USER', user_id: table[view].id }
      const created = await call('POST', `${table.base}/webhooks`, { key: table.key, body: { name: view, url, ordered: true, ...sight } })
      assert.equal(created.status, 201, created.text)
      const path = `${table.base}/webhooks/${created.body.id}`
      await call('POST', `${path}/disable`, { key: table.key })
      paths.push(path)
      receivers.set(view, received)
    }
  })
  await call('PATCH', `${world.base}/users/${world.admin.id}`, { key: world.key, body: { name: 'The end' } })
  for (const path of paths) assert.equal((await call('POST', `${path}/enable`, { key: world.key, body: {} })).status, 200)
  const isEnd = ({ body }: Received) => body.data.changes?.name?.new === 'The end'
  for (const [view, received] of receivers) await until(() => received.some(isEnd), `the end of ${view}`, 60)
  return { world, receivers, paths }
}

/** Every delivery once, as a receiver takes it: on a slow machine, one may be sent again before its answer has arrived. */
const onceEach = (received: Received[]) => [...new Map(received.map((one) => [one.headers['webhook-id'], one])).values()]

test('webhooks send the same with and without secrets, with the same numbers', async () => {
  const [without, withSecrets] = await Promise.all([deliveriesOf(false), deliveriesOf(true)])
  for (const view of VIEWS) {
    const [plain, secret] = [without, withSecrets].map(({ receivers }) => onceEach(receivers.get(view) ?? [])) as [Received[], Received[]]
    // The player took part in the private campaign, and is told that it is gone.
    const known = secret.filter(({ body }) => view !== 'player' || body.campaign_id !== withSecrets.world.hidden.private_id)
    const texts = (received: Received[]) => received.map(({ text }) => masked({ status: 200, text } as Answer))
    assert.deepEqual(texts(known), texts(plain), view)
    assert.ok(plain.length > 20, `only ${plain.length} deliveries were compared`)
    for (const received of [plain, secret])
      assert.deepEqual(
        received.map(({ headers }) => Number(headers['guildhall-number'])),
        received.map((_, i) => i + 1),
        `${view}: no number is missing`,
      )
    assert.ok(!secret.some(({ text }) => text.includes(WORD)), view)
  }
  const { key } = withSecrets.world
  for (const path of withSecrets.paths) {
    const { body } = await call('GET', `${path}/deliveries?limit=100`, { key })
    for (const { id } of body.items) {
      const { status, text } = await call('GET', `${path}/deliveries/${id}`, { key })
      assert.equal(status, 200)
      assert.ok(!text.includes(WORD), 'a delivery shows what its webhook may see')
    }
  }
  assert.deepEqual(faults, [])
})

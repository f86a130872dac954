import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Database } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { startDeliverer } from '../src/deliver/deliverer.ts'
import { newOutbound } from '../src/outbound/outbound.ts'
import { stepsIn } from './feed-steps.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { db, newDeveloper, stopAtEnd } from './harness.ts'
import { Inbox } from './inbox.ts'
import { Mirror, type Table } from './mirror.ts'
import { startNameServer } from './name-server.ts'
import { randomOf } from './random.ts'
import type { Received } from './receiver.ts'
import { addWebhook, faults, isDone, range, until } from './webhook-scene.ts'

const SEEDS = Number(process.env.WEBHOOK_SEEDS ?? 1)
const STEPS = Number(process.env.WEBHOOK_STEPS ?? 80)
const STEPS_PER_ROUND = 8
const ROUNDS_PER_REST = 5
/** From this attempt on, a delivery is accepted, so that none waits for hours. */
const MAX_BAD_ATTEMPTS = 3
const MAX_REST_SECONDS = 60

const SKIP_MS = 50
/** The clock of the deliverer, which is moved ahead whenever a delivery waits for its retry. The steps and the lists have the time of the machine. */
let aheadMs = 0
const later: Database = { ...db, now: () => new Date(Date.now() + aheadMs) }

// One of the steps makes webhooks to a name that does not exist.
const nameServer = await startNameServer(() => [])
after(nameServer.stop)
const { sender } = newOutbound(['127.0.0.1'], [nameServer.server])
// Longer than any wait that is skipped.
const leaseMs = 3_600_000
stopAtEnd(startDeliverer({ db: later, sender, timeoutMs: 5000, leaseMs, pollMs: 50, failed: (error) => faults.push(error) }))

/** How often the receivers of all walks got something that a simple receiver would get wrong. */
const seen = { withdrawn: 0, removed: 0, resynced: 0, repeated: 0, early: 0 }

/** Keeps a copy of everything that a person sees with a webhook, whose receiver fails now and then. */
async function newReader(person: Person, table: Table, seed: number, ordered: boolean) {
  const mirror = new Mirror(person, table)
  const listed = Promise.withResolvers<void>()
  const inbox = new Inbox(mirror, listed.promise)
  const state = { isDown: false }
  const answer = (received: Received) => {
    if (state.isDown) return { status: 503 }
    const [number, attempt] = ['guildhall-number', 'guildhall-attempt'].map((name) => Number(received.headers[name])) as [number, number]
    const { next } = randomOf(seed * 1_000_000 + number * 10 + attempt)
    const fate = attempt > MAX_BAD_ATTEMPTS ? 1 : next()
    if (fate < 0.05) return { status: 500 }
    if (fate < 0.1) return { cut: true }
    inbox.store(received)
    if (fate < 0.15) return { status: 500 }
    if (fate < 0.2) return { cut: true }
    return { after: next() * 20 }
  }
  const body = { name: `Copy for ${person.id}`, sight: 'USER', user_id: person.id, ordered }
  const hook = await addWebhook(table, body, answer)
  // After the webhook was created: whatever happens from now on is in the lists, or is delivered, or both.
  await mirror.list()
  listed.resolve()
  return { hook, mirror, inbox, state, ordered }
}

type Reader = Awaited<ReturnType<typeof newReader>>

/** Moves the clock to the time at which the first of the receivers that are not down is tried again. */
async function skipWait(readers: Reader[]): Promise<void> {
  const ids = readers.filter(({ state }) => !state.isDown).map(({ hook }) => hook.webhook.id)
  const [run] = await db.query<{ date_due: string | null }>(sql`
    SELECT min(date_due) AS date_due FROM webhook_runs WHERE id = ANY (${ids}::uuid[]) AND lease IS NULL AND date_due > ${later.now()}`)
  if (run?.date_due) aheadMs += Math.max(0, Date.parse(run.date_due) - later.now().getTime() + 1)
}

/** Waits until everything that has happened is delivered and applied. */
async function rest(readers: Reader[]): Promise<void> {
  await sequenceAll()
  for (const { hook, inbox, state } of readers) {
    state.isDown = false
    await until(() => isDone(hook), 'everything', MAX_REST_SECONDS)
    await inbox.applied()
    assert.equal(inbox.next, (await hook.progress()).number + 1, 'no number is missing')
  }
}

for (const seed of range(1, SEEDS))
  test(`whoever lists once and then gets a webhook that fails now and then has exactly what the lists show (seed ${seed})`, async (t) => {
    const table: Table = { ...(await newGameTable()), guest: (await newDeveloper()).id }
    const people = [table.player, table.other, table.teller, table.stranger, table.admin]
    const readers = await Promise.all(people.map((person, i) => newReader(person, table, seed * 10 + i, (seed + i) % 2 === 0)))
    const skipping = setInterval(() => void skipWait(readers).catch((error) => faults.push(error)), SKIP_MS)
    t.after(() => clearInterval(skipping))
    const { step, hasRead } = stepsIn(table, people, seed)
    const { next } = randomOf(seed)
    for (const round of range(1, Math.ceil(STEPS / STEPS_PER_ROUND))) {
      // What happens while a receiver is down is told late: some of it is hidden by then, and some is visible again.
      for (const { state } of readers) state.isDown = next() < 0.3
      for (let i = 0; i < STEPS_PER_ROUND; i++) await step()
      if (round % ROUNDS_PER_REST !== 0) continue
      await rest(readers)
      hasRead()
    }
    await rest(readers)
    for (const [i, { hook, mirror, inbox, ordered }] of readers.entries()) {
      const message = `reader ${i}, ${ordered ? 'ordered' : 'not ordered'}, seed ${seed}`
      await mirror.compare(message)
      const numbers = hook.numbers()
      assert.deepEqual(
        [...new Set(numbers)].sort((a, b) => a - b),
        range(1, inbox.next - 1),
        message,
      )
      if (ordered) assert.ok(!numbers.some((number, at) => number < (numbers[at - 1] ?? 0)), `${message}: numbers went down`)
      for (const { body } of hook.received) {
        if (body.type === 'feed.withdrawn') seen.withdrawn++
        else if (body.data.change === 'REMOVE') seen.removed++
        else if (body.data.change === 'RESYNC') seen.resynced++
      }
      seen.repeated += inbox.repeated
      seen.early += inbox.early
    }
  })

test('the receivers got everything that a simple receiver would get wrong, and no step of delivering failed', (t) => {
  t.diagnostic(JSON.stringify(seen))
  assert.deepEqual(
    Object.entries(seen).filter(([, times]) => times === 0),
    [],
  )
  assert.deepEqual(faults, [])
})

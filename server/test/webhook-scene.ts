import assert from 'node:assert/strict'
import { sql } from '../src/db/sql.ts'
import { startDeliverer } from '../src/deliver/deliverer.ts'
import { startSequencer } from '../src/events/runner.ts'
import { watchOf } from '../src/events/watch.ts'
import { newOutbound } from '../src/outbound/outbound.ts'
import type { DeliveryRequest, WebhookDelivery } from '../src/resources/webhook-deliveries/schema.ts'
import type { Webhook, WebhookAttempt, WebhookProgress } from '../src/resources/webhooks/schema.ts'
import { newGameTable } from './game-table.ts'
import { type Body, call, db, stopAtEnd } from './harness.ts'
import { startReceiver } from './receiver.ts'
import { until } from './until.ts'

export { until } from './until.ts'

/** The errors of all deliverers of this test file. */
export const faults: unknown[] = []
const failed = (error: unknown) => faults.push(error)
export const LEASE_MS = 1500

export const TIMEOUT_MS = 1000

/** Starts to deliver, as a process does. Requests have the times of a process, and no random part. A test that moves the clock may need longer leases. */
export function deliver(on = db, leaseMs = LEASE_MS): () => Promise<void> {
  const { sender } = newOutbound(['127.0.0.1'])
  return startDeliverer({ db: on, sender, timeoutMs: TIMEOUT_MS, random: () => 0.5, leaseMs, pollMs: 50, failed })
}

stopAtEnd(startSequencer(db, { advanced: (advances) => watchOf(db).advanced(advances), failed }))

type Answer = Parameters<typeof startReceiver>[0]

/** Creates a company with a webhook to a receiver. */
export const newWebhook = async (body: object = {}, answer?: Answer) => addWebhook(await newGameTable(), body, answer)

/** Adds a webhook to a company, and starts its receiver. */
export async function addWebhook(table: Awaited<ReturnType<typeof newGameTable>>, body: object = {}, answer?: Answer) {
  const receiver = await startReceiver(answer)
  const { key, base } = table
  const created = await call('POST', `${base}/webhooks`, { key, body: { name: 'Bot', url: receiver.url, ...body } })
  assert.equal(created.status, 201, created.text)
  const path = `${base}/webhooks/${created.body.id}`
  const read = async <T>(rest = ''): Promise<T> => (await call('GET', `${path}${rest}`, { key })).body as unknown as T
  const act = async (verb: string, sent: object = {}): Promise<Body> => {
    const { status, body: reply, text } = await call('POST', `${path}/${verb}`, { key, body: sent })
    assert.equal(status, 200, text)
    return reply
  }
  /** Waits until the receiver has got so many requests. */
  const gets = (count: number) =>
    until(
      () => receiver.received.length >= count,
      () => `${count} requests, but ${receiver.received.length}`,
    )
  /** Waits until no process has the webhook: a clock that is moved would end its lease. */
  const rest = () =>
    until(async () => {
      const [run] = await db.query<{ lease: string | null }>(sql`
        SELECT lease FROM webhook_runs WHERE company_id = ${table.company_id} AND id = ${created.body.id}`)
      return run?.lease === null
    }, 'the end of a lease')
  return {
    ...table,
    ...receiver,
    path,
    act,
    gets,
    rest,
    webhook: created.body as unknown as Webhook & { secret: string },
    get: () => read<Webhook>(),
    progress: () => read<WebhookProgress>('/progress'),
    deliveries: async () => (await read<{ items: WebhookDelivery[] }>('/deliveries?limit=100')).items,
    delivery: (id: string) => read<WebhookDelivery & { log: WebhookAttempt[]; request: DeliveryRequest }>(`/deliveries/${id}`),
    numbers: () => receiver.received.map(({ headers }) => Number(headers['guildhall-number'])),
    types: () => receiver.received.map(({ body: { type } }) => type),
  }
}

/** Checks that a webhook has sent everything: nothing waits, and no position is left. */
export const isDone = async ({ progress }: Pick<Awaited<ReturnType<typeof newWebhook>>, 'progress'>) => {
  const { backlog, pending, replaying } = await progress()
  return backlog === 0 && pending === 0 && replaying === 0
}

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

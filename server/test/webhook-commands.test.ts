import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { checkEpoch } from '../src/events/epoch.ts'
import { freePort } from './free-port.ts'
import { call, db, newCompany, pooler, url, write } from './harness.ts'
import { startReceiver } from './receiver.ts'
import { ask, guildhall, launch, startService } from './service.ts'
import { until } from './until.ts'

const env = { DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none', WEBHOOK_ALLOW: '127.0.0.1' }

const METRICS_PORT = await freePort()
/** A service that delivers no webhooks. */
const service = await startService({ ...env, WEBHOOKS: 'off', METRICS_PORT })

/** Starts a command that runs until it is stopped, and waits until it says so. */
async function run(args: string[], more: Record<string, string>, says: RegExp) {
  const { child, output } = launch(args, { ...env, LOG_LEVEL: 'info', ...more })
  after(() => child.kill('SIGKILL'))
  await until(() => says.test(output()), `'${args.join(' ')}' to start: ${output()}`, 60)
  return { child, output }
}

async function newWebhook() {
  const receiver = await startReceiver()
  const { base, key, user, company_id } = await newCompany()
  const body = { name: 'Bot', url: receiver.url, types: ['dice_roll.created'] }
  const { body: webhook } = await call('POST', `${base}/webhooks`, { key, body })
  const rolls = `${base}/users/${await user('PLAYER')}/dice-rolls`
  return { ...receiver, key, base, company_id, webhook, rolls }
}

test('webhooks are delivered by processes of their own, and not by a service with WEBHOOKS=off', async () => {
  const hook = await newWebhook()
  assert.equal((await ask(service, 'POST', hook.rolls, hook.key, { notation: '1d6' })).status, 201)
  const first = await run(['deliver'], {}, /delivering webhooks/)
  await until(() => hook.received.length === 1, 'the delivery')
  const second = await run(['deliver'], {}, /delivering webhooks/)
  for (let i = 0; i < 5; i++) await ask(service, 'POST', hook.rolls, hook.key, { notation: '1d6' })
  await until(() => hook.received.length === 6, 'the deliveries')
  for (const { child, output } of [first, second]) {
    child.kill('SIGTERM')
    await until(() => child.exitCode === 0, `the end: ${output()}`)
  }
  const shown = await guildhall(['webhooks', 'show', hook.company_id, hook.webhook.id, '--json'], env)
  assert.deepEqual([JSON.parse(shown.output).number, JSON.parse(shown.output).pending], [6, 0])
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  assert.doesNotMatch(metrics, /^guildhall_webhook_attempts_total\{.* [1-9]/m, 'the service sent none of them')
})

test('an operator lists, shows and disables webhooks', async () => {
  const { company_id, webhook, url: endpoint, base, key } = await newWebhook()
  const list = await guildhall(['webhooks', 'list', company_id], env)
  assert.match(list.output, /^ID +NAME +URL +SIGHT +STATUS +DISABLED REASON\n/)
  assert.ok(list.output.includes(endpoint) && list.output.includes('ENABLED'), list.output)
  assert.deepEqual(await guildhall(['webhooks', 'disable', company_id, webhook.id], env), {
    code: 0,
    output: 'Disabled the webhook Bot.\n',
  })
  assert.equal((await call('GET', `${base}/webhooks/${webhook.id}`, { key })).body.disabled_reason, 'MANUAL')
  const { body } = await call('GET', `${base}/audit-logs?type=webhook.disabled`, { key })
  assert.equal(body.total, 1)
  const unknown = await guildhall(['webhooks', 'show', company_id, 'nonsense'], env)
  assert.deepEqual([unknown.code, unknown.output], [1, "There is no webhook 'nonsense'. See guildhall webhooks list.\n"])
  const { DATABASE_URL, ...embedded } = env
  assert.deepEqual(await guildhall(['deliver'], embedded), {
    code: 2,
    output: 'DATABASE_URL is not set. On the embedded database, the service itself delivers webhooks.\n',
  })
})

test('in a database that was copied from another server, nothing is sent until a webhook is enabled, also if the first process is killed at once', async () => {
  const { received, rolls, key, base, webhook } = await newWebhook()
  await call('POST', rolls, { key, body: { notation: '1d6' } })
  const markOf = async () => (await db.query<{ epoch: string; server: string }>(sql`SELECT epoch, server FROM feed_state`))[0]
  await write(sql`UPDATE feed_state SET server = '7305123456789012345 1'`)
  const before = await markOf()
  const killed = () => Promise.reject(new Error('killed'))
  await assert.rejects(checkEpoch(db, killed), /killed/)
  assert.deepEqual(await markOf(), before, 'the next process finds the copy')
  const { child, output } = await run(['deliver'], {}, /delivering webhooks/)
  assert.match(output(), /this database was copied from another server, so its webhooks are disabled/)
  const { status, disabled_reason } = (await call('GET', `${base}/webhooks/${webhook.id}`, { key })).body
  assert.deepEqual([status, disabled_reason], ['DISABLED', 'RESTORED'])
  assert.notEqual((await markOf())?.epoch, before?.epoch)
  // The deliverer has looked for everything that is due when it delivers what comes now.
  const later = await newWebhook()
  await call('POST', later.rolls, { key: later.key, body: { notation: '1d6' } })
  await until(() => later.received.length === 1, 'the delivery of another webhook')
  assert.equal(received.length, 0)
  await call('POST', `${base}/webhooks/${webhook.id}/enable`, { key, body: {} })
  await until(() => received.length > 0, 'the first delivery')
  assert.equal(received[0]?.body.type, 'feed.reset')
  child.kill('SIGTERM')
  await until(() => child.exitCode === 0, `the end: ${output()}`)
  // The server is noted: the next process disables nothing.
  await checkEpoch(db, () => assert.fail('disabled again'))
})

test('listen posts what happens to the machine of a developer, signed', async () => {
  const { received, key, company_id, rolls, url: target } = await newWebhook()
  const args = ['listen', company_id, '--forward', target, '--service', service.base]
  const { output } = await run(args, { GUILDHALL_API_KEY: key }, /Waiting for the next change/)
  await ask(service, 'POST', rolls, key, { notation: '1d6' })
  await until(() => received.some(({ body }) => body.type === 'dice_roll.created'), `the roll: ${output()}`)
  const secret = Buffer.from((/whsec_(\S+)/.exec(output()) as RegExpExecArray)[1] as string, 'base64')
  for (const { headers, text } of received) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  }
  await until(() => /dice_roll\.created {2}204 {2}\d+ ms\n/.test(output()), `a line of the roll: ${output()}`)
  const refused = await guildhall([...args], { ...env, GUILDHALL_API_KEY: 'glh_nonsense' })
  assert.deepEqual([refused.code, /The service refuses to tell the changes: Unauthorized/.test(refused.output)], [1, true], refused.output)
  assert.equal((await guildhall(['listen', company_id], env)).code, 2)
})

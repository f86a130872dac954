import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, secretText, signaturesOf } from '../../server/src/outbound/sign.ts'
import { verifyWebhook, WebhookError, type WebhookEvent, type WebhookFault, type WebhookHeaders } from '../src/webhooks.ts'

const NOW_SECONDS = 1_800_000_000
const ID = '019a8f3e-7b1c-7a2e-9d10-4f0c6a1b2c3d'
const BODY = JSON.stringify({ id: ID, type: 'character.updated', data: { change: 'UPSERT', id: 'x' } })
const [key, otherKey] = [newWebhookSecret(), newWebhookSecret()]
const secret = secretText(key)
const now = () => NOW_SECONDS * 1000

interface Sent {
  keys?: Buffer[]
  id?: string
  seconds?: number
  body?: string
}

/** The headers of a webhook as the service sends it, in the form of Node's http. */
const headersOf = ({ keys = [key], id = ID, seconds = NOW_SECONDS, body = BODY }: Sent = {}) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': signaturesOf(keys, id, seconds, body),
})

const verify = (headers: WebhookHeaders = headersOf(), body: string | Uint8Array = BODY, given = secret): Promise<WebhookEvent> =>
  verifyWebhook(given, headers, body, { now })

const assertRefused = (verified: Promise<unknown>, code: WebhookFault, what?: string) =>
  assert.rejects(
    verified,
    (error) => {
      assert.ok(error instanceof WebhookError, String(error))
      assert.deepEqual([error.code, error.name], [code, 'WebhookError'], what)
      return true
    },
    what,
  )

test('a webhook that the service signed is returned, parsed', async () => {
  assert.deepEqual(await verify(), JSON.parse(BODY))
})

test('a ping is told from a change by its type', async () => {
  const body = JSON.stringify({ id: ID, type: 'webhook.ping', timestamp: '', company_id: 'c', data: { webhook_id: 'w' } })
  const event = await verify(headersOf({ body }), body)
  assert.ok(event.type === 'webhook.ping')
  const webhookId: string = event.data.webhook_id
  assert.equal(webhookId, 'w')
})

test('a webhook that the package standardwebhooks signed is accepted', async () => {
  const signature = new Webhook(secret).sign(ID, new Date(now()), BODY)
  assert.deepEqual(await verify({ ...headersOf(), 'webhook-signature': signature }), JSON.parse(BODY))
  const other = new Webhook(secretText(otherKey)).sign(ID, new Date(now()), BODY)
  await assertRefused(verify({ ...headersOf(), 'webhook-signature': other }), 'bad_signature')
})

test('while a secret is rotated, the old and the new one are accepted, and no third one', async () => {
  const headers = headersOf({ keys: [otherKey, key] })
  assert.equal(headers['webhook-signature'].split(' ').length, 2)
  for (const given of [key, otherKey]) assert.deepEqual(await verify(headers, BODY, secretText(given)), JSON.parse(BODY))
  await assertRefused(verify(headers, BODY, secretText(newWebhookSecret())), 'bad_signature')
})

test('a webhook with another secret, or of which anything was changed, is refused', async () => {
  const genuine = headersOf()
  await assertRefused(verify(headersOf({ keys: [otherKey] })), 'bad_signature', 'secret')
  await assertRefused(verify(genuine, BODY.replace('UPSERT', 'REMOVE')), 'bad_signature', 'body')
  await assertRefused(verify(genuine, `${BODY} `), 'bad_signature', 'a space behind the body')
  await assertRefused(verify(genuine, ''), 'bad_signature', 'no body')
  await assertRefused(verify({ ...genuine, 'webhook-id': ID.replace('0', '1') }), 'bad_signature', 'id')
  await assertRefused(verify({ ...genuine, 'webhook-timestamp': String(NOW_SECONDS + 1) }), 'bad_signature', 'time')
  await assertRefused(verify({ ...genuine, 'webhook-timestamp': `0${NOW_SECONDS}` }), 'bad_signature', 'the same time, written otherwise')
})

test('the time may differ by 300 seconds from the clock, or by as many as the caller allows', async () => {
  const at = (seconds: number, toleranceSeconds?: number) =>
    verifyWebhook(secret, headersOf({ seconds: NOW_SECONDS + seconds }), BODY, {
      now,
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    })
  for (const seconds of [-300, 300]) assert.ok(await at(seconds))
  await assertRefused(at(-301), 'too_old')
  await assertRefused(at(301), 'too_new')
  assert.ok(await at(-3600, 3600))
  await assertRefused(at(-3601, 3600), 'too_old')
  await assertRefused(at(11, 10), 'too_new')
  assert.ok(await at(0, 0))
})

test('without a clock, that of the machine is used', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  assert.ok(await verifyWebhook(secret, headersOf({ seconds }), BODY))
  await assertRefused(verifyWebhook(secret, headersOf({ seconds: seconds - 400 }), BODY), 'too_old')
  await assertRefused(verifyWebhook(secret, headersOf({ seconds: seconds + 400 }), BODY), 'too_new')
})

test('a missing or empty header is named as such', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    for (const value of [undefined, '', []]) await assertRefused(verify({ ...headersOf(), [name]: value }), 'missing_header', name)
  await assertRefused(verify({}), 'missing_header')
  await assertRefused(verify(new Headers()), 'missing_header')
})

test('a time that is not a number of seconds is refused', async () => {
  for (const text of [
    'soon',
    '-1',
    '1.5',
    '1e9',
    '0x10',
    ' ',
    `${NOW_SECONDS} `,
    `${NOW_SECONDS}\n`,
    '9'.repeat(13),
    new Date().toISOString(),
  ])
    await assertRefused(verify({ ...headersOf(), 'webhook-timestamp': text }), 'bad_timestamp', JSON.stringify(text))
})

test('a secret that is none is refused, also one that is not set', async () => {
  for (const text of ['', 'whsec_', 'whsec_!', 'whsec_a', 'whsec_Zm9v-_8=', 'whsec_whsec_', undefined, null])
    await assertRefused(verifyWebhook(text as string, headersOf(), BODY, { now }), 'bad_secret', String(text))
  assert.ok(await verify(headersOf(), BODY, key.toString('base64')), 'without the prefix')
})

test('a malformed signature, or one of another version, is passed over', async () => {
  const genuine = headersOf()['webhook-signature']
  const [, base64 = ''] = genuine.split(',')
  const tried = [
    base64,
    'v1',
    'v1,',
    'v1,!',
    'v1,AAAA',
    `v1,${base64.slice(4)}`,
    `v2,${base64}`,
    `v1a,${base64}`,
    `V1,${base64}`,
    `,${base64}`,
    ' ',
  ]
  for (const signature of tried) {
    await assertRefused(verify({ ...headersOf(), 'webhook-signature': signature }), 'bad_signature', signature)
    assert.ok(await verify({ ...headersOf(), 'webhook-signature': `${signature} ${genuine}` }), `${signature} before the right one`)
  }
})

test('a body of any characters is verified as text and as bytes', async () => {
  const body = JSON.stringify({ type: 'note.created', title: 'Der Würfel fällt 🎲 – 竜\u2028\u0000' })
  const headers = headersOf({ body })
  const bytes = new TextEncoder().encode(body)
  for (const given of [body, bytes, Buffer.from(body), Buffer.concat([Buffer.from('xx'), bytes]).subarray(2)])
    assert.deepEqual(await verify(headers, given), JSON.parse(body))
  await assertRefused(verify(headers, Buffer.from(body, 'latin1')), 'bad_signature')
})

test('headers may be those of a Request, those of Node, or lists of values', async () => {
  const genuine = headersOf()
  const request = new Request('http://receiver.example', { method: 'POST', headers: genuine, body: BODY })
  assert.ok(await verify(request.headers, await request.text()))
  assert.ok(await verify(new Map(Object.entries(genuine)) as unknown as WebhookHeaders), 'anything with get')
  assert.ok(await verify({ ...genuine, get: 'a header of this name' }))
  assert.ok(await verify(Object.fromEntries(Object.entries(genuine).map(([name, value]) => [name, [value]]))), 'lists of one')
  assert.ok(await verify(Object.fromEntries(Object.entries(genuine).map(([name, value]) => [name.toUpperCase(), value]))), 'capitals')
  const other = headersOf({ keys: [otherKey] })['webhook-signature']
  assert.ok(await verify({ ...genuine, 'webhook-signature': [other, genuine['webhook-signature']] }), 'two headers of signatures')
  await assertRefused(verify({ ...genuine, 'webhook-id': [ID, ID] }), 'bad_signature', 'two ids')
  await assertRefused(verify({ ...genuine, 'webhook-timestamp': [String(NOW_SECONDS), '1'] }), 'bad_timestamp', 'two times')
})

test('a genuine body that is not JSON is refused as such, and only after its signature was verified', async () => {
  for (const body of ['', 'ping', '{"type":']) {
    await assertRefused(verify(headersOf({ body }), body), 'not_json', body)
    await assertRefused(verify(headersOf({ keys: [otherKey], body }), body), 'bad_signature', body)
  }
})

test('a body that was parsed already is a mistake of the program', async () => {
  await assert.rejects(
    verify(headersOf(), JSON.parse(BODY)),
    (error) => error instanceof TypeError && /before anything parses it/.test(error.message),
  )
})

test('signatures are compared by WebCrypto, in constant time', async () => {
  const asked = mock.method(crypto.subtle, 'verify')
  const signed = mock.method(crypto.subtle, 'sign')
  try {
    await verify()
    assert.deepEqual([asked.mock.callCount(), signed.mock.callCount()], [1, 0])
    asked.mock.mockImplementation(async () => false)
    await assertRefused(verify(), 'bad_signature')
  } finally {
    mock.restoreAll()
  }
})

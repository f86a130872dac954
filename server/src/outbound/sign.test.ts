import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, secretText, signaturesOf } from './sign.ts'

interface Delivery {
  secret: string
  headers: Record<string, string>
  body: string
}

const ID = '019a8f3e-7b1c-7a2e-9d10-4f0c6a1b2c3d'
const BODY = JSON.stringify({ type: 'note.created', data: { title: 'Der Würfel fällt 🎲 – 竜\u2028' } })
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A delivery as the service signs it, together with the one secret that its receiver has. */
function signed(keys: Buffer[], received: Buffer, { id = ID, body = BODY, seconds = nowSeconds() } = {}): Delivery {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signaturesOf(keys, id, seconds, body) }
  return { secret: secretText(received), headers, body }
}

const [first, second, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
const genuine = signed([first], first)
const later = { ...genuine.headers, 'webhook-timestamp': String(Number(genuine.headers['webhook-timestamp']) + 1) }

const ACCEPTED: Record<string, Delivery> = {
  'one secret': genuine,
  'the new secret during a rotation': signed([first, second], first),
  'the old secret during a rotation': signed([first, second], second),
  'an empty object': signed([first], first, { body: '{}' }),
  'an id with dots': signed([first], first, { id: 'a.1.b' }),
}
const REFUSED: Record<string, Delivery> = {
  'another secret': signed([first], third),
  'neither secret of a rotation': signed([first, second], third),
  'no secret at all': signed([], first),
  'a changed body': { ...genuine, body: BODY.replace('note', 'nots') },
  'a changed id': { ...genuine, headers: { ...genuine.headers, 'webhook-id': `${ID}0` } },
  'a changed time': { ...genuine, headers: later },
}

function isAcceptedByLibrary({ secret, headers, body }: Delivery): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

test('the package standardwebhooks accepts our signatures, and only for what was signed', () => {
  for (const [name, delivery] of Object.entries(ACCEPTED)) assert.ok(isAcceptedByLibrary(delivery), name)
  for (const [name, delivery] of Object.entries(REFUSED)) assert.ok(!isAcceptedByLibrary(delivery), name)
})

test('the package standardwebhooks makes the same signature of any id, time and text', () => {
  const anyKey = fc.uint8Array({ minLength: 24, maxLength: 64 })
  const anySeconds = fc.integer({ min: 0, max: 4_000_000_000 })
  fc.assert(
    fc.property(anyKey, fc.string({ minLength: 1 }), anySeconds, fc.string({ unit: 'grapheme' }), (bytes, id, seconds, body) => {
      const key = Buffer.from(bytes)
      assert.equal(signaturesOf([key], id, seconds, body), new Webhook(secretText(key)).sign(id, new Date(seconds * 1000), body))
    }),
  )
})

/** Runs the verifier in Python with all deliveries at once, because starting it is slow. */
function verifyInPython(deliveries: Delivery[]): string[] {
  const script = new URL('../../test/verify_webhook.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync('python3', ['-B', script], { input: JSON.stringify(deliveries), encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim().split('\n')
}
const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on this machine'

test('an independent verifier, written in Python from the specification, agrees', { skip }, () => {
  const all = { ...ACCEPTED, ...REFUSED }
  const expected = Object.fromEntries(Object.keys(all).map((name) => [name, name in ACCEPTED ? 'genuine' : 'refused']))
  const verdicts = verifyInPython(Object.values(all))
  assert.deepEqual(Object.fromEntries(Object.keys(all).map((name, i) => [name, verdicts[i]])), expected)
})

test('a signature of known input is a known one', () => {
  // The example of the specification's libraries: https://github.com/standard-webhooks/standard-webhooks
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const signature = signaturesOf([key], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a secret is 32 random bytes in base64, with the prefix', () => {
  assert.match(secretText(first), /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(first.length, 32)
  assert.notDeepEqual(first, second)
})

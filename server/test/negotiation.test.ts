import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { assertProblem, newApp } from './harness.ts'
import { plans } from './plans.ts'
import { scene } from './scene.ts'
import { exchange } from './wire-client.ts'

// Every operation over the network, with each content coding, and with an Accept header that excludes its reply.

const live = await newApp()
await live.listen({ port: 0, host: '127.0.0.1' })
after(() => live.close())
const { port } = live.server.address() as AddressInfo

const MIN_COMPRESSED_BYTES = 1024
const compressed = new Set<string>()
/** Each reply encrypts the cursor of now with another nonce. */
const withoutCursor = (text: string) => text.replace(/"cursor":"[^"]*"/, '')

for (const op of plans) {
  test(`${op.id}: answers 406 if Accept excludes the reply, and has the same reply in every content coding`, async () => {
    const { caller, pathWithQuery, body, eventsOf } = await scene(op)
    const text = body && JSON.stringify(body)
    const send = (headers: object, method: string = op.method) =>
      exchange(port, method, pathWithQuery(), { 'x-api-key': caller.key, 'content-type': 'application/json', ...headers }, text)

    const key = { 'idempotency-key': randomUUID() }
    for (const accept of op.streams ? ['application/json', 'text/html'] : ['text/html', ['text/html', 'application/json;q=0']]) {
      assert.equal((await send({ accept, 'x-api-key': 'glh_nonsense' })).status, 401, 'the credential comes first')
      // The second time, the caller is recalled.
      for (const more of [{}, op.takesIdempotencyKey ? key : {}]) {
        const reply = await send({ accept, ...more })
        assertProblem({ ...reply, headers: reply.headers as never, body: JSON.parse(reply.text) }, 406)
        assert.match(reply.text, /"code":"not_acceptable"/)
        assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
      }
    }
    if (op.streams) return

    // A write is repeated with its key, so that it is done once. The 406 has left the key free.
    const plain = await send({ accept: ['text/html;q=0.9', 'application/*;q=0.1'], ...key })
    assert.equal(plain.status, op.reply[0], plain.text)
    assert.deepEqual([plain.headers['content-encoding'], plain.headers['idempotent-replayed']], [undefined, undefined])
    const mayCompress = plain.bytes.length > MIN_COMPRESSED_BYTES && !op.secret
    assert.equal(plain.headers.vary, mayCompress ? 'Accept-Encoding' : undefined)
    // Each request that is sent to another server has a time and a duration of its own.
    if (op.reply[0] === 204 || op.sends) return
    for (const coding of ['br', 'gzip', 'identity']) {
      const reply = await send({ 'accept-encoding': coding, ...key })
      const isCompressed = mayCompress && coding !== 'identity'
      if (isCompressed) compressed.add(op.id)
      assert.equal(reply.status, plain.status, reply.text)
      assert.equal(withoutCursor(reply.text), withoutCursor(plain.text))
      assert.equal(reply.headers['content-encoding'], isCompressed ? coding : undefined)
      assert.equal(reply.headers['content-length'], String(reply.bytes.length))
      assert.equal(reply.headers.vary, plain.headers.vary)
      assert.equal(reply.headers.etag, isCompressed && plain.headers.etag ? `W/${plain.headers.etag}` : plain.headers.etag)
      assert.equal(reply.bytes.length < plain.bytes.length, isCompressed)
      if (op.takesIdempotencyKey) assert.equal(reply.headers['idempotent-replayed'], 'true')
      if (op.method !== 'GET') continue
      const head = await send({ 'accept-encoding': coding }, 'HEAD')
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag', 'link', 'cache-control'])
        assert.equal(head.headers[name], reply.headers[name], name)
      if (!op.hasETag) continue
      for (const tag of [plain.headers.etag, reply.headers.etag, `"1-x", ${reply.headers.etag}`]) {
        const fresh = await send({ 'accept-encoding': coding, 'if-none-match': tag })
        assert.deepEqual([fresh.status, fresh.bytes.length, fresh.headers['content-encoding']], [304, 0, undefined], `${tag} for ${coding}`)
        for (const name of ['etag', 'vary', 'cache-control']) assert.equal(fresh.headers[name], reply.headers[name], name)
      }
    }
  })
}

test('the replies of many of these operations were compressed', () => {
  assert.ok(compressed.size >= 10, [...compressed].join(', '))
})

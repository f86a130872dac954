import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Type } from '@guildhall/rules/type'
import { watchOf } from '../src/events/watch.ts'
import { operation } from '../src/http/operation.ts'
import { below, ROOT } from '../src/http/path.ts'
import { operations } from '../src/resources/index.ts'
import { sequenceAll } from './follower.ts'
import { assertProblem, db, newApp, newCompany, newDeveloper } from './harness.ts'
import { follow } from './sse.ts'
import { until } from './until.ts'
import { decoded, exchange, type Sent } from './wire-client.ts'

/** The reply is a JSON text of exactly so many bytes. */
const replyOf = (bytes: number) => ({ text: 'héllo '.repeat(bytes / 7 + 1) })
const sized = (bytes: number) => {
  const prose = Buffer.from(replyOf(bytes).text).subarray(0, bytes - '{"text":""}'.length)
  // The cut may be inside of a character.
  const whole = prose.toString().replace(/\ufffd$/, '')
  return { text: whole + 'x'.repeat(prose.length - Buffer.byteLength(whole)) }
}

const Reply = Type.Object({ text: Type.String() })
const query = Type.Object({ bytes: Type.Integer({ minimum: 20 }) })
const shared = { needs: { key: 'KEY' }, query, reply: [200, Reply] as [200, typeof Reply] } as const
const texts = [
  operation({
    ...shared,
    id: 'test.text',
    method: 'GET',
    path: below(ROOT, 'text'),
    summary: 'A text',
    run: async ({ query: { bytes } }) => sized(bytes),
  }),
  operation({
    ...shared,
    id: 'test.secret',
    method: 'POST',
    path: below(ROOT, 'secret'),
    summary: 'A secret',
    secret: true,
    computes: true,
    run: async ({ query: { bytes } }) => ({ before: null, after: null, reply: sized(bytes) }),
  }),
]

async function listen(env: Record<string, string> = {}) {
  const app = await newApp(env, [...operations, ...texts])
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  return (app.server.address() as AddressInfo).port
}
const port = await listen()
const { key } = await newDeveloper()
const get = (path: string, headers: OutgoingHttpHeaders = {}, on = port) => exchange(on, 'GET', path, { 'x-api-key': key, ...headers })
const text = (bytes: number, headers?: OutgoingHttpHeaders, on?: number) => get(`/api/v1/text?bytes=${bytes}`, headers, on)
const asProblem = (sent: Sent) => ({ ...sent, headers: sent.headers as Record<string, string>, body: JSON.parse(sent.text) })

test('a reply of more than 1,024 bytes is compressed, however long it is', async () => {
  for (const bytes of [1024, 1025, 2000, 16_384, 16_385, 200_000, 8_000_000]) {
    const plain = await text(bytes)
    assert.equal(plain.bytes.length, bytes)
    for (const coding of ['br', 'gzip']) {
      const reply = await text(bytes, { 'accept-encoding': coding })
      assert.equal(reply.headers['content-encoding'], bytes > 1024 ? coding : undefined, String(bytes))
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
      assert.ok(reply.text === plain.text, `${bytes} bytes differ`)
      assert.equal(Number(reply.headers['content-length']), reply.bytes.length)
      assert.equal(reply.headers['transfer-encoding'], undefined)
    }
  }
  assertProblem(asProblem(await text(8 * 1024 * 1024 + 1, { 'accept-encoding': 'gzip' })), 400, /exceed 8 MB/)
})

test('the client chooses the coding, and gets none by default', async () => {
  const coding = async (accept: string | string[]) => (await text(2000, { 'accept-encoding': accept })).headers['content-encoding']
  assert.equal((await text(2000)).headers['content-encoding'], undefined)
  for (const [accept, expected] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    [['br;q=0', 'gzip;q=0.5'], 'gzip'],
    ['*', 'br'],
    ['identity, *;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
    [`${'deflate;q=0.5,'.repeat(900)}gzip`, 'gzip'],
  ] as const)
    assert.equal(await coding(accept as string), expected, String(accept).slice(0, 100))
})

test('fetch decompresses by itself, and sends the ETag back', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const url = `http://127.0.0.1:${port}${base}/users/${id}`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const patch = (body: object, more: Record<string, string> = {}) =>
    fetch(url, { method: 'PATCH', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const metadata = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key_${i}`, 'Transylvania '.repeat(20)]))
  const patched = await patch({ metadata })
  const tag = patched.headers.get('etag') ?? ''
  assert.deepEqual([patched.headers.get('content-encoding'), tag.slice(0, 5)], ['gzip', 'W/"2-'])
  const body = (await patched.json()) as { metadata: object }
  assert.deepEqual(body.metadata, metadata)
  const read = await fetch(url, { headers })
  assert.equal(read.headers.get('etag'), tag)
  assert.deepEqual(await read.json(), body)
  assert.equal((await fetch(url, { headers: { ...headers, 'if-none-match': tag } })).status, 304)
  // The plain form has the same tag, but strong.
  const plain = await get(`${base}/users/${id}`, { 'x-api-key': key, 'if-none-match': tag.replace('W/', '') })
  assert.deepEqual([plain.status, plain.headers.etag], [304, tag.replace('W/', '')])
  assert.equal((await patch({ name: 'Mina' }, { 'if-match': tag })).status, 200)
  assert.equal((await patch({ name: 'Lucy' }, { 'if-match': tag })).status, 412)
})

test('public documents have a weak ETag in a coded reply, and the same one in every coding', async () => {
  const page = (await get('/docs')).text
  const assets = [...page.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(assets.length > 1, page.slice(0, 1000))
  for (const path of ['/openapi.json', '/ruleset.schema.json', '/llms.txt', '/docs/errors.md', '/docs.md', ...assets]) {
    const plain = await get(path)
    const strong = String(plain.headers.etag)
    assert.match(strong, /^"\w+"$/, path)
    for (const coding of ['br', 'gzip']) {
      const coded = await get(path, { 'accept-encoding': coding })
      const isCoded = coded.headers['content-encoding'] === coding
      assert.equal(isCoded, plain.bytes.length > 1024, path)
      assert.deepEqual([coded.headers.etag, coded.text === plain.text], [isCoded ? `W/${strong}` : strong, true], `${path} ${coding}`)
      for (const known of [strong, `W/${strong}`, `"other", W/${strong}`, '*']) {
        const fresh = await get(path, { 'accept-encoding': coding, 'if-none-match': known })
        assert.deepEqual([fresh.status, fresh.headers.etag, fresh.bytes.length], [304, coded.headers.etag, 0], `${path} ${known}`)
      }
    }
    assert.equal((await get(path, { 'if-none-match': `W/${strong}` })).status, 304, path)
    assert.equal((await get(path, { 'accept-encoding': 'br', 'if-none-match': 'W/"other"' })).status, 200, path)
  }
})

test('a stored reply is replayed in the coding of the request that repeats it', async () => {
  const { base, key } = await newCompany()
  const body = JSON.stringify({ name: 'Mina', role: 'PLAYER', metadata: { note: 'é'.repeat(480), more: 'ü'.repeat(480) } })
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const post = (coding: string) => exchange(port, 'POST', `${base}/users`, { ...headers, 'accept-encoding': coding }, body)
  const replies = [await post('gzip'), await post('identity'), await post('br'), await post('gzip')]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers['content-encoding'], headers['idempotent-replayed']]),
    [
      [201, 'gzip', undefined],
      [201, undefined, 'true'],
      [201, 'br', 'true'],
      [201, 'gzip', 'true'],
    ],
  )
  const [first, plain] = replies as [Sent, Sent]
  for (const reply of replies) {
    assert.equal(reply.text, plain.text)
    assert.equal(reply.headers.location, first.headers.location)
    assert.equal(reply.headers.etag?.replace('W/', ''), plain.headers.etag)
  }
})

test('problems are compressed too, and are JSON whatever the client accepts', async () => {
  const unknown = Array.from({ length: 50 }, (_, i) => `unknown_${i}=1`).join('&')
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip' }
  const problem = await get(`/api/v1/companies?${unknown}`, headers)
  assertProblem(asProblem(problem), 400)
  assert.deepEqual([problem.headers['content-encoding'], problem.headers.vary], ['gzip', 'Accept-Encoding'])
  assert.equal(JSON.parse(problem.text).invalid_parameters.length, 50)
  const small = await get('/api/v1/companies?page=1', headers)
  assertProblem(asProblem(small), 400)
  assert.deepEqual([small.headers['content-encoding'], small.headers.vary], [undefined, undefined])
  assertProblem(asProblem(await get('/api/v1/nonsense', { accept: 'text/html' })), 404)
  assertProblem(asProblem(await get('/api/v1/companies', { accept: 'text/html', 'x-api-key': '' })), 401)
})

test('a reply with a secret is never compressed', async () => {
  const post = (headers: object) =>
    exchange(port, 'POST', '/api/v1/secret?bytes=5000', { 'x-api-key': key, 'accept-encoding': 'br, gzip', ...headers })
  const repeated = { 'idempotency-key': randomUUID() }
  for (const headers of [{}, repeated, repeated]) {
    const reply = await post(headers)
    assert.deepEqual([reply.status, reply.bytes.length], [200, 5000])
    assert.deepEqual([reply.headers['content-encoding'], reply.headers.vary], [undefined, undefined])
  }
})

test('Vary names the Origin of CORS and Accept-Encoding', async () => {
  const origin = 'https://play.example'
  const withCors = await listen({ CORS_ORIGINS: origin })
  for (const [bytes, vary] of [
    [100, 'Origin'],
    [2000, 'Origin, Accept-Encoding'],
  ] as const) {
    const reply = await text(bytes, { origin, 'accept-encoding': 'br' }, withCors)
    assert.deepEqual([reply.headers['access-control-allow-origin'], reply.headers.vary], [origin, vary])
  }
  for (const path of ['/openapi.json', '/llms.txt', '/docs', '/docs/errors.md']) {
    const { headers } = await exchange(withCors, 'GET', path, { origin })
    assert.deepEqual([headers['access-control-allow-origin'], headers.vary], [origin, 'Origin, Accept-Encoding'], path)
  }
})

test('public pages ignore Accept', async () => {
  for (const path of ['/', '/api/v1', '/health/live', '/health/ready', '/openapi.json', '/docs'])
    assert.equal((await exchange(port, 'GET', path, { accept: 'image/png' })).status, 200, path)
})

test('a request that waits for changes gets them compressed', async (t) => {
  const { base, key, user } = await newCompany()
  const root = `${base}/users/${await user('ADMIN')}`
  const headers = { 'x-api-key': key, 'accept-encoding': 'gzip' }
  await sequenceAll()
  const { cursor } = JSON.parse((await get(`${root}/changes`, headers)).text)
  const { mock } = t.mock.method(watchOf(db), 'next')
  const waiting = get(`${root}/changes?after=${cursor}&wait=20`, headers)
  await until(() => mock.callCount() > 0, 'the request to wait')
  const body = JSON.stringify({ name: 'Mina', role: 'PLAYER', metadata: { note: 'x'.repeat(500), more: 'y'.repeat(500) } })
  const made = await exchange(port, 'POST', `${base}/users`, { ...headers, 'content-type': 'application/json' }, body)
  assert.equal(made.status, 201, made.text)
  await sequenceAll()
  const told = await waiting
  assert.deepEqual([told.status, told.headers['content-encoding']], [200, 'gzip'])
  assert.equal(JSON.parse(told.text).items[0].data.resource.name, 'Mina')
})

test('a stream is not compressed', async () => {
  const { base, key, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER')}/stream`
  const headers = { 'x-api-key': key, 'accept-encoding': 'br, gzip', accept: 'text/event-stream' }
  const reader = await follow(`http://127.0.0.1:${port}${path}`, headers)
  assert.deepEqual([reader.headers.get('content-encoding'), reader.headers.get('vary')], [null, null])
  assert.match((await reader.next()).raw, /^retry: /)
  reader.close()
})

/** Splits the bytes of a connection into responses, each with its head and its decoded body. */
function responsesIn(bytes: Buffer): { head: string; text: string }[] {
  const found: { head: string; text: string }[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.subarray(0, end).toString('latin1').toLowerCase()
    const length = Number(/content-length: (\d+)/.exec(head)?.[1])
    const body = rest.subarray(end + 4, end + 4 + length)
    found.push({ head, text: decoded({ 'content-encoding': /content-encoding: (\w+)/.exec(head)?.[1] }, body) })
    rest = rest.subarray(end + 4 + length)
  }
  return found
}

test('responses on one connection keep the order of their requests, compressed or not', async () => {
  // The first ones are compressed in other threads, and take longer than those behind them.
  const requests = [3_000_000, 50_000, 2000, 100].flatMap((bytes) => ['br', 'gzip', 'identity'].map((coding) => ({ bytes, coding })))
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = dial(port, '127.0.0.1', () => {
      const lines = requests.map(({ bytes, coding }, i) => {
        const end = i === requests.length - 1 ? 'Connection: close\r\n' : ''
        return `GET /api/v1/text?bytes=${bytes} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nAccept-Encoding: ${coding}\r\n${end}\r\n`
      })
      socket.write(lines.join(''))
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.on('error', reject)
  })
  const responses = responsesIn(bytes)
  assert.deepEqual(
    responses.map(({ head, text }) => [text.length > 0 && Buffer.byteLength(text), /content-encoding: (\w+)/.exec(head)?.[1]]),
    requests.map(({ bytes, coding }) => [bytes, bytes > 1024 && coding !== 'identity' ? coding : undefined]),
  )
})

test('the compressed bytes count as unread, not those of the plain reply', async () => {
  /** Requests 32 MB on connections that are not read, and returns the status of one more request. */
  const statusAfter = async (coding: string) => {
    const { key } = await newDeveloper()
    const sockets = Array.from({ length: 4 }, () => {
      const socket = dial(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`GET /api/v1/text?bytes=8000000 HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`)
      return socket
    })
    try {
      for (const socket of sockets) {
        await once(socket, 'data')
        socket.pause()
      }
      const status = async () => (await text(100, { 'x-api-key': key })).status
      if (coding === 'identity') await until(async () => (await status()) !== 200, 'a rejection')
      return await status()
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  }
  assert.deepEqual([await statusAfter('identity'), await statusAfter('gzip')], [503, 200])
})

test('a body that is compressed, in another charset, or a merge patch where none is taken, is 415', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const newUser = { name: 'Zoë', role: 'PLAYER' }
  const send = async (method: string, path: string, headers: OutgoingHttpHeaders, body: string | Buffer) =>
    asProblem(await exchange(port, method, path, { 'x-api-key': key, 'content-type': 'application/json', ...headers }, body))
  const post = (headers: OutgoingHttpHeaders, body: string | Buffer = JSON.stringify(newUser)) =>
    send('POST', `${base}/users`, headers, body)
  for (const coding of ['gzip', 'br', 'x-unknown', 'identity, gzip', 'gzip, identity']) {
    const refused = await post({ 'content-encoding': coding }, gzipSync(JSON.stringify(newUser)))
    assertProblem(refused, 415, 'The body must not be compressed. Send it without Content-Encoding.')
    assert.deepEqual([refused.body.code, refused.headers['accept-encoding']], ['unsupported_media_type', 'identity'])
  }
  for (const coding of ['identity', 'Identity', '']) assert.equal((await post({ 'content-encoding': coding })).status, 201, coding)
  const json = 'application/json'
  for (const type of [
    `${json};charset=iso-8859-1`,
    `${json}; charset="UTF-16"`,
    `${json};charset=utf-8;charset=latin1`,
    `${json};charset=`,
  ]) {
    const refused = await post({ 'content-type': type })
    assertProblem(refused, 415, 'The body must be JSON in UTF-8. Send it without a charset, or with charset=utf-8.')
    assert.equal(refused.headers['accept-encoding'], undefined)
  }
  for (const type of [`${json};charset=utf-8`, `${json}; CHARSET="UTF-8"`, `${json};charset=utf8`, `${json}; charset=Utf-8; x=y`])
    assert.equal((await post({ 'content-type': type })).body.name, 'Zoë', type)
  const patchType = { 'content-type': 'application/merge-patch+json' }
  const message = 'Only PATCH takes application/merge-patch+json. Send the body with Content-Type: application/json.'
  assertProblem(await post(patchType), 415, message)
  assertProblem(await send('PUT', `${base}/developers/${randomUUID()}`, patchType, '{"permission":"USER"}'), 415, message)
  assert.equal((await send('PATCH', `${base}/users/${id}`, patchType, '{"name":"Mina"}')).body.name, 'Mina')
  // Without a body, its headers do not matter.
  const restored = await send('POST', `${base}/users/${id}/restore`, { ...patchType, 'content-encoding': 'gzip' }, '')
  assert.equal(restored.status, 200)
})

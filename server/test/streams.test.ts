import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { openapi } from '../src/http/reference/openapi.ts'
import { MAX_STREAMS_PER_DEVELOPER, MAX_STREAMS_PER_USER } from '../src/http/streams/streams.ts'
import { operations } from '../src/resources/index.ts'
import { freePort } from './free-port.ts'
import { assertProblem, call, newApp, newCompany, url } from './harness.ts'
import { ask, type Service, startStreamingService, type Wire } from './service.ts'
import { follow, type ReceivedFrame } from './sse.ts'
import { channelOf, streaming } from './streaming.ts'
import { until } from './until.ts'

/** An app of this process with the streaming operations, on a port of its own. */
async function listen(env: Record<string, string> = {}) {
  const app = await newApp(env, [...operations, ...streaming])
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

async function newReader() {
  const company = await newCompany()
  const user_id = await company.user('PLAYER')
  const root = `${company.base}/users/${user_id}/test`
  return { ...company, user_id, root, stream: `${root}/stream`, channel: channelOf(company.company_id) }
}

/** True for a domain event. */
const isEvent = ({ event, id }: ReceivedFrame) => event === undefined && id !== undefined

test('a stream begins with retry and ready, then sends each event at once', async () => {
  const { base } = await listen({ RATE_LIMIT: 'on', CORS_ORIGINS: 'https://play.example' })
  const { key, stream, channel } = await newReader()
  channel.position = 6
  const reader = await follow(base + stream, { 'x-api-key': key, origin: 'https://play.example' })
  const { headers } = reader
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-accel-buffering', 'x-content-type-options', 'access-control-allow-origin', 'etag'].map((name) =>
      headers.get(name),
    ),
    ['text/event-stream; charset=utf-8', 'no-store', 'no', 'nosniff', 'https://play.example', null],
  )
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
  assert.match(headers.get('ratelimit') ?? '', /"burst";r=99/, 'one request is counted')
  const retry = /^retry: (\d{4})$/.exec((await reader.next()).raw)?.[1]
  assert.ok(Number(retry) >= 1000 && Number(retry) <= 5000, retry)
  const ready = await reader.next()
  assert.deepEqual([ready.event, ready.id], ['ready', 'p6'])
  assert.ok(Date.parse(JSON.parse(ready.data).date))
  await channel.publish('Two\nlines')
  assert.deepEqual(await reader.next(), {
    raw: 'id: p7\ndata: {"text":"Two\\nlines"}',
    event: undefined,
    id: 'p7',
    data: '{"text":"Two\\nlines"}',
  })
  reader.close()
  await until(() => channel.connections.size === 0, 'the stream of a client that is gone stays open')
})

test('a client resumes by Last-Event-ID', async () => {
  const { base } = await listen()
  const { key, stream } = await newReader()
  const resumed = await follow(base + stream, { 'x-api-key': key, 'last-event-id': 'p3' })
  await resumed.next()
  assert.equal((await resumed.next()).id, 'p3')
  const first = await follow(base + stream, { 'x-api-key': key, 'last-event-id': '' })
  await first.next()
  assert.equal((await first.next()).id, 'p0')
})

test('everything before a stream is answered like any other read', async () => {
  const { app, base } = await listen()
  const { key, stream, root, user, company_id } = await newReader()
  const on = app
  assertProblem(await call('GET', stream, { on }), 401)
  assertProblem(await call('GET', `${stream}?nonsense=1`, { key, on }), 400)
  assertProblem(await call('GET', stream.replace(company_id, 'x'), { key, on }), 403)
  assertProblem(await call('GET', root.replace(/users\/[^/]+/, 'users/x').concat('/stream'), { key, on }), 404)
  assertProblem(await call('GET', `${stream}?fail=run`, { key, on }), 500)
  assertProblem(await call('POST', stream, { key, on }), 405)
  const head = await call('HEAD', stream, { key, on })
  assert.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', 'text/event-stream; charset=utf-8'])
  assert.equal(app.streams.count, 0)
  assert.ok(await user('PLAYER'))
  const failing = await follow(`${base}${stream}?fail=start`, { 'x-api-key': key })
  assert.equal((await failing.last()).data, '{"reason":"failed"}')
})

test('bookmarks move the position, and a failing one ends only its stream', async () => {
  const { base } = await listen()
  const { key, stream, channel } = await newReader()
  const reader = await follow(base + stream, { 'x-api-key': key })
  const failing = await follow(`${base}${stream}?fail=bookmark`, { 'x-api-key': key })
  // Not sent to anybody, as if the readers might not see it.
  channel.position = 41
  const [, ready, bookmark] = [await reader.next(), await reader.next(), await reader.next(20_000)]
  assert.deepEqual([ready.id, bookmark.event, bookmark.id, bookmark.data], ['p0', 'bookmark', 'p41', '{}'])
  assert.equal((await failing.last(20_000)).data, '{"reason":"failed"}')
  await channel.publish('Still here')
  assert.equal((await reader.next()).id, 'p42')
  reader.close()
})

test('a client that reads nothing is cut off, and others are not', async () => {
  const { app, base } = await listen()
  const { key, stream, channel } = await newReader()
  const reader = await follow(base + stream, { 'x-api-key': key })
  const { hostname, port, pathname } = new URL(base + stream)
  const idle = dial(Number(port), hostname)
  idle.on('error', () => {})
  idle.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
  await until(() => app.streams.count === 2, 'the streams do not open')
  idle.pause()
  const text = 'x'.repeat(30_000)
  await Promise.all(Array.from({ length: 20 }, () => channel.publish(text)))
  await reader.until(({ id }) => id === 'p20')
  assert.equal(app.streams.count, 2, 'the kernel takes a batch of 600 kB')
  // The kernel takes some megabytes before anything waits in this process.
  for (let sent = 0; app.streams.count === 2; sent++) {
    assert.ok(sent < 1000, 'the client is never cut off')
    await channel.publish(text)
    await reader.until(({ id }) => id === `p${channel.position}`)
  }
  assert.equal(app.streams.ends.get('too_slow'), 1)
  await channel.publish('The end')
  assert.equal((await reader.until(({ id }) => id === `p${channel.position}`)).data, '{"text":"The end"}')
  await once(idle.resume(), 'close')
  reader.close()
})

test('a frame that is delivered waits for the client, and not for one that is gone or reads nothing', async () => {
  const { app, base } = await listen()
  const { key, stream, channel } = await newReader()
  const frame = Buffer.from(`data: ${'x'.repeat(400_000)}\n\n`)
  const reader = await follow(base + stream, { 'x-api-key': key })
  const [connection] = channel.connections
  for (let i = 0; i < 30; i++) await connection?.deliver(frame)
  assert.equal(connection?.isOpen, true, 'twelve megabytes were taken at the speed of the client')
  reader.close()
  await until(() => connection.isOpen === false, 'the stream stays open')
  await connection.deliver(frame)

  const { hostname, port, pathname } = new URL(base + stream)
  const idle = dial(Number(port), hostname)
  idle.on('error', () => {})
  idle.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
  await until(() => channel.connections.size === 1, 'the stream does not open')
  idle.pause()
  const [stuck] = channel.connections
  for (let i = 0; i < 10_000 && stuck?.isOpen; i++) await stuck.deliver(frame)
  assert.equal(app.streams.ends.get('too_slow'), 1)
  idle.destroy()
})

test('a request behind a stream on its connection is not executed, and the connection is closed', async () => {
  const { app, base } = await listen()
  const { key, stream, user_id, base: company, channel } = await newReader()
  const { hostname, port } = new URL(base)
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${more}\r\n`
  const body = '{"name":"Behind"}'
  const rename = head(`PATCH ${company}/users/${user_id}`, `content-type: application/json\r\ncontent-length: ${body.length}\r\n`) + body
  const send = (...parts: string[]) => {
    const socket = dial(Number(port), hostname)
    socket.on('error', () => {})
    let received = ''
    socket.on('data', (chunk) => (received += chunk))
    socket.write(parts.join(''))
    return { socket, closed: once(socket, 'close'), received: () => received }
  }
  const opening = head(`GET ${stream}`)
  // In one packet, and behind a stream that is open: a request, and bytes that are none.
  await send(opening, rename).closed
  await send(opening, opening).closed
  for (const further of [rename, 'nonsense\r\n\r\n']) {
    const { socket, closed } = send(opening)
    await until(() => channel.connections.size === 1, 'the stream does not open')
    socket.write(further)
    await closed
    await until(() => channel.connections.size === 0, 'the stream stays open')
  }
  assert.equal((await call('GET', `${company}/users/${user_id}`, { key, on: app })).body.version, 1)

  // A stream may be the last of several requests, and a connection goes on after a stream that was refused.
  const last = send(head(`GET ${company}`), opening)
  await until(() => /^HTTP.1.1 200.*HTTP.1.1 200.*event: ready/s.test(last.received()), 'the stream does not open')
  last.socket.destroy()
  const refused = send(head(`GET ${stream}?nonsense=1`))
  await until(() => /^HTTP.1.1 400/.test(refused.received()), 'not refused')
  refused.socket.write(rename)
  await until(() => /HTTP.1.1 200/.test(refused.received()), 'not renamed')
  refused.socket.destroy()
  await until(() => app.streams.count === 0, 'a stream stays open')
})

test('no timeout of the server ends a stream', async () => {
  const { app, base } = await listen()
  app.server.setTimeout(300)
  const { key, stream, root, channel } = await newReader()
  const reader = await follow(base + stream, { 'x-api-key': key })
  const idle = fetch(`${base}${root}/changes?after=0&wait=5`, { headers: { 'x-api-key': key } })
  await assert.rejects(idle, 'another connection is closed after this time')
  await channel.publish('Still here')
  assert.equal((await reader.until(isEvent)).id, 'p1')
  reader.close()
})

test('the streams of a user, a developer and a process are limited', async () => {
  const { app, base } = await listen({ STREAMS_MAX: String(MAX_STREAMS_PER_DEVELOPER + MAX_STREAMS_PER_USER + 1) })
  const { key, stream, user, base: company, developer } = await newReader()
  const headers = { 'x-api-key': key }
  const open = [await follow(base + stream, headers)]
  for (let i = 1; i < MAX_STREAMS_PER_USER; i++) open.push(await follow(base + stream, headers))
  open.pop()?.close()
  await until(() => app.streams.count === MAX_STREAMS_PER_USER - 1, 'a closed stream is still counted')
  for (let i = 0; i < 2; i++) open.push(await follow(base + stream, headers))
  assert.equal((await open.shift()?.last())?.data, '{"reason":"replaced"}', 'the oldest one gives way')
  assert.equal(app.streams.count, MAX_STREAMS_PER_USER)
  let another = ''
  for (let i = 1; i < MAX_STREAMS_PER_DEVELOPER / MAX_STREAMS_PER_USER; i++) {
    another = `${company}/users/${await user('PLAYER')}/test/stream`
    open.push(...(await Promise.all(Array.from({ length: MAX_STREAMS_PER_USER }, () => follow(base + another, headers)))))
  }
  another = `${company}/users/${await user('PLAYER')}/test/stream`
  const tooMany = await call('GET', another, { key, on: app })
  assertProblem(tooMany, 429, 'The developer has 500 open streams with keys, the maximum. Close one first, or use user tokens.')
  assert.deepEqual([tooMany.body.code, tooMany.headers['retry-after']], ['too_many_streams', '10'])
  // The streams with keys hold back no user of the same application.
  const byUser = `${company}/users/${await user('PLAYER')}`
  const { token } = (await call('POST', `${byUser}/tokens`, { key, body: {}, on: app })).body as unknown as { token: string }
  const asUser = () => follow(`${base}${byUser}/test/stream`, { authorization: `Bearer ${token}` })
  const ofUser = [await asUser()]
  for (let i = 0; i < MAX_STREAMS_PER_USER; i++) ofUser.push(await asUser())
  assert.equal((await ofUser.shift()?.last())?.data, '{"reason":"replaced"}', 'the limit of the user holds')
  open.push(...ofUser)
  const other = await developer('USER')
  open.push(await follow(base + another, { 'x-api-key': other.key }))
  const full = await call('GET', `${byUser}/test/stream`, { headers: { authorization: `Bearer ${token}` }, on: app })
  assertProblem(full, 503, /has 511 open streams/)
  assert.deepEqual([full.body.code, full.headers['retry-after']], ['too_many_streams', '10'])
  assert.equal((await call('GET', company, { key, on: app })).status, 200)
  for (const reader of open) reader.close()
  await until(() => app.streams.count === 0, 'closed streams are still counted')
  const off = await newApp({ STREAMS_MAX: '0' }, [...operations, ...streaming])
  assertProblem(await call('GET', stream, { key, on: off }), 503, /switched off/)
})

test('streams and waiting requests take no turn of other requests, and one event wakes them all', async () => {
  const { base } = await listen({ MAX_IN_FLIGHT: '4', MAX_QUEUED: '4' })
  const { key, channel, user, base: company } = await newReader()
  const service = { base } as Service
  const streams = []
  for (let i = 0; i < 6; i++)
    streams.push(await follow(`${base}${company}/users/${await user('PLAYER')}/test/stream`, { 'x-api-key': key }))
  const waiting: Promise<Wire>[] = []
  let waiter = ''
  for (let i = 1; i <= 60; i++) {
    if (i % 10 === 1) waiter = `${company}/users/${await user('PLAYER')}/test`
    waiting.push(ask(service, 'GET', `${waiter}/changes?after=0&wait=30`, key))
    await until(() => channel.wakes.size === i, `only ${channel.wakes.size} of ${i} requests wait`)
  }
  assert.equal((await ask(service, 'GET', company, key)).status, 200)
  await channel.publish('Wake up')
  assert.deepEqual(new Set((await Promise.all(waiting)).map(({ status, body }) => `${status} ${body.position}`)), new Set(['200 1']))
  for (const reader of streams) reader.close()
  assert.equal(channel.wakes.size, 0)
})

test('a request that waited is answered when its time is over, and for its caller as they are then', async () => {
  const { base } = await listen()
  const { key, root, channel, user_id, base: company, developer } = await newReader()
  const service = { base } as Service
  const startedAt = performance.now()
  const empty = await ask(service, 'GET', `${root}/changes?after=0&wait=1`, key)
  assert.deepEqual([empty.status, empty.body.position], [200, 0])
  assert.ok(performance.now() - startedAt > 990)

  // A caller whom this process has not seen before is identified by a statement of its own, any other is recalled from the cache.
  const [fresh, known] = [await developer('USER'), await developer('USER')]
  assert.equal((await ask(service, 'GET', `${root}/changes?after=0`, known.key)).status, 200)
  const denied = [fresh, known].map((by) => ask(service, 'GET', `${root}/changes?after=0&wait=30`, by.key))
  await until(() => channel.wakes.size === 2, 'the requests do not wait')
  for (const { id } of [fresh, known]) assert.equal((await ask(service, 'DELETE', `${company}/developers/${id}`, key)).status, 204)
  await channel.publish('Not for them')
  assert.deepEqual(
    (await Promise.all(denied)).map(({ status }) => status),
    [403, 403],
  )
  const archived = ask(service, 'GET', `${root}/changes?after=1&wait=30`, (await developer('USER')).key)
  await until(() => channel.wakes.size === 1, 'the request does not wait')
  assert.equal((await ask(service, 'DELETE', `${company}/users/${user_id}`, key)).status, 204)
  await channel.publish('Not for them')
  assert.equal((await archived).status, 404)
})

test('a client that leaves while it waits is forgotten', async () => {
  const { base } = await listen()
  const { key, root, channel } = await newReader()
  const abort = new AbortController()
  const waiting = fetch(`${base}${root}/changes?after=0&wait=30`, { headers: { 'x-api-key': key }, signal: abort.signal })
  await until(() => channel.wakes.size === 1, 'the request does not wait')
  abort.abort()
  await assert.rejects(waiting)
  await until(() => channel.wakes.size === 0, 'a client that is gone still waits')
})

test('one frame reaches six hundred connections, each once and in order', async () => {
  const { app, base } = await listen()
  const readers = []
  const company = await newCompany()
  const keys = [company.key, (await company.developer('USER')).key]
  const channel = channelOf(company.company_id)
  for (let i = 0; i < 60; i++) {
    const path = `${base}${company.base}/users/${await company.user('PLAYER')}/test/stream`
    readers.push(...(await Promise.all(Array.from({ length: 10 }, () => follow(path, { 'x-api-key': keys[i % 2] as string })))))
  }
  assert.equal(app.streams.count, 600)
  for (const text of ['One', 'Two']) await channel.publish(text)
  for (const reader of readers) {
    assert.deepEqual((await reader.until(isEvent)).id, 'p1')
    assert.deepEqual((await reader.until(isEvent)).id, 'p2')
  }
  for (const reader of readers) reader.close()
})

test('a process ends its streams and waiting requests first on SIGTERM, and logs and counts streams', async () => {
  const METRICS_PORT = await freePort()
  const service = await startStreamingService({
    DATABASE_URL: url,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    METRICS_PORT,
    MAX_IN_FLIGHT: '24',
  })
  after(() => service.kill('SIGKILL'))
  const { key, stream, root, base, user_id, owner, company_id } = await newReader()
  const reader = await follow(service.base + stream, { 'x-api-key': key })
  const gone = await follow(service.base + stream, { 'x-api-key': key })
  assert.equal((await ask(service, 'POST', `${base}/test/messages`, key, { text: 'Hello' })).status, 204)
  assert.equal((await reader.until(isEvent)).data, '{"text":"Hello"}')
  gone.close()
  const metrics = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  await until(async () => /^guildhall_stream_ends_total\{reason="client_gone"\} 1$/m.test(await metrics()), 'the end is not counted')
  const text = await metrics()
  assert.match(text, /^guildhall_streams 1$/m)
  assert.match(text, /^guildhall_in_flight 0$/m)
  const route = '/api/v1/companies/:company_id/users/:user_id/test/stream'
  assert.ok(text.includes(`guildhall_request_seconds_count{method="GET",route="${route}",status="200"} 2`), 'the opening is measured')

  const waiting = ask(service, 'GET', `${root}/changes?after=1&wait=30`, key)
  // A request that came later is answered, so this one waits.
  assert.equal((await ask(service, 'GET', `${root}/changes?after=0`, key)).status, 200)
  const stopped = service.kill('SIGTERM')
  assert.equal((await reader.last()).raw, 'event: bye\ndata: {"reason":"draining"}')
  assert.equal((await waiting).status, 200, 'answered with what there is')
  assert.equal(await stopped, 0)

  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const ofStreams = lines.filter(({ request_id }) => request_id === reader.headers.get('x-request-id'))
  assert.deepEqual(
    ofStreams.map(({ msg }) => msg),
    ['stream opened', 'stream ended'],
  )
  const [opened, ended] = ofStreams
  assert.deepEqual(
    [opened.status, opened.route, opened.developer_id, opened.company_id, opened.user_id],
    [200, route, owner.id, company_id, user_id],
  )
  assert.equal(typeof opened.ms, 'number')
  assert.deepEqual([ended.reason, typeof ended.seconds], ['draining', 'number'])
  const poll = lines.find(({ msg, route, waited_ms }) => msg === 'answered' && /changes$/.test(route) && waited_ms)
  assert.ok(poll.waited_ms > 0 && poll.ms >= poll.waited_ms, JSON.stringify(poll))
})

test('the document describes a stream by its events', () => {
  const { paths, components } = openapi([...operations, ...streaming]) as unknown as {
    paths: Record<string, { get: { parameters: { $ref?: string }[]; responses: Record<string, { content: object; headers: object }> } }>
    components: { schemas: object; parameters: object }
  }
  const { get } = paths['/api/v1/companies/{company_id}/users/{user_id}/test/stream'] ?? assert.fail()
  const event = { summary: 'The data of an event', value: { text: 'Hello' } }
  assert.deepEqual(get.responses[200]?.content, {
    'text/event-stream': { schema: { $ref: '#/components/schemas/Message' }, examples: { event } },
  })
  assert.ok(get.parameters.some(({ $ref }) => $ref === '#/components/parameters/LastEventId'))
  assert.ok('Message' in components.schemas && 'LastEventId' in components.parameters)
})

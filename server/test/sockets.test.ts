import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { newApp, newCompany, newDeveloper } from './harness.ts'
import { until } from './until.ts'

const live = await newApp()
await live.listen({ port: 0, host: '127.0.0.1' })
after(() => live.close())
const { port } = live.server.address() as AddressInfo

/** Sends bytes on a socket and returns the response when the socket is closed. */
const sendRaw = (bytes: string, toPort = port) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = dial(toPort, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })

/** Asserts that a raw response is a problem with this status, and returns it. */
function assertRawProblem(text: string, status: number) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), text)
  assert.match(head, /content-type: application\/problem\+json/i)
  assert.match(head, /x-request-id: req_/i)
  const problem = JSON.parse(body)
  assert.equal(problem.status, status)
  for (const field of ['title', 'detail', 'instance', 'code', 'request_id']) assert.equal(typeof problem[field], 'string')
  return problem
}

test('answers a 400 problem to malformed HTTP', async () => {
  assertRawProblem(await sendRaw('NONSENSE\r\n\r\n'), 400)
  const { instance } = assertRawProblem(await sendRaw('GET /api/v1/companies?x=1 HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'), 400)
  assert.equal(instance, '/api/v1/companies')
})

test('answers 431 to headers that are too large', async () => {
  assertRawProblem(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`), 431)
})

test('answers 204 to OPTIONS for the server as a whole', async () => {
  assert.match(await sendRaw('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 204 /)
})

test('answers 400 to a path with invalid percent-encoding', async () => {
  assertRawProblem(await sendRaw('GET /api/v1/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), 400)
})

test('accepts a chunked body, and rejects an empty one or one without a type', async () => {
  const { key } = await newCompany()
  const head = (moreHeaders: string) =>
    `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nConnection: close\r\n${moreHeaders}\r\n`
  const json = 'Content-Type: application/json\r\n'
  assert.match(await sendRaw(`${head(`${json}Transfer-Encoding: chunked\r\n`)}5\r\n{"nam\r\n8\r\ne":"Ch"}\r\n0\r\n\r\n`), /^HTTP\/1.1 201/)
  assertRawProblem(await sendRaw(head(`${json}Content-Length: 0\r\n`)), 400)
  assertRawProblem(await sendRaw(head('Content-Length: 0\r\n')), 400)
  assertRawProblem(await sendRaw(head('')), 400)
  assertRawProblem(await sendRaw(`${head('Content-Length: 2\r\n')}{}`), 415)
})

test('rejects repeated Idempotency-Key and On-Behalf-Of headers', async () => {
  const { key, base, user } = await newCompany()
  const body = '{"name":"Twice","role":"PLAYER"}'
  const id = await user('ADMIN')
  for (const header of ['Idempotency-Key: one\r\nidempotency-key: two\r\n', `On-Behalf-Of: ${id}\r\nON-BEHALF-OF: ${id}\r\n`]) {
    const head = `POST ${base}/users HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const { invalid_parameters } = assertRawProblem(await sendRaw(`${head}${header}Content-Length: ${body.length}\r\n\r\n${body}`), 400)
    assert.equal(invalid_parameters[0].message, 'must not be sent more than once')
  }
})

test('errors that Node answers by default are problems too', async () => {
  assertRawProblem(await sendRaw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400)
  assertRawProblem(await sendRaw('GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n'), 417)
  assertRawProblem(await sendRaw('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'), 405)
  assert.match(await sendRaw('GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200/)
})

test('garbage after a request does not replace its answer', async () => {
  const { key } = await newDeveloper()
  const body = '{"name":"Garbage follows"}'
  const request = `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  for (const turns of [0, 1, 5, 25]) {
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = dial(port, '127.0.0.1', async () => {
        socket.write(request)
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        socket.write('}\r\n\r\n')
      })
      socket.setTimeout(3000, () => socket.destroy())
      socket.on('data', (chunk) => (received += chunk))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    assert.match(text, /^HTTP\/1.1 201/)
  }
})

test('a client whose body is too large can send all of it and read the 413', async () => {
  const { key } = await newDeveloper()
  const head = (length: number) =>
    `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const received = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = dial(port, '127.0.0.1', () => socket.write(head(1_500_000)))
    socket.setTimeout(5000, () => socket.destroy())
    socket.once('data', () => {
      // The body was rejected before its first byte.
      socket.write('x'.repeat(1_500_000))
      socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    })
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  assert.match(received, /^HTTP\/1.1 413 .*HTTP\/1.1 200 /s)
  // The service does not wait for the rest of a huge body.
  assert.match(await sendRaw(head(80_000_000)), /^HTTP\/1.1 413 .*connection: close/is)
})

test('only the path of an absolute request target is used', async () => {
  const { key } = await newDeveloper()
  const send = (method: string, path: string, moreHeaders = '') =>
    sendRaw(`${method} http://evil.example${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${moreHeaders}\r\n`)
  const listed = await send('GET', '/api/v1/companies', `X-API-KEY: ${key}\r\n`)
  assert.match(listed, /^HTTP\/1.1 200/)
  assert.equal(listed.includes('evil'), false)
  assert.equal(assertRawProblem(await send('GET', '/api/v1/nonsense'), 401).instance, '/api/v1/nonsense')
  assertRawProblem(await send('PUT', '/api/v1/companies', `X-API-KEY: ${key}\r\n`), 405)
  assert.match(await sendRaw('GET http://evil.example HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 200/)
})

test('closes the connection after malformed HTTP even if the client keeps it open', async () => {
  const app = await newApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const halfOpen = dial({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }, () =>
    halfOpen.write('NONSENSE\r\n\r\n'),
  )
  after(() => halfOpen.destroy())
  halfOpen.on('error', () => {})
  await new Promise((resolve) => halfOpen.resume().on('end', resolve))
  const countConnections = () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  await until(async () => (await countConnections()) === 0, 'the end of the connection')
})

test('answers 408 to a request that does not arrive in time', async () => {
  const app = await newApp()
  assert.equal(app.server.requestTimeout, 30_000)
  const timeout = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  app.server.prependListener('connection', async (socket) => {
    await until(() => socket.bytesRead > 0, 'the beginning of the request')
    app.server.emit('clientError', timeout, socket)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  assertRawProblem(await sendRaw('GET / HTTP/1.1\r\nHost: a\r\n', (app.server.address() as AddressInfo).port), 408)
})

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { newApp, newCompany, newDeveloper } from './harness.ts'

const live = await newApp()
await live.listen({ port: 0, host: '127.0.0.1' })
after(() => live.close())
const { port } = live.server.address() as AddressInfo

/** Bytes on a socket, and what came back until it was closed. */
const raw = (bytes: string, to = port) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = dial(to, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })

function rawProblem(text: string, status: number) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), text)
  assert.match(head, /content-type: application\/problem\+json/i)
  assert.match(head, /x-request-id: req_/i)
  const problem = JSON.parse(body)
  assert.equal(problem.status, status)
  for (const field of ['title', 'detail', 'instance', 'code', 'request_id']) assert.equal(typeof problem[field], 'string')
  return problem
}

test('broken HTTP is 400 in problem details', async () => {
  rawProblem(await raw('NONSENSE\r\n\r\n'), 400)
  const { instance } = rawProblem(await raw('GET /api/v1/companies?x=1 HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'), 400)
  assert.equal(instance, '/api/v1/companies')
})

test('headers that are too large are 431', async () => {
  rawProblem(await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`), 431)
})

test('a path that is not a URL is 400', async () => {
  rawProblem(await raw('GET /api/v1/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), 400)
})

test('a body shorter than it said, or in pieces, or empty, is judged for what it is', async () => {
  const { key } = await newCompany()
  const head = (extra: string) => `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nConnection: close\r\n${extra}\r\n`
  const json = 'Content-Type: application/json\r\n'
  assert.match(await raw(`${head(`${json}Transfer-Encoding: chunked\r\n`)}5\r\n{"nam\r\n8\r\ne":"Ch"}\r\n0\r\n\r\n`), /^HTTP\/1.1 201/)
  rawProblem(await raw(head(`${json}Content-Length: 0\r\n`)), 400)
  rawProblem(await raw(head('Content-Length: 0\r\n')), 400)
  rawProblem(await raw(head('')), 400)
  rawProblem(await raw(`${head('Content-Length: 2\r\n')}{}`), 415)
})

test('headers that may be sent once only are refused when they are repeated on the wire', async () => {
  const { key, base, user } = await newCompany()
  const body = '{"name":"Twice","role":"PLAYER"}'
  const id = await user('ADMIN')
  for (const header of ['Idempotency-Key: one\r\nidempotency-key: two\r\n', `On-Behalf-Of: ${id}\r\nON-BEHALF-OF: ${id}\r\n`]) {
    const head = `POST ${base}/users HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const { invalid_parameters } = rawProblem(await raw(`${head}${header}Content-Length: ${body.length}\r\n\r\n${body}`), 400)
    assert.equal(invalid_parameters[0].message, 'must not be sent more than once')
  }
})

test('what Node would answer by itself has our shape too', async () => {
  rawProblem(await raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), 400)
  rawProblem(await raw('GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n'), 417)
  rawProblem(await raw('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'), 405)
  assert.match(await raw('GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200/)
})

test('garbage behind a request does not replace its answer', async () => {
  const { key } = await newDeveloper()
  const body = '{"name":"Garbage follows"}'
  const request = `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  for (const pause of [0, 1, 2, 4]) {
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = dial(port, '127.0.0.1', () => {
        socket.write(request)
        setTimeout(() => socket.write('}\r\n\r\n'), pause)
      })
      socket.setTimeout(3000, () => socket.destroy())
      socket.on('data', (chunk) => (received += chunk))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    assert.match(text, /^HTTP\/1.1 201/)
  }
})

test('who is refused for a body too large may send it to its end, and reads the refusal', async () => {
  const { key } = await newDeveloper()
  const head = (length: number) =>
    `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const received = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = dial(port, '127.0.0.1', () => socket.write(head(1_500_000)))
    socket.setTimeout(5000, () => socket.destroy())
    socket.once('data', () => {
      // It was refused before a byte of it came.
      socket.write('x'.repeat(1_500_000))
      socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    })
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  assert.match(received, /^HTTP\/1.1 413 .*HTTP\/1.1 200 /s)
  // What would not end is not waited for.
  assert.match(await raw(head(80_000_000)), /^HTTP\/1.1 413 .*connection: close/is)
})

test('a target with a host in it is its path, and no more', async () => {
  const { key } = await newDeveloper()
  const ask = (method: string, path: string, more = '') =>
    raw(`${method} http://evil.example${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`)
  const listed = await ask('GET', '/api/v1/companies', `X-API-KEY: ${key}\r\n`)
  assert.match(listed, /^HTTP\/1.1 200/)
  assert.equal(listed.includes('evil'), false)
  assert.equal(rawProblem(await ask('GET', '/api/v1/nonsense'), 401).instance, '/api/v1/nonsense')
  rawProblem(await ask('PUT', '/api/v1/companies', `X-API-KEY: ${key}\r\n`), 405)
  assert.match(await raw('GET http://evil.example HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 200/)
})

test('a stranger who does not close the connection cannot keep it', async () => {
  const on = await newApp()
  await on.listen({ port: 0, host: '127.0.0.1' })
  const half = dial({ port: (on.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }, () =>
    half.write('NONSENSE\r\n\r\n'),
  )
  after(() => half.destroy())
  half.on('error', () => {})
  await new Promise((resolve) => half.resume().on('end', resolve))
  const open = () => new Promise<number>((resolve) => on.server.getConnections((_error, count) => resolve(count)))
  for (const end = Date.now() + 2000; (await open()) > 0; ) assert.ok(Date.now() < end, 'the connection is still held')
})

test('a request that does not arrive in time is 408', async () => {
  const on = await newApp()
  assert.equal(on.server.requestTimeout, 30_000)
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  on.server.prependListener('connection', (socket) => setTimeout(() => on.server.emit('clientError', late, socket), 50))
  await on.listen({ port: 0, host: '127.0.0.1' })
  rawProblem(await raw('GET / HTTP/1.1\r\nHost: a\r\n', (on.server.address() as AddressInfo).port), 408)
})

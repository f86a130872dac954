import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connect } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { MAX_BODIES_PER_CALLER } from '../src/http/limits/arriving-bodies.ts'
import { assertProblem, db, newApp, newCompany, url } from './harness.ts'
import { holdRow, untilBlocked } from './locks.ts'
import { ask, type Service, startService, type Wire } from './service.ts'
import { repeat, until } from './until.ts'

/** Repeats a request on this many connections until there are enough answers. Counts the answers by status. */
async function load({ base }: Service, connections: number, request: string, isEnough: (counts: Map<number, number>) => boolean) {
  const counts = new Map<number, number>()
  const { hostname, port } = new URL(base)
  const sockets: Socket[] = []
  // Connect one by one, because Node accepts one connection per turn of its event loop: the load begins when all are open.
  for (let i = 0; i < connections; i++) {
    const socket = dial(Number(port), hostname)
    await new Promise((resolve) => socket.once('data', resolve).write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'))
    sockets.push(socket)
  }
  const repeatOn = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let text = ''
      socket.on('data', (data) => {
        text += data
        const [, length] = /content-length: (\d+)/i.exec(text) ?? []
        const head = text.indexOf('\r\n\r\n')
        if (head < 0 || Buffer.byteLength(text.slice(head + 4)) < Number(length)) return
        const status = Number(text.slice(9, 12))
        counts.set(status, (counts.get(status) ?? 0) + 1)
        text = ''
        if (isEnough(counts)) socket.destroy()
        else socket.write(request)
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.write(request)
    })
  await Promise.all(sockets.map(repeatOn))
  return counts
}

test('under overload the service rejects excess requests, serves others, and always answers health checks', async (t) => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24' })
  const { base, key, user } = await newCompany()
  for (let i = 0; i < 20; i++) await user('PLAYER')
  const request = `GET ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  const below = await load(service, 16, request, (counts) => (counts.get(200) ?? 0) > 1000)
  assert.deepEqual([...below.keys()], [200])
  let healthAnswers = 0
  const stop = repeat(async () => {
    assert.equal((await ask(service, 'GET', '/health/live', '')).status, 200)
    healthAnswers++
  })
  const isEnough = (counts: Map<number, number>) => [counts.get(200), counts.get(503), healthAnswers].every((count = 0) => count > 50)
  const counts = await load(service, 800, request, isEnough)
  await stop()
  t.diagnostic(`${counts.get(200)} served, ${counts.get(503)} refused, health answered ${healthAnswers} times`)
  assert.deepEqual([...counts.keys()].sort(), [200, 503])
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200, 'the service recovers')
})

test('an overload response has Retry-After and the rate limit headers', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '1', MAX_QUEUED: '0', RATE_LIMIT: 'on' })
  const { base, key } = await newCompany()
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
  let asked: Promise<Wire>[] = []
  // While the table is locked, the first request that arrives waits and takes the only place.
  const refused = await db.transaction(async (tx) => {
    await tx.query(sql`LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`)
    asked = [1, 2].map(() => ask(service, 'GET', base, key))
    return Promise.race(asked)
  })
  assert.deepEqual(countByStatus(await Promise.all(asked)), { 200: 1, 503: 1 })
  assertProblem({ ...refused, headers: Object.fromEntries(refused.headers) }, 503)
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['overloaded', '1'])
  assert.match(refused.headers.get('ratelimit') ?? '', /^"burst";r=\d+;t=\d+, "sustained";r=\d+/)
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
})

/** Counts the answers by status. */
function countByStatus(answers: Wire[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('answers every request of a client that sends its whole burst at once', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24', RATE_LIMIT: 'on' })
  const { base, key } = await newCompany()
  const burst = Array.from({ length: 100 }, (_, i) =>
    i % 4 ? ask(service, 'GET', `${base}/users`, key) : ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' }),
  )
  assert.deepEqual(countByStatus(await Promise.all(burst)), { 200: 75, 201: 25 })
})

test('answers three hundred concurrent reads, writes and rolls of one client', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24' })
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const send = (i: number) =>
    i % 3 === 0
      ? ask(service, 'GET', `${base}/users/${id}`, key)
      : i % 3 === 1
        ? ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' })
        : ask(service, 'POST', `${base}/users/${id}/dice-rolls`, key, { notation: '3d6' })
  assert.deepEqual(countByStatus(await Promise.all(Array.from({ length: 300 }, (_, i) => send(i)))), { 200: 100, 201: 200 })
})

/** Sends a request whose body never arrives completely. */
function sendWithoutBody({ base }: Pick<Service, 'base'>, path: string, key: string): Socket {
  const { hostname, port } = new URL(base)
  const socket = dial(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"na`)
  return socket
}

test('requests whose bodies never arrive hold no turn, and are limited for each developer', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '2', MAX_QUEUED: '10' })
  const { base, key } = await newCompany()
  const other = await newCompany()
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200)
  const sockets: Socket[] = []
  for (let i = 0; i < MAX_BODIES_PER_CALLER; i++) sockets.push(sendWithoutBody(service, `${base}/users`, key))
  const body = { name: 'A', role: 'PLAYER' }
  const refused = await until(async () => {
    const reply = await ask(service, 'POST', `${base}/users`, key, body)
    return reply.status === 503 && reply
  }, 'unfinished bodies to be counted')
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['too_many_bodies', '1'])
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200, 'reads need no body')
  assert.equal((await ask(service, 'POST', `${other.base}/users`, other.key, body)).status, 201, 'other developers are not limited')
  assert.equal((await ask(service, 'GET', '/health/ready', '')).status, 200)
  for (const socket of sockets) socket.destroy()
  const isAccepted = async () => (await ask(service, 'POST', `${base}/users`, key, body)).status === 201
  await until(isAccepted, 'closed connections to be counted no longer')
})

/** Starts an app in this process, so that a test can see what waits in it, with one connection that writes. */
async function listen(env: Record<string, string>) {
  const one = connect(url, { readers: 4, writers: 1 })
  const app = await newApp(env, undefined, one)
  after(() => one.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const open = () => {
    const socket = dial(Number(new URL(base).port), '127.0.0.1')
    return socket.on('error', () => {})
  }
  const untilOpen = (wanted: number) =>
    until(
      () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count === wanted))),
      `${wanted} connections`,
    )
  return { app, base, one, open, untilOpen }
}

const user = { name: 'A', role: 'PLAYER' }

test('a client that disconnects while it waits for its turn is no longer counted', async () => {
  const { app, open, untilOpen, ...service } = await listen({ MAX_IN_FLIGHT: '1' })
  const { base, key, company_id } = await newCompany()
  const release = await holdRow('companies', company_id, company_id)
  const first = ask(service, 'POST', `${base}/users`, key, user)
  await untilBlocked()
  let arrived = 0
  app.server.on('request', () => arrived++)
  // Each has another acting user, so that its caller is not recalled but identified in a turn. Each declares a body of 256 kB.
  const sockets = Array.from({ length: 70 }, () => {
    const head = `POST ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\non-behalf-of: ${randomUUID()}\r\n`
    const socket = open()
    socket.write(`${head}content-type: application/json\r\ncontent-length: 262144\r\n\r\n{"na`)
    return socket
  })
  await until(() => arrived === sockets.length && app.load.waiting > 60, 'the requests to wait for their turn')
  for (const socket of sockets) socket.destroy()
  await untilOpen(1)
  await release()
  assert.equal((await first).status, 201)
  assert.equal((await ask(service, 'POST', `${base}/users`, key, user)).status, 201, 'bodies of disconnected clients are still counted')
})

test('a client that disconnects within its body, or reads no responses, holds no turn', async () => {
  const { app, open, ...service } = await listen({ MAX_IN_FLIGHT: '2' })
  const { base, key } = await newCompany()
  for (let i = 0; i < 4; i++) {
    const arrived = once(app.server, 'request')
    const socket = sendWithoutBody(service, `${base}/users`, key)
    await arrived
    socket.end()
  }
  const idle = Array.from({ length: 4 }, () => {
    const socket = open().pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(16))
    return socket
  })
  await until(async () => (await ask(service, 'GET', base, key)).status === 200, 'the turns of disconnected clients')
  // New large responses are rejected while so many bytes are unread.
  const isRejected = async () => {
    const { status, body } = await ask(service, 'GET', '/docs', '').catch(() => ({ status: 200, body: undefined }))
    return status === 503 && body
  }
  assert.equal((await until(isRejected, 'unread bytes to be counted')).code, 'too_much_unread')
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
  for (const socket of idle) socket.destroy()
  await until(async () => (await ask(service, 'GET', '/', '')).status === 200, 'unread bytes of closed connections to be counted no longer')
})

test('many large responses on one connection leave no listeners behind', async () => {
  const service = await startService({ DATABASE_URL: url })
  const { hostname, port } = new URL(service.base)
  const socket = dial(Number(port), hostname)
  for (let i = 0; i < 15; i++) {
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
    let remaining = -1
    await new Promise<void>((resolve) => {
      const onData = (chunk: Buffer) => {
        if (remaining < 0) remaining = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1'))?.[1]) + chunk.indexOf('\r\n\r\n') + 4
        remaining -= chunk.length
        if (remaining > 0) return
        socket.off('data', onData)
        resolve()
      }
      socket.on('data', onData)
    })
  }
  socket.destroy()
  assert.doesNotMatch(service.output(), /MaxListenersExceeded/)
})

test('a write whose client has disconnected is not executed', async () => {
  const { one, open, untilOpen, ...service } = await listen({})
  const { base, key, company_id } = await newCompany()
  const post = (name: string) => {
    const body = JSON.stringify({ name, role: 'PLAYER' })
    return `POST ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  // A lock on the company blocks the only connection that writes.
  const release = await holdRow('companies', company_id, company_id)
  const [patient, impatient] = [open(), open()]
  patient.write(post('Patient'))
  await untilBlocked()
  impatient.write(post('Impatient'))
  await until(() => one.connections().waiting === 1, 'the second write to wait for the connection')
  impatient.destroy()
  await untilOpen(1)
  await release()
  await once(patient, 'data')
  patient.destroy()
  assert.equal((await ask(service, 'POST', `${base}/users`, key, { name: 'Last', role: 'PLAYER' })).status, 201)
  const names = await db.query<{ name: string }>(sql`SELECT name FROM users WHERE company_id = ${company_id} ORDER BY id`)
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Patient', 'Last'],
  )
})

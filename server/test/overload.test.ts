import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect as dial, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/db/sql.ts'
import { MAX_BODIES_PER_CALLER } from '../src/http/limits/arriving-bodies.ts'
import { assertProblem, db, newCompany, url } from './harness.ts'
import { ask, type Service, startService, type Wire } from './service.ts'

/** Repeats a request on this many connections and returns the times of the answers in milliseconds, by status. */
async function load({ base }: Service, connections: number, ms: number, request: string): Promise<Map<number, number[]>> {
  const times = new Map<number, number[]>()
  const { hostname, port } = new URL(base)
  const sockets: Socket[] = []
  // Connect one by one: Node accepts one connection per turn of its event loop, and that wait must not be measured.
  while (sockets.length < connections) {
    const socket = dial(Number(port), hostname)
    await new Promise((resolve) => socket.once('data', resolve).write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'))
    sockets.push(socket)
  }
  const end = performance.now() + ms
  const repeatOn = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0
      let text = ''
      const send = () => {
        if (performance.now() > end) return socket.destroy()
        sentAt = performance.now()
        text = ''
        socket.write(request)
      }
      socket.on('data', (data) => {
        text += data
        const [, length] = /content-length: (\d+)/i.exec(text) ?? []
        const head = text.indexOf('\r\n\r\n')
        if (head < 0 || Buffer.byteLength(text.slice(head + 4)) < Number(length)) return
        const status = Number(text.slice(9, 12))
        const timesOfStatus = times.get(status)
        if (timesOfStatus) timesOfStatus.push(performance.now() - sentAt)
        else times.set(status, [performance.now() - sentAt])
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
      send()
    })
  await Promise.all(sockets.map(repeatOn))
  return times
}

test('under overload the service rejects excess requests, serves others, and always answers health checks', async (t) => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24' })
  const { base, key, user } = await newCompany()
  for (let i = 0; i < 20; i++) await user('PLAYER')
  const request = `GET ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  assert.deepEqual([...(await load(service, 16, 1000, request)).keys()], [200])
  let healthAnswers = 0
  let isWatching = true
  const watching = (async () => {
    for (; isWatching; healthAnswers++) {
      assert.equal((await ask(service, 'GET', '/health/live', '')).status, 200)
      await sleep(50)
    }
  })()
  // Times cannot be judged on a shared machine. A fault scenario does that.
  const times = await load(service, 800, 2500, request)
  isWatching = false
  await watching
  const [served, refused] = [times.get(200)?.length ?? 0, times.get(503)?.length ?? 0]
  t.diagnostic(`${served} served, ${refused} refused, health answered ${healthAnswers} times`)
  assert.deepEqual([...times.keys()].sort(), [200, 503])
  assert.ok(served > 50 && refused > 50 && healthAnswers > 3)
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
function sendWithoutBody({ base }: Service, path: string, key: string): Socket {
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
  for (const end = Date.now() + 10_000; ; await sleep(50)) {
    const refused = await ask(service, 'POST', `${base}/users`, key, body)
    if (refused.status === 503) {
      assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['too_many_bodies', '1'])
      break
    }
    assert.ok(Date.now() < end, 'unfinished bodies are not counted')
  }
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200, 'reads need no body')
  assert.equal((await ask(service, 'POST', `${other.base}/users`, other.key, body)).status, 201, 'other developers are not limited')
  assert.equal((await ask(service, 'GET', '/health/ready', '')).status, 200)
  for (const socket of sockets) socket.destroy()
  for (const end = Date.now() + 5000; (await ask(service, 'POST', `${base}/users`, key, body)).status !== 201; await sleep(50))
    assert.ok(Date.now() < end, 'closed connections are still counted')
})

test('a client that disconnects while it waits for its turn is no longer counted', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '1', DATABASE_WRITERS: '1' })
  const { base, key, company_id } = await newCompany()
  const held = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.query(sql`SELECT id FROM companies WHERE id = ${company_id} FOR UPDATE`)
    await held.promise
  })
  const body = { name: 'A', role: 'PLAYER' }
  const first = ask(service, 'POST', `${base}/users`, key, body)
  await sleep(200)
  const { hostname, port } = new URL(service.base)
  // Each has another acting user, so that its caller is not recalled but identified in a turn. Each declares a body of 256 kB.
  for (let i = 0; i < 70; i++) {
    const socket = dial(Number(port), hostname)
    socket.on('error', () => {})
    const head = `POST ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\non-behalf-of: ${randomUUID()}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 262144\r\n\r\n{"na`)
    setTimeout(() => socket.destroy(), 100)
  }
  await sleep(400)
  held.resolve()
  await holding
  assert.equal((await first).status, 201)
  assert.equal((await ask(service, 'POST', `${base}/users`, key, body)).status, 201, 'bodies of disconnected clients are still counted')
})

test('a client that disconnects within its body, or reads no responses, holds no turn', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '2' })
  const { base, key } = await newCompany()
  for (let i = 0; i < 4; i++) {
    const socket = sendWithoutBody(service, `${base}/users`, key)
    await sleep(100)
    socket.end()
  }
  const { hostname, port } = new URL(service.base)
  const idle = Array.from({ length: 4 }, () => {
    const socket = dial(Number(port), hostname)
    socket.on('error', () => {}).pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(16))
    return socket
  })
  for (const end = Date.now() + 5000; (await ask(service, 'GET', base, key)).status !== 200; await sleep(100))
    assert.ok(Date.now() < end, 'turns of disconnected clients are never released')
  // New large responses are rejected while so many bytes are unread.
  for (const end = Date.now() + 5000; ; await sleep(50)) {
    const { status, body } = await ask(service, 'GET', '/docs', '').catch(() => ({ status: 200, body: undefined }))
    if (status === 503) {
      assert.equal(body?.code, 'too_much_unread')
      break
    }
    assert.ok(Date.now() < end, 'unread bytes are not counted')
  }
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
  for (const socket of idle) socket.destroy()
  for (const end = Date.now() + 5000; (await ask(service, 'GET', '/', '')).status !== 200; await sleep(50))
    assert.ok(Date.now() < end, 'unread bytes of closed connections are still counted')
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
  const service = await startService({ DATABASE_URL: url, DATABASE_WRITERS: '1' })
  const { base, key, company_id } = await newCompany()
  const post = (name: string) => {
    const body = JSON.stringify({ name, role: 'PLAYER' })
    return `POST ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  const { hostname, port } = new URL(service.base)
  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = dial(Number(port), hostname, () => resolve(socket))
    })
  // A lock on the company blocks the only connection that writes.
  const held = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.query(sql`SELECT id FROM companies WHERE id = ${company_id} FOR UPDATE`)
    await held.promise
  })
  await sleep(100)
  const [patient, impatient] = [await open(), await open()]
  patient.write(post('Patient'))
  await sleep(200)
  impatient.write(post('Impatient'))
  await sleep(200)
  impatient.destroy()
  await sleep(200)
  held.resolve()
  await holding
  await new Promise((resolve) => patient.once('data', resolve))
  assert.equal(
    (await ask(service, 'POST', `${base}/users`, key, { name: 'Last', role: 'PLAYER' }, { 'idempotency-key': randomUUID() })).status,
    201,
  )
  const names = await db.query<{ name: string }>(sql`SELECT name FROM users WHERE company_id = ${company_id} ORDER BY id`)
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Patient', 'Last'],
  )
  patient.destroy()
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect as dial, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/db/sql.ts'
import { MAX_BODIES_PER_CALLER } from '../src/http/limits/arriving-bodies.ts'
import { assertProblem, db, newCompany, url } from './harness.ts'
import { ask, type Service, startService, type Wire } from './service.ts'

/** Asks the same over and over on so many connections, and tells how long each answer took, by its status. */
async function load({ base }: Service, connections: number, ms: number, request: string): Promise<Map<number, number[]>> {
  const times = new Map<number, number[]>()
  const { hostname, port } = new URL(base)
  const sockets: Socket[] = []
  // One after the other, each heard: Node takes one new connection per turn of its loop, and that wait is not the service's.
  while (sockets.length < connections) {
    const socket = dial(Number(port), hostname)
    await new Promise((resolve) => socket.once('data', resolve).write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'))
    sockets.push(socket)
  }
  const end = performance.now() + ms
  const one = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let begun = 0
      let text = ''
      const send = () => {
        if (performance.now() > end) return socket.destroy()
        begun = performance.now()
        text = ''
        socket.write(request)
      }
      socket.on('data', (data) => {
        text += data
        const [, length] = /content-length: (\d+)/i.exec(text) ?? []
        const head = text.indexOf('\r\n\r\n')
        if (head < 0 || Buffer.byteLength(text.slice(head + 4)) < Number(length)) return
        const status = Number(text.slice(9, 12))
        const known = times.get(status)
        if (known) known.push(performance.now() - begun)
        else times.set(status, [performance.now() - begun])
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
      send()
    })
  await Promise.all(sockets.map(one))
  return times
}

test('in a storm the service refuses what cannot wait, goes on serving, and answers its health always', async (t) => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24' })
  const { base, key, user } = await newCompany()
  for (let i = 0; i < 20; i++) await user('PLAYER')
  const request = `GET ${base}/users HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  assert.deepEqual([...(await load(service, 16, 1000, request)).keys()], [200])
  let health = 0
  let going = true
  const watching = (async () => {
    for (; going; health++) {
      assert.equal((await ask(service, 'GET', '/health/live', '')).status, 200)
      await sleep(50)
    }
  })()
  // How fast, a machine that others use does not tell: that is a fault scenario.
  const storm = await load(service, 800, 2500, request)
  going = false
  await watching
  const [served, refused] = [storm.get(200)?.length ?? 0, storm.get(503)?.length ?? 0]
  t.diagnostic(`${served} served, ${refused} refused, health answered ${health} times`)
  assert.deepEqual([...storm.keys()].sort(), [200, 503])
  assert.ok(served > 50 && refused > 50 && health > 3)
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200, 'and afterwards all is well')
})

test('a refusal says when to come again, and what is left of the limits', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '1', MAX_QUEUED: '0', RATE_LIMIT: 'on' })
  const { base, key } = await newCompany()
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service, 'GET', base, key)))
  const refused = answers.find(({ status }) => status === 503) as Wire
  assert.ok(answers.some(({ status }) => status === 200))
  assertProblem({ ...refused, headers: Object.fromEntries(refused.headers) }, 503)
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['overloaded', '1'])
  assert.match(refused.headers.get('ratelimit') ?? '', /^"burst";r=\d+;t=\d+, "sustained";r=\d+/)
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
})

/** How often each status came. */
function tally(answers: Wire[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('a client that sends its whole burst at once is answered, each request', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24', RATE_LIMIT: 'on' })
  const { base, key } = await newCompany()
  const burst = Array.from({ length: 100 }, (_, i) =>
    i % 4 ? ask(service, 'GET', `${base}/users`, key) : ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' }),
  )
  assert.deepEqual(tally(await Promise.all(burst)), { 200: 75, 201: 25 })
})

test('three hundred requests of one client at once are all answered, whatever they ask', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '24' })
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const at = (i: number) =>
    i % 3 === 0
      ? ask(service, 'GET', `${base}/users/${id}`, key)
      : i % 3 === 1
        ? ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' })
        : ask(service, 'POST', `${base}/users/${id}/dice-rolls`, key, { notation: '3d6' })
  assert.deepEqual(tally(await Promise.all(Array.from({ length: 300 }, (_, i) => at(i)))), { 200: 100, 201: 200 })
})

/** A request whose body never arrives. */
function withhold({ base }: Service, path: string, key: string): Socket {
  const { hostname, port } = new URL(base)
  const socket = dial(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"na`)
  return socket
}

test('bodies that never arrive hold no turn, and are limited for each developer', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '2', MAX_QUEUED: '10' })
  const { base, key } = await newCompany()
  const other = await newCompany()
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200)
  const sockets: Socket[] = []
  for (let i = 0; i < MAX_BODIES_PER_CALLER; i++) sockets.push(withhold(service, `${base}/users`, key))
  const body = { name: 'A', role: 'PLAYER' }
  for (const end = Date.now() + 10_000; ; await sleep(50)) {
    const refused = await ask(service, 'POST', `${base}/users`, key, body)
    if (refused.status === 503) {
      assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['too_many_bodies', '1'])
      break
    }
    assert.ok(Date.now() < end, 'they are not counted')
  }
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200, 'reads need no body')
  assert.equal((await ask(service, 'POST', `${other.base}/users`, other.key, body)).status, 201, 'nor do others wait for them')
  assert.equal((await ask(service, 'GET', '/health/ready', '')).status, 200)
  for (const socket of sockets) socket.destroy()
  for (const end = Date.now() + 5000; (await ask(service, 'POST', `${base}/users`, key, body)).status !== 201; await sleep(50))
    assert.ok(Date.now() < end, 'their places are never given back')
})

test('a client that leaves while it waits for its turn is not waited for', async () => {
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
  // Each has a key of its own, so that its caller is not known and must be identified in a turn; each declares a body of 256 kB.
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
  assert.equal((await ask(service, 'POST', `${base}/users`, key, body)).status, 201, 'their bodies still count')
})

test('a client that leaves in the middle of its body, or reads nothing, takes nobody a turn', async () => {
  const service = await startService({ DATABASE_URL: url, MAX_IN_FLIGHT: '2' })
  const { base, key } = await newCompany()
  for (let i = 0; i < 4; i++) {
    const socket = withhold(service, `${base}/users`, key)
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
    assert.ok(Date.now() < end, 'their turns are never given back')
  // Whoever leaves so much unread gets no more, and whoever has read it does.
  for (const end = Date.now() + 5000; ; await sleep(50)) {
    const { status, body } = await ask(service, 'GET', '/docs', '').catch(() => ({ status: 200, body: undefined }))
    if (status === 503) {
      assert.equal(body?.code, 'too_much_unread')
      break
    }
    assert.ok(Date.now() < end, 'nobody counts what is unread')
  }
  assert.equal((await ask(service, 'GET', base, key)).status, 200)
  for (const socket of idle) socket.destroy()
  for (const end = Date.now() + 5000; (await ask(service, 'GET', '/', '')).status !== 200; await sleep(50))
    assert.ok(Date.now() < end, 'what was cut off still counts')
})

test('a connection that is kept for many large responses leaves no listeners behind', async () => {
  const service = await startService({ DATABASE_URL: url })
  const { hostname, port } = new URL(service.base)
  const socket = dial(Number(port), hostname)
  for (let i = 0; i < 15; i++) {
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
    let left = -1
    await new Promise<void>((resolve) => {
      const hear = (chunk: Buffer) => {
        if (left < 0) left = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1'))?.[1]) + chunk.indexOf('\r\n\r\n') + 4
        left -= chunk.length
        if (left > 0) return
        socket.off('data', hear)
        resolve()
      }
      socket.on('data', hear)
    })
  }
  socket.destroy()
  assert.doesNotMatch(service.output(), /MaxListenersExceeded/)
})

test('what its client does not wait for any more is not done', async () => {
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
  // The only connection that writes is held up by a lock on the company.
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

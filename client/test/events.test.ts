import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, StreamReplacedError } from '../src/index.ts'
import { cut, problem, type Step, scripted } from './scripted-server.ts'

const open = (reply: ServerResponse, retry = 20) => {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.write(`retry: ${retry}\n\nevent: ready\nid: r0\ndata: {"date":"2026-11-15T18:30:00.000Z"}\n\n`)
}
const event = (n: number) => `id: c${n}\ndata: {"id":"e${n}","type":"character.updated"}\n\n`

/** Opens a stream, sends these frames, and stays open or ends. */
const stream =
  (frames: string[], { ends = false } = {}): Step =>
  (reply) => {
    open(reply)
    for (const frame of frames) reply.write(frame)
    if (ends) reply.end()
  }

/** Reads this many events of a stream. */
async function take(events: AsyncIterable<{ id: string; cursor: string }>, count: number): Promise<string[]> {
  const taken: string[] = []
  if (count > 0)
    for await (const { id, cursor } of events) {
      taken.push(`${id} ${cursor}`)
      if (taken.length === count) break
    }
  return taken
}

test('a stream goes on after the last event, over cut connections and errors that pass', async () => {
  const steps = [
    stream([event(1), event(2)], { ends: true }),
    cut,
    problem(503, 'draining', { 'retry-after': '0' }),
    stream(['event: bookmark\nid: b9\ndata: {}\n\n', 'event: bye\ndata: {"reason":"draining"}\n\n'], { ends: true }),
    stream([event(3)]),
  ]
  const { gh, seen } = await scripted(steps)
  const states: string[] = []
  const campaign = gh.company('c').as('u').campaign('k')
  const events = campaign.events({ after: 'stored', types: ['character.updated'], onState: (state) => states.push(state) })
  assert.deepEqual(await take(events, 3), ['e1 c1', 'e2 c2', 'e3 c3'])
  assert.deepEqual(
    seen.map(({ headers }) => headers['last-event-id']),
    [undefined, 'c2', 'c2', 'c2', 'b9'],
  )
  assert.equal(seen[0]?.path, '/api/v1/companies/c/users/u/campaigns/k/stream?after=stored&types=character.updated')
  assert.deepEqual(states, ['live', 'lost', 'lost', 'lost', 'live', 'lost', 'live'])
})

test('a stream that ends because its token expired goes on with a new one', async () => {
  let issued = 0
  const steps: Step[] = [
    stream([event(1), 'event: bye\ndata: {"reason":"expired"}\n\n'], { ends: true }),
    problem(401, 'token_expired'),
    stream([event(2)]),
  ]
  const { gh, seen } = await scripted(steps, { token: () => `glu_${++issued}` } as object)
  assert.deepEqual(await take(gh.company('c').as('u').events(), 2), ['e1 c1', 'e2 c2'])
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    ['Bearer glu_1', 'Bearer glu_1', 'Bearer glu_2'],
  )
})

for (const [status, code] of [
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [400, 'validation_failed'],
] as const) {
  test(`a stream whose reader has no right to it any more ends with ${status}`, async () => {
    const { gh, seen } = await scripted([
      stream([event(1), 'event: bye\ndata: {"reason":"revoked"}\n\n'], { ends: true }),
      problem(status, code),
    ])
    const events = gh.company('c').events()
    assert.equal((await events.next()).value?.id, 'e1')
    await assert.rejects(events.next(), (error) => ApiError.is(error, code))
    assert.equal(seen.length, 2)
    assert.equal((await events.next()).done, true)
  })
}

test('a reply that is no stream ends the stream', async () => {
  const replies: [number, Step][] = [
    [200, (reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')],
    [200, (reply) => reply.writeHead(200).end('retry: 1\n\n')],
    [204, (reply) => reply.writeHead(204).end()],
  ]
  for (const [status, step] of replies) {
    const { gh, seen } = await scripted([step])
    await assert.rejects(gh.company('c').events().next(), (error) => {
      assert.ok(ApiError.is(error, 'unknown') && error.status === status)
      assert.match(error.message, /no stream of events/)
      return true
    })
    assert.equal(seen.length, 1)
  }
})

test('408 does not end a stream, and the type of its content may have any case and a charset', async () => {
  const { gh, seen } = await scripted([
    stream([], { ends: true }),
    problem(408, 'request_timeout'),
    (reply) => reply.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' }).write(event(1)),
  ])
  assert.deepEqual(await take(gh.company('c').events(), 1), ['e1 c1'])
  assert.equal(seen.length, 3)
})

test('the pauses of a stream that is closed as soon as it is live get longer', async () => {
  const { gh, seen } = await scripted([...Array(3).fill(stream([], { ends: true })), stream([event(1)])])
  await take(gh.company('c').events(), 1)
  const [, , third, fourth] = seen.map(({ at }) => at) as [number, number, number, number]
  assert.ok(fourth - third >= 990, `${fourth - third} ms`)
})

test('an event or a while without a failure makes the pause short again', async () => {
  const lived: Step = (reply) => {
    open(reply)
    setTimeout(() => reply.end(), 5200)
  }
  const closed = stream([], { ends: true })
  const pauseAfter = async (worked: Step, lastedMs: number, count: number) => {
    const { gh, seen } = await scripted([closed, closed, worked, stream([event(2)])])
    await take(gh.company('c').events(), count)
    return (seen[3]?.at ?? 0) - (seen[2]?.at ?? 0) - lastedMs
  }
  const pauses = await Promise.all([pauseAfter(stream([event(1)], { ends: true }), 0, 2), pauseAfter(lived, 5200, 1)])
  for (const pauseMs of pauses) assert.ok(pauseMs < 900, `${pauses} ms`)
})

test('a time to retry after is at least half a second, and one that is no time is ignored', async () => {
  const pauseAfter = async (retry: string) => {
    const first: Step = (reply) => reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: ${retry}\n\n`)
    const { gh, seen } = await scripted([first, stream([event(1)])])
    await take(gh.company('c').events(), 1)
    return (seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)
  }
  const short = await Promise.all(['0', '1', '000500'].map(pauseAfter))
  for (const pauseMs of short) assert.ok(pauseMs >= 240 && pauseMs < 900, `${short} ms`)
  const ignored = await Promise.all(['', 'soon', '-1', '1e1', '0x1', '1.5', '9999999'].map(pauseAfter))
  for (const pauseMs of ignored) assert.ok(pauseMs >= 990 && pauseMs < 4000, `${ignored} ms`)
})

test('a stream that newer ones replaced is not opened again', async () => {
  const { gh, seen } = await scripted([stream(['event: bye\ndata: {"reason":"replaced"}\n\n'], { ends: true })])
  await assert.rejects(gh.company('c').as('u').events().next(), StreamReplacedError)
  await sleep(100)
  assert.equal(seen.length, 1)
})

test('a signal ends a stream while it is open and while it pauses, and closes its connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { gh } = await scripted([
    (reply) => {
      reply.on('close', () => closed.resolve())
      open(reply)
    },
  ])
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 100)
  await assert.rejects(gh.company('c').events({ signal: stop.signal }).next(), { message: 'enough' })
  await closed.promise

  const pausing = await scripted([problem(503, 'draining', { 'retry-after': '60' })])
  const late = new AbortController()
  setTimeout(() => late.abort(new Error('enough')), 200)
  await assert.rejects(pausing.gh.company('c').events({ signal: late.signal }).next(), { message: 'enough' })
  assert.equal(pausing.seen.length, 1)
})

test('a loop that ends closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { gh } = await scripted([
    (reply) => {
      reply.on('close', () => closed.resolve())
      open(reply)
      reply.write(event(1))
    },
  ])
  for await (const { id } of gh.company('c').events()) {
    assert.equal(id, 'e1')
    break
  }
  await closed.promise
})

test('a stream is not read faster than its events are used', { timeout: 30_000 }, async () => {
  let written = 0
  let isBlocked = false
  const filler = `: ${'x'.repeat(60_000)}\n`
  const { gh } = await scripted([
    (reply) => {
      open(reply)
      const write = () => {
        if (reply.destroyed) return
        while (reply.write(filler + event(++written)) && written < 2000);
        isBlocked = written < 2000
        reply.once('drain', write)
      }
      write()
    },
  ])
  const events = gh.company('c').events()
  await events.next()
  await sleep(500)
  const before = written
  await sleep(500)
  assert.ok(isBlocked && written < 1000 && written - before < 20, `${written} events were taken`)
  assert.equal((await events.next()).value?.id, 'e2')
  await events.return(undefined)
})

test('a connection without a sign of life is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { gh, seen } = await scripted([(reply) => open(reply), stream([event(1)])])
  const first = gh.company('c').events().next()
  const arrived = async (count: number) => {
    while (seen.length < count) await new Promise((resolve) => setImmediate(resolve))
    for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  await arrived(1)
  t.mock.timers.tick(44_000)
  await arrived(1)
  assert.equal(seen.length, 1)
  t.mock.timers.tick(2_000)
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(5_000)
  await arrived(2)
  assert.equal((await first).value?.id, 'e1')
})

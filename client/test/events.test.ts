import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { ApiError, type StreamEvent, StreamReplacedError } from '../src/index.ts'
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

/** Does something without the pauses between its connections. Returns how long they would have been. */
async function pausesOf(t: TestContext, work: () => Promise<unknown>): Promise<number[]> {
  // They are random fractions; the timers of the runtime are whole.
  const isPause = (delay: number) => !Number.isInteger(delay)
  const set = globalThis.setTimeout
  const { mock } = t.mock.method(globalThis, 'setTimeout', (act: () => void, ms: number, ...values: []) =>
    set(act, isPause(ms) ? 0 : ms, ...values),
  )
  await work()
  mock.restore()
  return mock.calls.map(({ arguments: [, ms] }) => Number(ms ?? 0)).filter(isPause)
}

test('an event or a while without a failure makes the pause short again', async (t) => {
  const closed = stream([], { ends: true })
  const now = performance.now.bind(performance)
  let aheadMs = 0
  t.mock.method(performance, 'now', () => now() + aheadMs)
  let end = () => {}
  const lived: Step = (reply) => {
    open(reply)
    end = () => reply.end()
  }
  let opened = 0
  const onState = (state: string) => {
    if (state !== 'live' || ++opened !== 3) return
    aheadMs += 5200
    end()
  }
  for (const [worked, count] of [
    [stream([event(1)], { ends: true }), 2],
    [lived, 1],
  ] as const) {
    opened = 0
    const { gh } = await scripted([closed, closed, worked, stream([event(2)])])
    const pauses = await pausesOf(t, () => take(gh.company('c').events({ onState }), count))
    assert.equal(pauses.length, 3)
    assert.ok((pauses[2] as number) < 900, `${pauses} ms`)
  }
})

test('a time to retry after is at least half a second, and one that is no time is ignored', async (t) => {
  const pauseAfter = async (retry: string) => {
    const first: Step = (reply) => reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: ${retry}\n\n`)
    const { gh } = await scripted([first, stream([event(1)])])
    return (await pausesOf(t, () => take(gh.company('c').events(), 1)))[0] as number
  }
  for (const retry of ['0', '1', '000500']) {
    const pauseMs = await pauseAfter(retry)
    assert.ok(pauseMs >= 250 && pauseMs <= 500, `${retry}: ${pauseMs} ms`)
  }
  for (const retry of ['', 'soon', '-1', '1e1', '0x1', '1.5', '9999999']) {
    const pauseMs = await pauseAfter(retry)
    assert.ok(pauseMs >= 1000 && pauseMs <= 4000, `${retry}: ${pauseMs} ms`)
  }
})

test('a stream that newer ones replaced is not opened again', async () => {
  const { gh, seen } = await scripted([stream(['event: bye\ndata: {"reason":"replaced"}\n\n'], { ends: true })])
  const events = gh.company('c').as('u').events()
  await assert.rejects(events.next(), StreamReplacedError)
  assert.deepEqual([(await events.next()).done, seen.length], [true, 1])
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
  const abortAs = (wanted: string, controller: AbortController) => (state: string) =>
    void (state === wanted && setImmediate(() => controller.abort(new Error('enough'))))
  const { signal } = stop
  await assert.rejects(
    gh
      .company('c')
      .events({ signal, onState: abortAs('live', stop) })
      .next(),
    { message: 'enough' },
  )
  await closed.promise

  const pausing = await scripted([problem(503, 'draining', { 'retry-after': '60' })])
  const late = new AbortController()
  const paused = pausing.gh.company('c').events({ signal: late.signal, onState: abortAs('lost', late) })
  await assert.rejects(paused.next(), { message: 'enough' })
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
        isBlocked = false
        for (; !isBlocked && written < 2000; ) isBlocked = !reply.write(filler + event(++written))
        reply.once('drain', write)
      }
      write()
    },
  ])
  const events = gh.company('c').events()
  await events.next()
  // Enough turns of the event loop to read everything.
  for (let turn = 0; turn < 10_000; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(isBlocked && written < 1000, `${written} events were taken`)
  assert.equal((await events.next()).value?.id, 'e2')
  await events.return(undefined)
})

test('a connection without a sign of life is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { gh, seen } = await scripted([(reply) => open(reply), stream([event(1)])])
  const first = gh.company('c').events().next()
  const arrived = async (count: number) => {
    for (let turn = 0; turn < 1_000_000 && seen.length < count; turn++) await new Promise((resolve) => setImmediate(resolve))
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

test('the type of an event decides its resource, and a mistyped type does not compile', () => {
  // The types are the test: `npm run check` compiles it.
  const traitsOf = ({ type, data }: StreamEvent) => {
    // @ts-expect-error There is no such type.
    if (type === 'charakter.updated') return undefined
    // @ts-expect-error Not every resource has traits.
    if (type === 'note.updated') return data.resource?.traits
    return undefined
  }
  const conceptOf = (change: StreamEvent<'character.updated' | 'note.updated'>): string | null | undefined =>
    change.type === 'character.updated' ? change.data.resource?.concept : change.data.resource?.title
  const change = { type: 'character.updated', data: { resource: { concept: 'Clockmaker' } } } as StreamEvent<'character.updated'>
  assert.deepEqual([conceptOf(change), traitsOf(change)], ['Clockmaker', undefined])
})

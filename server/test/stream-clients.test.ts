import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import { newGameTable } from './game-table.ts'
import { pooler, url } from './harness.ts'
import { ask, type Service, startService } from './service.ts'
import { repeat, until } from './until.ts'

// Clients that are not ours follow a stream over restarts of the service: they know Server-Sent Events, and nothing of Guildhall.

const env = { DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none', STREAMS_CHECK: '1' }

/** Follows a stream with the npm package eventsource, which sends headers through its `fetch`. */
function followWithPackage(address: string, token: string, received: FeedItem[]): () => Promise<unknown> {
  const source = new EventSource(address, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  })
  after(() => source.close())
  source.onmessage = ({ data }) => void received.push(JSON.parse(data))
  // A server that is away for longer than one attempt must not end it: the package gives up on a status other than 200 only.
  return () => until(() => source.readyState === source.OPEN, 'the stream of the package')
}

/** Follows a stream with fetch, as a few lines of code do: the last id, and the time to wait that the service asked for. */
function followWithFetch(address: string, token: string, received: FeedItem[]): () => Promise<unknown> {
  const ended = new AbortController()
  let [lastId, retryMs, isOpen] = ['', 1000, false]
  const read = async () => {
    const headers = { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) }
    const { status, body } = await fetch(address, { headers, signal: ended.signal })
    assert.equal(status, 200)
    isOpen = true
    let text = ''
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const frames = (text + chunk).split('\n\n')
      text = frames.pop() as string
      for (const frame of frames) {
        const { id, event, data, retry } = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s)))
        if (retry) retryMs = Number(retry)
        if (id) lastId = id
        if (id && !event) received.push(JSON.parse(data))
      }
    }
  }
  const stop = repeat(async () => {
    await read().catch(() => {})
    isOpen = false
    await sleep(retryMs, undefined, { signal: ended.signal }).catch(() => {})
  })
  after(() => {
    ended.abort()
    return stop()
  })
  return () => until(() => isOpen, 'the stream of fetch')
}

test('the package eventsource and plain fetch follow a stream over restarts of the service, and lose nothing', async () => {
  const { player, C, base, key } = await newGameTable()
  let service = await startService(env)
  const { port } = new URL(service.base)
  const user = `${base}/users/${player.id}`
  const issued = await ask(service, 'POST', `${user}/tokens`, key, { scope: 'READ' })
  const { token } = issued.body as unknown as { token: string }
  const address = `${service.base}${user}/stream?types=note.*`
  const clients = [followWithPackage, followWithFetch].map((follow) => {
    const received: FeedItem[] = []
    return { received, untilOpen: follow(address, token, received) }
  })
  const untilOpen = () => Promise.all(clients.map((client) => client.untilOpen()))
  await untilOpen()

  const written: string[] = []
  const write = async (on: Service, count: number) => {
    for (let i = 0; i < count; i++) {
      const made = await ask(on, 'POST', `${user}${C}/notes`, key, { title: `Note ${written.length + 1}` })
      assert.equal(made.status, 201, made.text)
      written.push(made.body.id)
    }
  }
  await write(service, 3)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await write(service, 2)
    await service.kill(signal)
    const elsewhere = await startService(env)
    await write(elsewhere, 4)
    await elsewhere.kill('SIGTERM')
    service = await startService({ ...env, PORT: port })
    await write(service, 1)
    await untilOpen()
    await write(service, 1)
  }
  for (const [i, { received }] of clients.entries()) {
    const idsOf = () => [...new Set(received.map(({ data }) => data.id))]
    await until(() => idsOf().length >= written.length, 'every note')
    assert.deepEqual(idsOf(), written, `client ${i} has every note, in order`)
    const events = received.map(({ id }) => id)
    assert.equal(new Set(events).size, written.length, `client ${i} gets a change again only with the same id`)
  }
})

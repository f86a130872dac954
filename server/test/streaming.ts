import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@guildhall/rules/type'
import { sql } from '../src/db/sql.ts'
import { operation } from '../src/http/operation.ts'
import { below, COMPANY, USER } from '../src/http/path.ts'
import type { Connection } from '../src/http/streams/connection.ts'
import { eventFrame } from '../src/http/streams/frames.ts'
import { sendToAll } from '../src/http/streams/slices.ts'

// Operations that stream and wait, for the tests of the pipeline: a channel for each company, with a position in memory.

const Message = Type.Object(
  { text: Type.String({ maxLength: 200_000, description: 'A text', examples: ['Hello'] }) },
  { title: 'Message', description: 'A message of the test channel' },
)

/** The test channel of a company in this process. */
class Channel {
  position = 0
  readonly connections = new Set<Connection>()
  readonly wakes = new Set<() => void>()

  async publish(text: string): Promise<void> {
    this.position++
    for (const wake of this.wakes) wake()
    await sendToAll(this.connections, eventFrame(`p${this.position}`, { text }))
  }
}

const channels = new Map<string, Channel>()
export function channelOf(company_id: string): Channel {
  const channel = channels.get(company_id) ?? new Channel()
  channels.set(company_id, channel)
  return channel
}

const stream = operation({
  id: 'test.stream',
  method: 'GET',
  path: below(USER, 'test', 'stream'),
  needs: { key: 'USER', role: 'PLAYER' },
  summary: 'Stream the messages of the test channel',
  query: Type.Object({ fail: Type.Optional(Type.Enum(['run', 'start', 'bookmark'], { description: 'What fails', examples: ['run'] })) }),
  reply: [200, Message],
  streams: true,
  run: async ({ db, params, query, lastEventId }) => {
    await db.query(sql`SELECT 1 AS one`)
    if (query.fail === 'run') throw new Error('The operation fails')
    const channel = channelOf(params.company_id)
    return {
      id: lastEventId ?? `p${channel.position}`,
      bookmark: () => {
        if (query.fail === 'bookmark') throw new Error('The bookmark fails')
        return `p${channel.position}`
      },
      start: (connection: Connection) => {
        if (query.fail === 'start') throw new Error('The start fails')
        channel.connections.add(connection)
        connection.onClose(() => channel.connections.delete(connection))
      },
    }
  },
})

const changes = operation({
  id: 'test.changes',
  method: 'GET',
  path: below(USER, 'test', 'changes'),
  needs: { key: 'USER' },
  summary: 'Wait for messages of the test channel',
  query: Type.Object({
    after: Type.Integer({ minimum: 0 }),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0 }),
    slow: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Milliseconds that each attempt takes' })),
  }),
  reply: [200, Type.Object({ position: Type.Integer(), name: Type.String(), attempts: Type.Integer() })],
  run: async ({ db, params, actor, query, earlier }) => {
    if (query.slow) await sleep(query.slow)
    const [user] = await db.query<{ name: string }>(
      sql`SELECT name FROM users WHERE company_id = ${params.company_id} AND id = ${actor.id}`,
    )
    return { position: channelOf(params.company_id).position, name: user?.name ?? '', attempts: (earlier?.attempts ?? 0) + 1 }
  },
  wait: ({ params, query, reply, elapsedMs, signal }) => {
    const left = query.wait * 1000 - elapsedMs
    if (reply.position > query.after || left <= 0) return undefined
    const channel = channelOf(params.company_id)
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left)
      channel.wakes.add(resolve)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        channel.wakes.delete(resolve)
      })
    })
  },
})

/** Publishes a message over HTTP, for services in another process. */
const publish = operation({
  id: 'test.publish',
  method: 'POST',
  path: below(COMPANY, 'test', 'messages'),
  needs: { key: 'USER' },
  summary: 'Publish a message in the test channel',
  body: Type.Object({ text: Type.String({ maxLength: 200_000 }) }),
  reply: [204],
  computes: true,
  run: async ({ params, body }) => {
    await channelOf(params.company_id).publish(body.text)
    return { before: null, after: null }
  },
})

export const streaming = [stream, changes, publish]

import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import type { Write } from '../client.ts'
import { nextWrite } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const WORKERS = 6
/** About the duration of a request. */
const MAX_WAIT_MS = 25

/** Sends a request and drops the connection: during the request, during the work, or during the reply. */
async function hangUp(port: number, write: Write): Promise<'request' | 'work' | 'reply'> {
  const socket = await open(port)
  const text = wire({ ...write, headers: { 'idempotency-key': write.idempotencyKey } })
  const chance = Math.random()
  if (chance < 0.3) {
    socket.write(text.slice(0, Math.floor(Math.random() * text.length)), 'latin1')
    await sleep(Math.random() * MAX_WAIT_MS)
    socket.destroy()
    return 'request'
  }
  const replying = new Promise<'reply'>((resolve) => socket.once('readable', () => resolve('reply')))
  socket.write(text, 'latin1')
  const when = await Promise.race([replying, sleep(chance < 0.7 ? Math.random() * MAX_WAIT_MS : 5000, 'work' as const, { ref: false })])
  // One byte was read; the rest meets a closed connection.
  if (when === 'reply') socket.read(1)
  socket.resetAndDestroy()
  return when
}

export const droppedConnections: Scenario = {
  name: 'connections dropped',
  run: async ({ deployment, client, companies, part }) => {
    const count = part(1000)
    const when = { request: 0, work: 0, reply: 0 }
    let started = 0
    const work = Array.from({ length: WORKERS }, async () => {
      while (started++ < count) {
        const write = nextWrite(companies)
        const { port } = deployment.services[started % 2 === 0 ? 0 : 1]
        when[await hangUp(port, write)]++
        await client.send(write)
      }
    })
    await Promise.all(work)
    return `${count} drops: ${when.request} in requests, ${when.work} in work, ${when.reply} in replies`
  },
}

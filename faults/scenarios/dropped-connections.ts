import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import type { Wish } from '../client.ts'
import { nextWish } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const AT_ONCE = 6
/** About as long as a request takes. */
const LONGEST_WAIT = 25

/** Sends a request and hangs up: in the middle of it, while it is worked on, or in the middle of the reply. */
async function hangUp(port: number, wish: Wish): Promise<'request' | 'work' | 'reply'> {
  const socket = await open(port)
  const text = wire({ ...wish, headers: { 'idempotency-key': wish.once } })
  const chance = Math.random()
  if (chance < 0.3) {
    socket.write(text.slice(0, Math.floor(Math.random() * text.length)), 'latin1')
    await sleep(Math.random() * LONGEST_WAIT)
    socket.destroy()
    return 'request'
  }
  const replying = new Promise<'reply'>((resolve) => socket.once('readable', () => resolve('reply')))
  socket.write(text, 'latin1')
  const when = await Promise.race([replying, sleep(chance < 0.7 ? Math.random() * LONGEST_WAIT : 5000, 'work' as const, { ref: false })])
  // One byte was read: the rest meets a closed door.
  if (when === 'reply') socket.read(1)
  socket.resetAndDestroy()
  return when
}

export const droppedConnections: Scenario = {
  name: 'connections dropped',
  run: async ({ house, client, companies, part }) => {
    const count = part(1000)
    const when = { request: 0, work: 0, reply: 0 }
    let begun = 0
    const work = Array.from({ length: AT_ONCE }, async () => {
      while (begun++ < count) {
        const wish = nextWish(companies)
        const { port } = house.services[begun % 2 === 0 ? 0 : 1]
        when[await hangUp(port, wish)]++
        await client.send(wish)
      }
    })
    await Promise.all(work)
    return `${count} drops: ${when.request} in requests, ${when.work} in work, ${when.reply} in replies`
  },
}

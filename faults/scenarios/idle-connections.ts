import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { mostFiles } from '../processes.ts'
import { open } from '../sockets.ts'
import { answered } from './slow-clients.ts'

const MOST = 10_000
/** For everything else that is open. */
const SPARE = 500
const AT_ONCE = 200

export const idleConnections: Scenario = {
  name: 'idle connections',
  forbidden: () => {
    const most = mostFiles()
    return most !== undefined && most < MOST + SPARE ? `a process may open only ${most} files` : undefined
  },
  run: async ({ house, client, companies, part, amiss }) => {
    client.onTry = answered(amiss)
    const count = part(MOST)
    const finish = startLoad(client, companies, 4)
    const idle: Socket[] = []
    try {
      while (idle.length < count) {
        const some = Array.from({ length: Math.min(AT_ONCE, count - idle.length) }, (_, i) =>
          open(house.services[i % 2 === 0 ? 0 : 1].port),
        )
        idle.push(...(await Promise.all(some)))
      }
      await sleep(2000)
      const closed = idle.filter(({ readyState }) => readyState !== 'open').length
      if (closed > 0) amiss(`${closed} of ${count} idle connections were closed`)
    } finally {
      for (const socket of idle) socket.destroy()
    }
    await finish()
    return `${count} connections`
  },
}

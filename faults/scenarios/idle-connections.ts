import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { maxOpenFiles } from '../processes.ts'
import { open } from '../sockets.ts'
import { failUnlessCreated } from './slow-clients.ts'

const CONNECTIONS = 10_000
/** The number of other files that a process may have open. */
const OTHER_FILES = 500
const OPENED_AT_ONCE = 200

export const idleConnections: Scenario = {
  name: 'idle connections',
  forbidden: () => {
    const max = maxOpenFiles()
    return max !== undefined && max < CONNECTIONS + OTHER_FILES ? `a process may open only ${max} files` : undefined
  },
  run: async ({ deployment, client, companies, part, fail }) => {
    client.onTry = failUnlessCreated(fail)
    const count = part(CONNECTIONS)
    const finish = startLoad(client, companies, 4)
    const idle: Socket[] = []
    try {
      while (idle.length < count) {
        const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, count - idle.length) }, (_, i) =>
          open(deployment.services[i % 2 === 0 ? 0 : 1].port),
        )
        idle.push(...(await Promise.all(batch)))
      }
      await sleep(2000)
      const closed = idle.filter(({ readyState }) => readyState !== 'open').length
      if (closed > 0) fail(`${closed} of ${count} idle connections were closed`)
    } finally {
      for (const socket of idle) socket.destroy()
    }
    await finish()
    return `${count} connections`
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { attempt, summaryOf } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { postgresOf } from '../processes.ts'

export const frozenDatabase: Scenario = {
  name: 'PostgreSQL frozen',
  forbidden: () => (process.platform === 'linux' ? undefined : 'this scenario needs /proc'),
  run: async ({ deployment, client, companies, quick, fail }) => {
    const ms = quick ? 1000 : 5000
    const finish = startLoad(client, companies)
    await sleep(500)
    const frozen = postgresOf(deployment.folders[0])
    const send = (signal: NodeJS.Signals) => {
      for (const pid of frozen) {
        try {
          process.kill(pid, signal)
        } catch {}
      }
    }
    process.once('exit', () => send('SIGCONT'))
    send('SIGSTOP')
    try {
      await sleep(ms / 2)
      for (const { port } of deployment.services) {
        const { status, ms: took } = await attempt(port, { method: 'GET', path: '/health/live' })
        if (status !== 200 || took > 500) fail(`/health/live answered ${status} after ${Math.round(took)} ms while PostgreSQL was frozen`)
      }
      await sleep(ms / 2)
    } finally {
      send('SIGCONT')
    }
    await sleep(1000)
    await finish()
    return `${ms / 1000} s, ${frozen.length} processes: ${summaryOf(client)}`
  },
}

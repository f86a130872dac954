import { setTimeout as sleep } from 'node:timers/promises'
import { waitForAnswer } from '../../bench/parts.ts'
import { summaryOf } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

const MEAN_PAUSE_MS = 500

export const killedDatabase: Scenario = {
  name: 'PostgreSQL killed',
  run: async ({ deployment, client, companies, part, fail }) => {
    const finish = startLoad(client, companies)
    const kills = part(20)
    for (let i = 0; i < kills; i++) {
      await sleep(MEAN_PAUSE_MS / 2 + Math.random() * MEAN_PAUSE_MS)
      const first = deployment.postmaster()
      if (!first) {
        fail('PostgreSQL was not running before it was killed')
        break
      }
      process.kill(first, 'SIGKILL')
      const isBack = () =>
        deployment.query('SELECT 1').then(
          () => deployment.postmaster() !== first,
          () => false,
        )
      for (const end = Date.now() + 30_000; !(await isBack()); await sleep(20)) {
        if (Date.now() > end) throw new Error('PostgreSQL did not restart within 30 s')
      }
      for (const { port } of deployment.services) await waitForAnswer(port, '/health/ready')
    }
    await finish()
    return `${kills} times kill -9: ${summaryOf(client)}`
  },
}

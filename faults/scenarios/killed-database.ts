import { setTimeout as sleep } from 'node:timers/promises'
import { answers } from '../../bench/parts.ts'
import { faredOf } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

const PAUSE = 500

export const killedDatabase: Scenario = {
  name: 'PostgreSQL killed',
  run: async ({ house, client, companies, part, amiss }) => {
    const finish = startLoad(client, companies)
    const kills = part(20)
    for (let i = 0; i < kills; i++) {
      await sleep(PAUSE / 2 + Math.random() * PAUSE)
      const first = house.postmaster()
      if (!first) {
        amiss('PostgreSQL was away before it was killed')
        break
      }
      process.kill(first, 'SIGKILL')
      const isBack = () =>
        house.query('SELECT 1').then(
          () => house.postmaster() !== first,
          () => false,
        )
      for (const end = Date.now() + 30_000; !(await isBack()); await sleep(20)) {
        if (Date.now() > end) throw new Error('PostgreSQL does not come back')
      }
      for (const { port } of house.services) await answers(port, '/health/ready')
    }
    await finish()
    return `${kills} times kill -9: ${faredOf(client)}`
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../../bench/parts.ts'
import { summaryOf } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

/** Few enough that they do not delay the start of a process. */
const WORKERS = 6
/** The maximum time between a start and the next kill. */
const MAX_PAUSE_MS = 500

/** Starts are slow on a busy machine, so the number of kills may be lower than planned; the table shows it. */
const MAX_RUN_MS = { quick: 30_000, full: 240_000 }

/** Each process is killed independently, so that sometimes both are down. */
export const killedService: Scenario = {
  name: 'service killed',
  run: async ({ deployment, client, companies, part, quick }) => {
    const end = Date.now() + MAX_RUN_MS[quick ? 'quick' : 'full']
    const finish = startLoad(client, companies, WORKERS)
    const kills = part(200)
    let started = 0
    let done = 0
    const work = deployment.services.map(async (instance) => {
      while (started++ < kills && Date.now() < end) {
        await sleep(Math.random() * MAX_PAUSE_MS)
        await stop(instance.child, 'SIGKILL')
        await deployment.restart(instance)
        done++
      }
    })
    await Promise.all(work)
    await finish()
    return `${done === kills ? done : `${done} of ${kills}`} times kill -9: ${summaryOf(client)}`
  },
}

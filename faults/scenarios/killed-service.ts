import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../../bench/parts.ts'
import { faredOf } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

/** Few enough that a start is not held up by them. */
const WORKERS = 6
/** Between a start and the next kill, at most. */
const PAUSE = 500

/** A start takes its time where others use the machine; the table tells how many times it was. */
const LONGEST = { quick: 30_000, full: 240_000 }

/** Each process is killed at moments of its own: at times both are away. */
export const killedService: Scenario = {
  name: 'service killed',
  run: async ({ house, client, companies, part, quick }) => {
    const end = Date.now() + LONGEST[quick ? 'quick' : 'full']
    const finish = startLoad(client, companies, WORKERS)
    const kills = part(200)
    let begun = 0
    let done = 0
    const work = house.services.map(async (serving) => {
      while (begun++ < kills && Date.now() < end) {
        await sleep(Math.random() * PAUSE)
        await stop(serving.child, 'SIGKILL')
        await house.restart(serving)
        done++
      }
    })
    await Promise.all(work)
    await finish()
    return `${done === kills ? done : `${done} of ${kills}`} times kill -9: ${faredOf(client)}`
  },
}

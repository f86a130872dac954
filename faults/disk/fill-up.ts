import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answers } from '../../bench/parts.ts'
import { attempt, faredOf, type Try } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

/** For so long something has to be refused, before there is room again. */
const FULL_FOR = 2000
const NOTICED_WITHIN = 20_000

/** Takes all the room there is, first in big steps and then in small ones. */
function takeRoom(file: string): void {
  const ballast = openSync(file, 'a')
  for (const step of [1 << 20, 1 << 12]) {
    const bytes = Buffer.alloc(step, 1)
    try {
      for (;;) if (writeSync(ballast, bytes) < step) break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(ballast)
}

export const fillUp = (folder: string): Scenario => ({
  name: 'disk full',
  run: async ({ house, client, companies, quick, amiss }) => {
    let refused = 0
    // What a full disk means to a request is an error of ours, told as such.
    client.mayFail = true
    client.onTry = ({ status, headers, text }: Try) => {
      if (status >= 500) refused++
      if (status >= 400 && !String(headers['content-type']).startsWith('application/problem+json'))
        amiss(`answered ${status} ${text.slice(0, 200)}, which is no problem`)
    }
    const finish = startLoad(client, companies)
    const times = quick ? 1 : 3
    const file = join(folder, 'ballast')
    for (let i = 0; i < times; i++) {
      await sleep(500)
      const before = refused
      const end = Date.now() + NOTICED_WITHIN
      // What is given back meanwhile is taken again.
      for (; refused === before && Date.now() < end; await sleep(50)) takeRoom(file)
      for (const full = Date.now() + FULL_FOR; Date.now() < full; await sleep(50)) takeRoom(file)
      if (refused === before) amiss('the disk was full, and nothing was refused')
      for (const { port } of house.services) {
        const { status } = await attempt(port, { method: 'GET', path: '/health/live' })
        if (status !== 200) amiss(`/health/live answered ${status} while the disk was full`)
      }
      rmSync(file)
      for (const { port } of house.services) await answers(port, '/health/ready')
    }
    await finish()
    return `${times} times full: ${faredOf(client)}`
  },
})

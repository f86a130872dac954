import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitForAnswer } from '../../bench/parts.ts'
import { attempt, summaryOf, type Try } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

/** The time for which the disk stays full after the first rejected request. */
const FULL_MS = 2000
const MAX_NOTICE_MS = 20_000

/** Fills the disk, first in big steps and then in small ones. */
function fillDisk(file: string): void {
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
  run: async ({ deployment, client, companies, quick, fail }) => {
    let refused = 0
    // A full disk is a server error, and is reported as one.
    client.mayFail = true
    client.onTry = ({ status, headers, text }: Try) => {
      if (status >= 500) refused++
      if (status >= 400 && !String(headers['content-type']).startsWith('application/problem+json'))
        fail(`answered ${status} ${text.slice(0, 200)}, which is not a problem document`)
    }
    const finish = startLoad(client, companies)
    const times = quick ? 1 : 3
    const file = join(folder, 'ballast')
    for (let i = 0; i < times; i++) {
      await sleep(500)
      const before = refused
      const end = Date.now() + MAX_NOTICE_MS
      // PostgreSQL frees some space in between, which is filled again.
      for (; refused === before && Date.now() < end; await sleep(50)) fillDisk(file)
      for (const full = Date.now() + FULL_MS; Date.now() < full; await sleep(50)) fillDisk(file)
      if (refused === before) fail('the disk was full, but nothing was refused')
      for (const { port } of deployment.services) {
        const { status } = await attempt(port, { method: 'GET', path: '/health/live' })
        if (status !== 200) fail(`/health/live answered ${status} while the disk was full`)
      }
      rmSync(file)
      for (const { port } of deployment.services) await waitForAnswer(port, '/health/ready')
    }
    await finish()
    return `${times} times full: ${summaryOf(client)}`
  },
})

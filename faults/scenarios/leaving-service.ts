import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { faredOf, type Try } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

const WITHIN = 25_000
/** What a client of a process that leaves may see: it was answered, told to go elsewhere, or the connection is closed. */
const isProper = ({ status, lost }: Try) => [201, 409, 503].includes(status) || ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(lost)

export const leavingService: Scenario = {
  name: 'SIGTERM under load',
  run: async ({ house, client, companies, part, amiss }) => {
    let leaving = 0
    client.onTry = (tried) => {
      const word = `${tried.status} ${tried.lost || tried.text.slice(0, 200)}`
      if (tried.port === leaving ? !isProper(tried) : tried.status !== 201)
        amiss(`port of the ${tried.port === leaving ? 'leaving' : 'staying'} process: ${word}`)
    }
    const finish = startLoad(client, companies)
    const times = part(10)
    for (let i = 0; i < times; i++) {
      await sleep(300)
      const serving = house.services[i % 2 === 0 ? 0 : 1]
      leaving = serving.port
      const gone = once(serving.child, 'exit')
      serving.child.kill('SIGTERM')
      const late = sleep(WITHIN, ['late'], { ref: false })
      const [code] = await Promise.race([gone, late])
      if (code !== 0) amiss(code === 'late' ? 'it had not ended after 25 s' : `it ended with ${code}`)
      if (code === 'late') serving.child.kill('SIGKILL')
      await gone
      await house.restart(serving)
      leaving = 0
    }
    await finish()
    return `${times} times SIGTERM: ${faredOf(client)}`
  },
}

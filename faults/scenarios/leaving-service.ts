import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { summaryOf, type Try } from '../client.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'

const MAX_STOP_MS = 25_000
/** A request to a stopping process may be answered, be rejected with 503, or find the connection closed. */
const isExpected = ({ status, lost }: Try) => [201, 409, 503].includes(status) || ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(lost)

export const leavingService: Scenario = {
  name: 'SIGTERM under load',
  run: async ({ deployment, client, companies, part, fail }) => {
    let stoppingPort = 0
    client.onTry = (tried) => {
      const answer = `${tried.status} ${tried.lost || tried.text.slice(0, 200)}`
      if (tried.port === stoppingPort ? !isExpected(tried) : tried.status !== 201)
        fail(`port of the ${tried.port === stoppingPort ? 'stopping' : 'other'} process: ${answer}`)
    }
    const finish = startLoad(client, companies)
    const times = part(10)
    for (let i = 0; i < times; i++) {
      await sleep(300)
      const instance = deployment.services[i % 2 === 0 ? 0 : 1]
      stoppingPort = instance.port
      const ended = once(instance.child, 'exit')
      instance.child.kill('SIGTERM')
      const late = sleep(MAX_STOP_MS, ['late'], { ref: false })
      const [code] = await Promise.race([ended, late])
      if (code !== 0) fail(code === 'late' ? 'the process had not ended after 25 s' : `the process ended with code ${code}`)
      if (code === 'late') instance.child.kill('SIGKILL')
      await ended
      await deployment.restart(instance)
      stoppingPort = 0
    }
    await finish()
    return `${times} times SIGTERM: ${summaryOf(client)}`
  },
}

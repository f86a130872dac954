import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { fillCampaign, newAttacker, settled, startFlood, startReads } from '../attack.ts'
import type { Company } from '../company.ts'
import type { Deployment } from '../deployment.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const CONNECTIONS = 20
const SILENT_CONNECTIONS = 60
/** U+FDFA folds to eighteen letters. */
const EXPENSIVE_LETTER = '\ufdfa'
const MAX_NOTE_LENGTH = 20_000

/** Returns the requests with which one developer could slow down others, by the name of the attack. */
async function attacks(deployment: Deployment, company: Company): Promise<Record<string, string[]>> {
  const { base, teller, campaign, developer } = company
  const userPath = `${base}/users/${teller}`
  const requestText = (method: string, path: string, body?: object) => wire({ method, path, key: developer.key, body })
  const port = deployment.services[0].port
  const headers = { 'x-api-key': developer.key, 'content-type': 'application/json' }
  const created = await fetch(`http://127.0.0.1:${port}${userPath}/notes`, { method: 'POST', headers, body: '{"title":"Long"}' })
  const { id } = (await created.json()) as { id: string }
  return {
    includes: [requestText('GET', `${userPath}/campaigns/${campaign}/characters?limit=100&include=notes,inventory`)],
    searches: ['lorem', 'ipsum%20dol', 'lorme', '...', '%25%25%25'].map((q) => requestText('GET', `${userPath}/search?limit=100&q=${q}`)),
    dice: [requestText('POST', `${userPath}/dice-rolls`, { notation: '1000d6' })],
    'long notes': [1, 2].map((n) =>
      requestText('PATCH', `${userPath}/notes/${id}`, { body: EXPENSIVE_LETTER.repeat(MAX_NOTE_LENGTH - n) }),
    ),
  }
}

/** Opens requests whose bodies never arrive. */
async function silent({ services }: Deployment, { base, developer }: Company) {
  const head = `POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-api-key: ${developer.key}\r\ncontent-type: application/json\r\n`
  return Promise.all(
    Array.from({ length: SILENT_CONNECTIONS }, async () => {
      const socket = await open(services[0].port)
      socket.write(`${head}content-length: 100\r\n\r\n{`)
      return socket
    }),
  )
}

export const starvingCaller: Scenario = {
  name: 'starving caller',
  run: async ({ deployment, companies: [victim], quick, fail }) => {
    const attacker = await newAttacker(deployment)
    await fillCampaign(deployment, attacker, quick ? 10 : 100)
    const { port } = deployment.services[0]
    const durationMs = quick ? 2000 : 8000
    const figures: string[] = []
    const sockets = await silent(deployment, attacker)
    const reads = startReads(port, victim, { quick, fail })
    await sleep(durationMs)
    figures.push(await reads('bodies'))
    for (const socket of sockets) socket.destroy()
    for (const [name, requests] of Object.entries(await attacks(deployment, attacker))) {
      const endFlood = await startFlood({ port, connections: CONNECTIONS, requests })
      await sleep(300)
      const reads = startReads(port, victim, { quick, fail })
      await sleep(durationMs)
      figures.push(await reads(name))
      const answers = await endFlood()
      if (!Object.keys(answers).some((status) => status < '500')) fail(`${name}: the attacker was answered only ${Object.keys(answers)}`)
    }
    return `median/slowest ms: ${figures.join(', ')}; ${await settled(deployment, fail)}`
  },
}

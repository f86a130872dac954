import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { fillCampaign, newAttacker, settled, startFlood, startReads } from '../attack.ts'
import type { Company } from '../company.ts'
import type { House } from '../house.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const CONNECTIONS = 20
const SILENT = 60
/** U+FDFA has eighteen letters once it is folded. */
const LONG_WORD = '\ufdfa'
const LONGEST_NOTE = 20_000

/** What one developer may do to the others, as whole requests. */
async function attacks(house: House, company: Company): Promise<Record<string, string[]>> {
  const { base, teller, campaign, developer } = company
  const mine = `${base}/users/${teller}`
  const ask = (method: string, path: string, body?: object) => wire({ method, path, key: developer.key, body })
  const port = house.services[0].port
  const headers = { 'x-api-key': developer.key, 'content-type': 'application/json' }
  const made = await fetch(`http://127.0.0.1:${port}${mine}/notes`, { method: 'POST', headers, body: '{"title":"Long"}' })
  const { id } = (await made.json()) as { id: string }
  return {
    includes: [ask('GET', `${mine}/campaigns/${campaign}/characters?limit=100&include=notes,inventory`)],
    searches: ['lorem', 'ipsum%20dol', 'lorme', '...', '%25%25%25'].map((q) => ask('GET', `${mine}/search?limit=100&q=${q}`)),
    dice: [ask('POST', `${mine}/dice-rolls`, { notation: '1000d6' })],
    'long notes': [1, 2].map((n) => ask('PATCH', `${mine}/notes/${id}`, { body: LONG_WORD.repeat(LONGEST_NOTE - n) })),
  }
}

/** Requests whose bodies never arrive. */
async function silent({ services }: House, { base, developer }: Company) {
  const head = `POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-api-key: ${developer.key}\r\ncontent-type: application/json\r\n`
  return Promise.all(
    Array.from({ length: SILENT }, async () => {
      const socket = await open(services[0].port)
      socket.write(`${head}content-length: 100\r\n\r\n{`)
      return socket
    }),
  )
}

export const starvingCaller: Scenario = {
  name: 'starving caller',
  run: async ({ house, companies: [victim], quick, amiss }) => {
    const attacker = await newAttacker(house)
    await fillCampaign(house, attacker, quick ? 10 : 100)
    const { port } = house.services[0]
    const lasts = quick ? 2000 : 8000
    const figures: string[] = []
    const sockets = await silent(house, attacker)
    const reads = startReads(port, victim, amiss)
    await sleep(lasts)
    figures.push(await reads('bodies'))
    for (const socket of sockets) socket.destroy()
    for (const [name, requests] of Object.entries(await attacks(house, attacker))) {
      const endFlood = await startFlood({ port, connections: CONNECTIONS, requests })
      await sleep(300)
      const reads = startReads(port, victim, amiss)
      await sleep(lasts)
      figures.push(await reads(name))
      const answers = await endFlood()
      if (!Object.keys(answers).some((status) => status < '500')) amiss(`${name}: the attacker was answered only ${Object.keys(answers)}`)
    }
    return `median/slowest ms: ${figures.join(', ')}; ${await settled(house, amiss)}`
  },
}

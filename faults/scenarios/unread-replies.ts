import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { fillCampaign, newAttacker, settled, startReads } from '../attack.ts'
import type { Scenario } from '../perform.ts'
import { heard, open } from '../sockets.ts'

const CONNECTIONS = 20
const REPLIES_EACH = 30
/** A response without progress is cut off after 10 s; then whoever comes to read finds the connection closed. */
const CUT_OFF_AFTER_MS = 14_000

/** Asks for much on many connections and reads none of it. */
export const unreadReplies: Scenario = {
  name: 'unread replies',
  run: async ({ house, companies: [victim], quick, amiss }) => {
    const attacker = await newAttacker(house)
    await fillCampaign(house, attacker, quick ? 10 : 100)
    const { port } = house.services[0]
    const { base, teller, campaign, developer } = attacker
    const path = `${base}/users/${teller}/campaigns/${campaign}/characters?limit=100&include=notes,inventory`
    const request = wire({ method: 'GET', path, key: developer.key })
    const reads = startReads(port, victim, amiss)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)))
    for (const socket of sockets) {
      socket.pause()
      socket.write(request.repeat(REPLIES_EACH))
    }
    await sleep(CUT_OFF_AFTER_MS)
    const figures = await reads('reads of another, median/slowest ms:')
    const kept = (await Promise.all(sockets.map(isOpen))).filter(Boolean).length
    if (kept > 0) amiss(`${kept} of ${CONNECTIONS} connections that read nothing were not cut off`)
    return `${CONNECTIONS} times ${REPLIES_EACH}; ${figures}; ${await settled(house, amiss)}`
  },
}

/** Whether the other side still sends, or waits, when everything that was on its way is read. */
async function isOpen(socket: Parameters<typeof heard>[0]): Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(false)))
  const said = heard(socket.resume(), 3000).then(() => true)
  return Promise.race([closed, said])
}

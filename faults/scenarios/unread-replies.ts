import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { fillCampaign, newAttacker, settled, startReads } from '../attack.ts'
import type { House } from '../house.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const ATTACKERS = 6
/** On one connection, so that they are more than the kernel takes. */
const REPLIES_EACH = 60
/** A response that makes no progress is cut off after 10 s, however much the client still sends; until then some are being made. */
const CUT_OFF_WITHIN_MS = 60_000

/** A connection, and requests for more than it can take. */
async function greedy(house: House): Promise<[Socket, requests: string]> {
  const attacker = await newAttacker(house)
  await fillCampaign(house, attacker, 10)
  const { base, teller, campaign, developer } = attacker
  const path = `${base}/users/${teller}/campaigns/${campaign}/characters?limit=100&include=notes,inventory`
  return [await open(house.services[0].port), wire({ method: 'GET', path, key: developer.key }).repeat(REPLIES_EACH)]
}

export const unreadReplies: Scenario = {
  name: 'unread replies',
  run: async ({ house, companies: [victim], amiss }) => {
    const attackers: Awaited<ReturnType<typeof greedy>>[] = []
    for (let i = 0; i < ATTACKERS; i++) attackers.push(await greedy(house))
    const reads = startReads(house.services[0].port, victim, amiss)
    for (const [socket, requests] of attackers) socket.pause().write(requests)
    const closed = await Promise.all(attackers.map(([socket]) => isClosed(socket)))
    const figures = await reads('reads of another, median/slowest ms:')
    const kept = closed.filter((is) => !is).length
    if (kept > 0) amiss(`${kept} of ${ATTACKERS} connections that read nothing were not cut off`)
    return `${ATTACKERS} times ${REPLIES_EACH}; ${figures}; ${await settled(house, amiss)}`
  },
}

/** Whether the other side closes a connection, which whoever does not read learns by writing. */
async function isClosed(socket: Socket): Promise<boolean> {
  for (const end = Date.now() + CUT_OFF_WITHIN_MS; Date.now() < end; await sleep(1000)) {
    if (socket.closed || socket.destroyed) return true
    socket.write('\r\n')
  }
  socket.destroy()
  return false
}

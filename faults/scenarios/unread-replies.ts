import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { fillCampaign, newAttacker, settled, startReads } from '../attack.ts'
import type { Deployment } from '../deployment.ts'
import type { Scenario } from '../perform.ts'
import { open } from '../sockets.ts'

const ATTACKERS = 6
/** More replies on one connection than the buffers of the kernel take. */
const REPLIES_EACH = 60
/** A response without progress is cut off after 10 s, even if the client keeps sending. On a slow machine, writing those before it takes longer than a minute. */
const MAX_CUT_OFF_MS = 150_000

/** Opens a connection, and returns it with requests for more than it can take. */
async function newReader(deployment: Deployment): Promise<[Socket, requests: string]> {
  const attacker = await newAttacker(deployment)
  await fillCampaign(deployment, attacker, 10)
  const { base, teller, campaign, developer } = attacker
  const path = `${base}/users/${teller}/campaigns/${campaign}/characters?limit=100&include=notes,inventory`
  return [await open(deployment.services[0].port), wire({ method: 'GET', path, key: developer.key }).repeat(REPLIES_EACH)]
}

export const unreadReplies: Scenario = {
  name: 'unread replies',
  run: async ({ deployment, companies: [victim], quick, fail }) => {
    const attackers: Awaited<ReturnType<typeof newReader>>[] = []
    for (let i = 0; i < ATTACKERS; i++) attackers.push(await newReader(deployment))
    const reads = startReads(deployment.services[0].port, victim, { quick, fail })
    for (const [socket, requests] of attackers) socket.pause().write(requests)
    const closed = await Promise.all(attackers.map(([socket]) => isClosed(socket)))
    const figures = await reads('reads of another client, median/slowest ms:')
    const kept = closed.filter((isCut) => !isCut).length
    if (kept > 0) fail(`${kept} of ${ATTACKERS} connections that read nothing were not cut off`)
    return `${ATTACKERS} times ${REPLIES_EACH}; ${figures}; ${await settled(deployment, fail)}`
  },
}

/** Returns true if the other side closes the connection. A client that does not read notices it only when it writes. */
async function isClosed(socket: Socket): Promise<boolean> {
  for (const end = Date.now() + MAX_CUT_OFF_MS; Date.now() < end; await sleep(1000)) {
    if (socket.closed || socket.destroyed) return true
    socket.write('\r\n')
  }
  socket.destroy()
  return false
}

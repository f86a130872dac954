import { startReads } from '../attack.ts'
import { nextWish } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { answered } from './slow-clients.ts'

/** To either process half of them: about as many as one lets run and wait. */
const AT_ONCE = 560

/** Everything one client has to say, at once: all of it is answered, and another client is not kept waiting. */
export const stormOfOneClient: Scenario = {
  name: 'storm of one client',
  run: async ({ house, client, companies: [company, other], part, amiss }) => {
    client.onTry = answered(amiss)
    const rounds = part(20)
    const reads = startReads(house.services[0].port, other, amiss)
    for (let i = 0; i < rounds; i++) await Promise.all(Array.from({ length: AT_ONCE }, () => client.send(nextWish([company]))))
    return `${rounds} times ${AT_ONCE} at once; ${await reads('reads of another, median/slowest ms:')}`
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { newAttacker } from '../attack.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { heard, open, statusOf } from '../sockets.ts'
import { answered } from './slow-clients.ts'

/** A body must arrive within 30 s; the server looks every second. */
const GIVEN_UP_AFTER_MS = 33_000
const EARLIEST_MS = 29_000

export const lateBody: Scenario = {
  name: 'late body',
  run: async ({ house, client, companies, part, amiss }) => {
    client.onTry = answered(amiss)
    const { port } = house.services[0]
    const { base, developer, company_id } = await newAttacker(house)
    const late = async (body: string, sent: number) => {
      const socket = await open(port)
      const head = `POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-api-key: ${developer.key}\r\ncontent-type: application/json\r\n`
      socket.write(`${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, sent)}`)
      return socket
    }
    const count = part(100)
    const finish = startLoad(client, companies, 4)
    const body = JSON.stringify({ name: 'Late', role: 'PLAYER' })
    const begun = Date.now()
    // Some never send the rest, and are given up; the others send it after their key was taken away.
    const never = await Promise.all(Array.from({ length: count }, () => late(body, 5)))
    const givenUp = never.map((socket) => heard(socket, GIVEN_UP_AFTER_MS).then((said) => ({ said, ms: Date.now() - begun })))
    const revoked = await Promise.all(Array.from({ length: count }, () => late(body, 5)))
    const refused = revoked.map((socket) => heard(socket, 10_000))
    await sleep(500)
    await house.query('DELETE FROM api_keys WHERE developer_id = $1', [developer.id])
    for (const socket of revoked) socket.write(body.slice(5))
    for (const said of await Promise.all(refused))
      if (statusOf(said) !== 401) amiss(`a body that arrived after the key was revoked was answered ${said.slice(0, 200) || 'nothing'}`)
    for (const { said, ms } of await Promise.all(givenUp))
      if (statusOf(said) !== 408 || ms < EARLIEST_MS)
        amiss(`a body that never arrived was answered ${said.slice(0, 200) || 'nothing'} after ${ms} ms`)
    await finish()
    const [late_ones] = await house.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM users WHERE company_id = $1 AND name = 'Late'`,
      [company_id],
    )
    if (late_ones?.count !== 0) amiss(`${late_ones?.count} users were created by bodies of a revoked key`)
    return `${count} never sent, ${count} sent after the key was revoked`
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { newAttacker } from '../attack.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { open, received, statusOf } from '../sockets.ts'
import { failUnlessCreated } from './slow-clients.ts'

/** A body must arrive within 30 s; the server checks every second. */
const MAX_TIMEOUT_MS = 33_000
const MIN_TIMEOUT_MS = 29_000

export const lateBody: Scenario = {
  name: 'late body',
  run: async ({ deployment, client, companies, part, quick, fail }) => {
    client.onTry = failUnlessCreated(fail)
    const { port } = deployment.services[0]
    const { base, developer, company_id } = await newAttacker(deployment)
    const late = async (body: string, sent: number) => {
      const socket = await open(port)
      const head = `POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-api-key: ${developer.key}\r\ncontent-type: application/json\r\n`
      socket.write(`${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, sent)}`)
      return socket
    }
    const count = part(100)
    const finish = startLoad(client, companies, 4)
    const body = JSON.stringify({ name: 'Late', role: 'PLAYER' })
    const start = Date.now()
    // Some never send the rest, and time out, for which only a full run waits; the others send it after their key was revoked.
    const never = await Promise.all(Array.from({ length: quick ? 0 : count }, () => late(body, 5)))
    const timedOut = never.map((socket) => received(socket, MAX_TIMEOUT_MS).then((text) => ({ text, ms: Date.now() - start })))
    const revoked = await Promise.all(Array.from({ length: count }, () => late(body, 5)))
    const refused = revoked.map((socket) => received(socket, 10_000))
    await sleep(500)
    await deployment.query('DELETE FROM api_keys WHERE developer_id = $1', [developer.id])
    for (const socket of revoked) socket.write(body.slice(5))
    for (const text of await Promise.all(refused))
      if (statusOf(text) !== 401) fail(`a body that arrived after the key was revoked was answered ${text.slice(0, 200) || 'nothing'}`)
    for (const { text, ms } of await Promise.all(timedOut))
      if (statusOf(text) !== 408 || ms < MIN_TIMEOUT_MS)
        fail(`a body that never arrived was answered ${text.slice(0, 200) || 'nothing'} after ${ms} ms`)
    await finish()
    const [users] = await deployment.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM users WHERE company_id = $1 AND name = 'Late'`,
      [company_id],
    )
    if (users?.count !== 0) fail(`${users?.count} users were created by bodies of a revoked key`)
    return `${never.length} never sent, ${count} sent after the key was revoked`
  },
}

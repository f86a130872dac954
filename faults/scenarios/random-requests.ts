import fc from 'fast-check'
import { attempt } from '../client.ts'
import { newDevelopers } from '../company.ts'
import type { Known } from '../known.ts'
import type { Scenario } from '../perform.ts'
import { type Shot, shots } from '../random/requests.ts'
import { newScene } from '../random/scene.ts'
import { faultsOf, leaksOf } from '../random/verdict.ts'

const AT_ONCE = 4

export const randomRequests: Scenario = {
  name: 'random requests',
  run: async ({ house, client, part, amiss }) => {
    const [one, other, friend, stranger] = await newDevelopers(house.url, 4)
    const [operator] = await newDevelopers(house.url, 1, true)
    if (!one || !other || !friend || !stranger || !operator) throw new Error('no developers')
    const [{ port }] = house.services
    const ours = await newScene(port, one, friend, operator)
    const theirs = await newScene(port, other, stranger, operator)
    // Developers belong to no company, and the two of ours are one tenant.
    const tenants = [...theirs.ids].filter(([before]) => !before.includes('/developers/'))
    const known: Known = new Map(tenants.flatMap(([, both]) => both.map((id) => [id, theirs.company_id])))

    const seed = Math.floor(Math.random() * 2 ** 31)
    const count = part(2000)
    const all = fc.sample(shots(ours, theirs, operator.key), { numRuns: count, seed })
    const made: string[] = []
    const refused: string[] = []
    let done = 0
    let accepted = 0
    const play = async (shot: Shot) => {
      const serving = house.services[done % 2 === 0 ? 0 : 1]
      const tried = await attempt(serving.port, shot.ask)
      const said = `${shot.op.method} ${shot.ask.path} ${JSON.stringify(shot.ask.body)?.slice(0, 300)} ${JSON.stringify(shot.ask.headers)}`
      for (const fault of faultsOf(shot, tried)) amiss(`${fault}; seed ${seed}, ${said}`)
      for (const id of leaksOf(shot, tried, known, ours.company_id)) client.leaks.push(`${said} is told ${id} of another company`)
      if (tried.status < 300) accepted++
      const id = String(tried.headers['x-request-id'])
      if (tried.status >= 400) refused.push(id)
      else if (tried.status === 201 && !tried.replayed) made.push(id)
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let shot = all[done++]; shot; shot = all[done++]) await play(shot)
      }),
    )
    client.decided += count
    const withEvents = async (ids: string[]) =>
      new Set(
        (await house.query<{ request_id: string }>('SELECT request_id FROM events WHERE request_id = ANY($1)', [ids])).map(
          (row) => row.request_id,
        ),
      )
    for (const id of await withEvents(refused)) amiss(`request ${id} was refused, and has an event`)
    const events = await withEvents(made)
    for (const id of made) if (!events.has(id)) amiss(`request ${id} made something, and has no event`)
    return `${count} requests, ${accepted} accepted`
  },
}

import fc from 'fast-check'
import { attempt } from '../client.ts'
import { newDevelopers } from '../company.ts'
import type { Known } from '../known.ts'
import type { Scenario } from '../perform.ts'
import { type GeneratedRequest, generatedRequests } from '../random/requests.ts'
import { newScene } from '../random/scene.ts'
import { faultsOf, leaksOf } from '../random/verdict.ts'

const WORKERS = 4

export const randomRequests: Scenario = {
  name: 'random requests',
  run: async ({ deployment, client, part, fail }) => {
    const [one, other, friend, stranger] = await newDevelopers(deployment.url, 4)
    const [operator] = await newDevelopers(deployment.url, 1, true)
    if (!one || !other || !friend || !stranger || !operator) throw new Error('no developers')
    const [{ port }] = deployment.services
    const ours = await newScene(port, one, friend, operator)
    const theirs = await newScene(port, other, stranger, operator)
    // Developers belong to no company.
    const tenants = [...theirs.ids].filter(([before]) => !before.includes('/developers/'))
    const known: Known = new Map(tenants.flatMap(([, both]) => both.map((id) => [id, theirs.company_id])))

    const seed = Math.floor(Math.random() * 2 ** 31)
    const count = part(2000)
    const all = fc.sample(generatedRequests(ours, theirs, operator.key), { numRuns: count, seed })
    const created: string[] = []
    const refused: string[] = []
    let done = 0
    let accepted = 0
    const play = async (generated: GeneratedRequest) => {
      const instance = deployment.services[done % 2 === 0 ? 0 : 1]
      const tried = await attempt(instance.port, generated.request)
      const description = `${generated.op.method} ${generated.request.path} ${JSON.stringify(generated.request.body)?.slice(0, 300)} ${JSON.stringify(generated.request.headers)}`
      for (const fault of faultsOf(generated, tried)) fail(`${fault}; seed ${seed}, ${description}`)
      for (const id of leaksOf(generated, tried, known, ours.company_id))
        client.leaks.push(`${description} returned ${id} of another company`)
      if (tried.status < 300) accepted++
      const id = String(tried.headers['x-request-id'])
      if (tried.status >= 400) refused.push(id)
      else if (tried.status === 201 && !tried.replayed) created.push(id)
    }
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let generated = all[done++]; generated; generated = all[done++]) await play(generated)
      }),
    )
    client.decided += count
    const withEvents = async (ids: string[]) =>
      new Set(
        (await deployment.query<{ request_id: string }>('SELECT request_id FROM events WHERE request_id = ANY($1)', [ids])).map(
          (row) => row.request_id,
        ),
      )
    for (const id of await withEvents(refused)) fail(`request ${id} was refused, but has an event`)
    const events = await withEvents(created)
    for (const id of created) if (!events.has(id)) fail(`request ${id} created something, but has no event`)
    return `${count} requests, ${accepted} accepted`
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { attempt, Client, rowsIn } from '../client.ts'
import { type Company, newCompany, newDevelopers, newWrite } from '../company.ts'
import { readPlaced, untilSequenced } from '../feed/placed.ts'
import { type FeedReader, followPages, followStreams, startReader } from '../feed/readers.ts'
import type { Scenario, Stage } from '../perform.ts'

const SECRETS = 1000
const MIN_SECRETS = 300
const WRITERS = 8
const USERS = 4
const MAX_LAG_MS = 5000
const MAX_CATCH_UP_MS = 30_000
const MAX_CUT_MS = 10_000

/** A storyteller whose role is lowered, with a stream and a waiting reader on each process. */
interface Demoted {
  id: string
  readers: FeedReader[]
}

async function newTable({ deployment, part }: Stage) {
  const [developer] = await newDevelopers(deployment.url, 1)
  if (!developer) throw new Error('no developer')
  const client = new Client(() => deployment.services.map(({ port }) => port), new Map())
  const company = await newCompany(client, new Map(), developer)
  const tellers: string[] = []
  for (let i = 0; i < USERS; i++) {
    const made = await client.send(newWrite(company, null, `${company.base}/users`, 'user', { name: `Teller ${i}`, role: 'STORYTELLER' }))
    tellers.push(rowsIn(made?.text ?? '{}')[0]?.id as string)
  }
  const put = (id: string) =>
    attempt(deployment.services[0].port, {
      method: 'PUT',
      path: `${company.base}/users/${company.teller}/campaigns/${company.campaign}/members/${id}`,
      key: developer.key,
      body: { role: 'STORYTELLER' },
    })
  for (const id of tellers) if ((await put(id)).status >= 300) throw new Error('a storyteller cannot be added')
  return { company, tellers, secrets: Math.max(part(SECRETS), MIN_SECRETS) }
}

/** Opens the readers of one storyteller: a stream and a waiting reader on each process. */
async function follow(id: string, { base, developer }: Company, { deployment, fail }: Stage, state: { isOver: boolean }) {
  const readers = deployment.services.flatMap(({ port }, process) =>
    ['stream', 'wait'].map(
      (kind): FeedReader => ({
        name: `${kind} on process ${process}`,
        key: developer.key,
        path: `${base}/users/${id}`,
        port: () => port,
        seesSecrets: false,
        cursor: '',
        items: [],
        interruptions: 0,
        fail,
        isDone: () => state.isOver,
      }),
    ),
  )
  for (const reader of readers) await startReader(reader)
  const reading = readers.map((reader) =>
    reader.name.startsWith('stream') ? followStreams(reader, MAX_CUT_MS) : followPages(reader, 'limit=50&wait=2'),
  )
  return { demoted: { id, readers } satisfies Demoted, reading }
}

export const loweredRoles: Scenario = {
  name: 'feed, roles lowered',
  run: async (stage) => {
    const { deployment, fail } = stage
    const { company, tellers, secrets } = await newTable(stage)
    const { base, teller, campaign, developer } = company
    await untilSequenced(deployment, MAX_LAG_MS)
    const state = { isOver: false }
    const followed = await Promise.all(tellers.map((id) => follow(id, company, stage, state)))
    let [written, turn] = [0, 0]
    const send = async (method: string, path: string, body: unknown) => {
      const service = deployment.services[turn++ % 2] as { port: number }
      const { status, text } = await attempt(service.port, { method, path: `${base}${path}`, key: developer.key, body })
      if (status >= 300 || status === 0) fail(`${method} ${path} got ${status}: ${text.slice(0, 200)}`)
    }
    const writeSecret = () =>
      send('POST', `/users/${teller}/campaigns/${campaign}/notes`, { title: `Secret ${written}`, visibility: 'STORYTELLER' })
    const readers = followed.flatMap(({ demoted }) => demoted.readers)
    const untilAll = async (has: (reader: FeedReader) => boolean) => {
      for (const end = Date.now() + MAX_CATCH_UP_MS; Date.now() < end && !readers.every(has); ) await sleep(20)
    }
    // Everybody is told the first one: then they read, and may see secrets.
    await writeSecret()
    await untilAll(({ items }) => items.some(({ type }) => type === 'note.created'))
    const writers = Array.from({ length: WRITERS }, async () => {
      while (written++ < secrets) await writeSecret()
    })
    // Each is lowered at another moment, while secrets are written.
    for (const [i, id] of tellers.entries()) {
      while (written < (secrets * (i + 1)) / (tellers.length + 1)) await sleep(2)
      await send('PATCH', `/users/${id}`, { role: 'PLAYER' })
    }
    await Promise.all(writers)
    await send('PATCH', `/users/${teller}/campaigns/${campaign}`, { name: 'The last change' })
    await untilSequenced(deployment, MAX_LAG_MS)
    const hasLast = ({ items }: FeedReader) => items.some(({ type }) => type === 'campaign.updated')
    await untilAll(hasLast)
    state.isOver = true
    await Promise.all(followed.flatMap(({ reading }) => reading))

    const placed = await readPlaced(deployment, company.company_id, 0)
    const positions = new Map(placed.map(({ id, position }) => [id, position]))
    const secretIds = new Set(placed.flatMap(({ id, visibility }) => (visibility === 'STORYTELLER' ? [id] : [])))
    let [before, after] = [0, 0]
    for (const { demoted } of followed) {
      const lowered = placed.findLast(({ type, resource_id }) => type === 'user.updated' && resource_id === demoted.id)?.position ?? 0
      for (const reader of demoted.readers) {
        if (!hasLast(reader)) fail(`${reader.name} was not told the last change`)
        const told = reader.items.filter(({ id }) => secretIds.has(id)).map(({ id }) => positions.get(id) as number)
        const late = told.filter((position) => position > lowered)
        before += told.length - late.length
        after += late.length
        if (told.length === late.length) fail(`${reader.name} was told no secret before the role was lowered: nothing is proved`)
        if (late.length > 0) fail(`${reader.name} was told ${late.length} secrets after position ${lowered}, the first is at ${late[0]}`)
      }
    }
    return `${secretIds.size} secrets while ${tellers.length} roles are lowered: ${readers.length} readers on 2 processes were told ${before} before and ${after} after`
  },
}

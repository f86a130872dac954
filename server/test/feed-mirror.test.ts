import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { call, newApp } from './harness.ts'
import { Mirror, type Row, type Table } from './mirror.ts'
import { StreamFollower } from './stream-follower.ts'

const SEEDS = Number(process.env.FEED_SEEDS ?? 2)
const STEPS = Number(process.env.FEED_STEPS ?? 150)
const STREAM_SEEDS = Number(process.env.FEED_STREAM_SEEDS ?? 1)
const STEPS_PER_READ = 12

/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  return { next, pick }
}

/** Does something random, as a random person. Whether they may is not of interest here. */
function stepsIn(table: Table, people: Person[], seed: number) {
  const { pick } = randomOf(seed)
  const { base, key } = table
  const made: Record<string, string[]> = {
    campaigns: [table.campaign_id],
    characters: [],
    items: [],
    notes: [],
    books: [],
    chapters: [],
    rolls: [],
    quick: [],
  }
  const keep = (kind: string, { status, body }: { status: number; body: unknown }) => {
    if (status === 201) made[kind]?.push((body as Row).id)
  }
  const campaign = () => `/campaigns/${pick(made.campaigns as string[])}`
  const one = (kind: string) => pick(made[kind]?.length ? (made[kind] as string[]) : [table.company_id])
  const steps: ((person: Person) => Promise<unknown>)[] = [
    async (p) => keep('campaigns', await p.post('/campaigns', { name: 'Another story', access: pick(['COMPANY', 'MEMBERS']) })),
    async (p) => keep('characters', await p.post(`${campaign()}/characters`, { name: 'Hero', traits: { wits: 2 } })),
    async (p) =>
      keep(
        'characters',
        await p.post(`${campaign()}/characters`, {
          name: 'Ghoul',
          type: 'NPC',
          visibility: pick(['OPEN', 'STORYTELLER']),
          traits: { claws: 3 },
        }),
      ),
    (p) =>
      p.patch(`${campaign()}/characters/${one('characters')}`, {
        name: pick(['Crane', 'Ash', 'Mother']),
        biography: pick(['Long ago', '']),
      }),
    (p) => p.patch(`${campaign()}/characters/${one('characters')}`, { visibility: pick(['OPEN', 'STORYTELLER']) }),
    (p) => p.patch(`${campaign()}/characters/${one('characters')}`, { sheet_visibility: pick(['EVERYONE', 'PLAYER', 'STORYTELLER']) }),
    (p) => p.patch(`${campaign()}/characters/${one('characters')}`, { user_id: pick(people).id }),
    (p) => p.delete(`${campaign()}/characters/${one('characters')}`),
    (p) => p.post(`${campaign()}/characters/${one('characters')}/restore`),
    async (p) => keep('items', await p.post(`${campaign()}/characters/${one('characters')}/inventory`, { name: 'Lantern' })),
    (p) => p.patch(`${campaign()}/characters/${one('characters')}/inventory/${one('items')}`, { quantity: pick([1, 2, 3]) }),
    (p) => p.delete(`${campaign()}/characters/${one('characters')}/inventory/${one('items')}`),
    (p) => p.put(`${campaign()}/characters/${one('characters')}/trackers/hp`, { value: pick([1, 5]), maximum: 10 }),
    (p) =>
      p.put(`${campaign()}/trackers/doom`, { value: pick([1, 5]), maximum: 10, visibility: pick(['OPEN', 'NAME_ONLY', 'STORYTELLER']) }),
    (p) => p.post(`${campaign()}/trackers/doom/adjust`, { by: 1 }),
    (p) => p.patch(`${campaign()}/trackers/doom`, { label: pick(['Doom', 'Fate']) }),
    (p) => p.delete(`${campaign()}/trackers/doom`),
    async (p) =>
      keep('notes', await p.post(`${campaign()}/notes`, { title: 'Clue', visibility: pick(['EVERYONE', 'STORYTELLER', 'AUTHOR']) })),
    async (p) =>
      keep(
        'notes',
        await p.post(`${campaign()}/characters/${one('characters')}/notes`, {
          title: 'On them',
          visibility: pick(['EVERYONE', 'STORYTELLER', 'AUTHOR']),
        }),
      ),
    async (p) => keep('notes', await p.post('/notes', { title: 'Mine' })),
    (p) =>
      p.patch(`${campaign()}/notes/${one('notes')}`, { visibility: pick(['EVERYONE', 'STORYTELLER', 'AUTHOR']), body: pick(['a', 'b']) }),
    (p) => p.delete(`${campaign()}/notes/${one('notes')}`),
    (p) => p.post(`${campaign()}/notes/${one('notes')}/restore`),
    async (p) => keep('books', await p.post(`${campaign()}/books`, { name: 'One' })),
    async (p) => keep('chapters', await p.post(`${campaign()}/books/${one('books')}/chapters`, { name: 'First' })),
    (p) => p.patch(`${campaign()}/books/${one('books')}`, { name: pick(['Two', 'Three']) }),
    (p) => p.delete(`${campaign()}/books/${one('books')}`),
    (p) => p.post(`${campaign()}/books/${one('books')}/restore`),
    async (p) =>
      keep(
        'rolls',
        await p.post('/dice-rolls', {
          notation: '1d20',
          campaign_id: pick(made.campaigns as string[]),
          visibility: pick(['PUBLIC', 'STORYTELLER', 'BLIND']),
        }),
      ),
    async (p) =>
      keep(
        'rolls',
        await p.post('/dice-rolls', {
          notation: '1d20+{wits}',
          missing: 'ZERO',
          character_id: one('characters'),
          visibility: pick(['PUBLIC', 'STORYTELLER', 'BLIND']),
        }),
      ),
    (p) => p.post(`/dice-rolls/${one('rolls')}/void`, { reason: 'Cocked' }),
    async (p) => keep('quick', await p.post('/quick-rolls', { name: `Quick ${made.quick?.length}`, notation: '1d6' })),
    async (p) => keep('quick', await p.post(`${campaign()}/quick-rolls`, { name: `Quick ${made.quick?.length}`, notation: '1d6' })),
    async (p) =>
      keep(
        'quick',
        await p.post(`${campaign()}/characters/${one('characters')}/quick-rolls`, { name: `Quick ${made.quick?.length}`, notation: '1d6' }),
      ),
    (p) => p.delete(`/quick-rolls/${one('quick')}`),
    (p) => p.post(`${campaign()}/experience/awards`, { amount: 2, user_ids: [pick(people).id], reason: 'Play' }),
    (p) => p.post(`${campaign()}/experience/spends`, { amount: 1, user_id: pick(people).id, reason: 'Spent' }),
    (p) => p.post(`${campaign()}/invites`, { role: 'PLAYER' }),
    (p) => p.patch(campaign(), { name: pick(['Kingsport', 'Arkham']), access: pick(['COMPANY', 'MEMBERS']) }),
    (p) => p.patch(campaign(), { description: pick(['x', 'y']) }),
    (p) => p.post(`${campaign()}/transfer`, { user_id: pick(people).id }),
    (p) => p.delete(campaign()),
    (p) => p.post(`${campaign()}/restore`),
    (p) => p.post(`${campaign()}/join`),
    (p) => p.post(`${campaign()}/leave`),
    (p) => p.put(`${campaign()}/members/${pick(people).id}`, { role: pick(['PLAYER', 'STORYTELLER']) }),
    (p) => p.delete(`${campaign()}/members/${pick(people).id}`),
    () =>
      call('PATCH', `${base}/users/${pick(people.slice(0, 4)).id}`, {
        key,
        body: { role: pick(['PLAYER', 'STORYTELLER', 'PLAYER', 'STORYTELLER', 'ADMIN']) },
      }),
    () =>
      call('PATCH', `${base}/users/${pick(people).id}`, {
        key,
        body: { name: pick(['Mina', 'Lucy']), email: pick(['a@example.com', 'b@example.com']) },
      }),
  ]
  return async () => {
    const [step, person] = [pick(steps), pick(people)]
    const answer = (await step(person)) as { status?: number; text?: string } | undefined
    assert.ok(answer?.status === undefined || answer.status < 500, answer?.text)
  }
}

for (let seed = 1; seed <= SEEDS; seed++)
  test(`whoever lists once and then follows the feed has exactly what the lists show, and is shown nothing else (seed ${seed})`, async () => {
    const table = await newGameTable()
    const people = [table.player, table.other, table.teller, table.stranger, table.admin]
    const mirrors = people.map((person) => new Mirror(person, table))
    for (const mirror of mirrors) await mirror.start()
    const step = stepsIn(table, people, seed)
    for (let i = 1; i <= STEPS; i++) {
      await step()
      if (i % STEPS_PER_READ === 0) for (const mirror of mirrors) await mirror.follow()
    }
    for (const mirror of mirrors) await mirror.follow()
    for (const [i, mirror] of mirrors.entries()) await mirror.compare(`reader ${i}, seed ${seed}`)
  })

for (let seed = 1; seed <= STREAM_SEEDS; seed++)
  test(`whoever lists once and then follows a stream that is cut now and then has exactly what the lists show (seed ${seed})`, async () => {
    const app = await newApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const host = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const table = await newGameTable()
    const people = [table.player, table.other, table.teller, table.stranger, table.admin]
    // They only watch, and so are told the same.
    const audience = [await table.person('PLAYER'), await table.person('PLAYER'), await table.person('STORYTELLER')]
    await sequenceAll()
    const { next } = randomOf(seed)
    let mark = ''
    const readers = await Promise.all(
      [...people, ...audience].map(async (person) => {
        const stream = await new StreamFollower(`${host}${table.base}/users/${person.id}/stream`, { 'x-api-key': table.key }).open()
        const mirror = new Mirror(person, table)
        const follower = await Follower.start(person)
        const read = async () => {
          const items = await stream.until(({ data }) => data.changes?.name?.new === mark)
          assert.deepEqual(items, await follower.read(), 'the stream tells the same as the changes')
          return items
        }
        await mirror.start({ read })
        return { stream, mirror }
      }),
    )
    const step = stepsIn(table, people, seed)
    for (let round = 1; round <= STEPS / STEPS_PER_READ; round++) {
      for (let i = 0; i < STEPS_PER_READ; i++) await step()
      mark = `Mark ${round}`
      await call('PATCH', `${table.base}/users/${table.admin.id}`, { key: table.key, body: { name: mark } })
      const cut = readers.filter(() => next() < 0.3)
      for (const { stream } of cut.slice(0, 2)) stream.close()
      const sequenced = sequenceAll()
      for (const [i, { stream }] of cut.entries()) {
        if (i > 1) stream.close()
        await stream.open()
      }
      await sequenced
      for (const { mirror } of readers) await mirror.follow()
    }
    for (const [i, { mirror, stream }] of readers.entries()) {
      await mirror.compare(`reader ${i}`)
      stream.close()
    }
  })

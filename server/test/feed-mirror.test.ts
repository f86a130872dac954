import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import { Follower } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { call } from './harness.ts'

const SEEDS = Number(process.env.FEED_SEEDS ?? 2)
const STEPS = Number(process.env.FEED_STEPS ?? 150)
const STEPS_PER_READ = 12

type Row = Record<string, unknown> & { id: string; campaign_id?: string | null; character_id?: string | null; book_id?: string | null }
type Table = Awaited<ReturnType<typeof newGameTable>>
/** Copies of resources by their type, campaign and id. */
type Copies = Map<string, Row>

const keyOf = (type: string, row: Row) => (type === 'member' ? `member ${row.campaign_id} ${row.id}` : `${type} ${row.id}`)

/** Fields that follow from other resources: the counts of a campaign, the place of a book, the name and effective role of a member. */
const DERIVED = ['truncated', 'counts', 'number', 'reversed_by', 'snippet']
const DERIVED_OF_MEMBERS = ['name', 'role', 'version', 'date_modified']
function compared(type: string, row: Row): Row {
  const derived = type === 'member' ? [...DERIVED, ...DERIVED_OF_MEMBERS] : DERIVED
  return Object.fromEntries(Object.entries(row).filter(([name]) => !derived.includes(name))) as Row
}

/** Reads lists as one person, into copies. */
class Lists {
  readonly #person: Person
  readonly #table: Table
  constructor(person: Person, table: Table) {
    this.#person = person
    this.#table = table
  }

  async #rows(path: string): Promise<Row[]> {
    const { status, body } = await this.#person.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)
    assert.ok([200, 403, 404].includes(status), `${path}: ${status}`)
    return status === 200 ? (body.items as unknown as Row[]) : []
  }

  async #add(copies: Copies, type: string, path: string): Promise<Row[]> {
    const rows = await this.#rows(path)
    for (const row of rows) copies.set(keyOf(type, row), row)
    return rows
  }

  async #sheet(copies: Copies, character: string): Promise<void> {
    for (const [type, segment] of [
      ['item', 'inventory'],
      ['tracker', 'trackers'],
      ['quick_roll', 'quick-rolls'],
    ] as const)
      await this.#add(copies, type, `${character}/${segment}`)
  }

  async campaign(copies: Copies, id: string): Promise<void> {
    const path = `/campaigns/${id}`
    await this.#add(copies, 'member', `${path}/members`)
    for (const book of await this.#add(copies, 'book', `${path}/books`))
      await this.#add(copies, 'chapter', `${path}/books/${book.id}/chapters`)
    await this.#add(copies, 'note', `${path}/notes?scope=all`)
    await this.#add(copies, 'tracker', `${path}/trackers`)
    await this.#add(copies, 'quick_roll', `${path}/quick-rolls`)
    await this.#add(copies, 'experience', `${path}/experience/entries`)
    await this.#add(copies, 'invite', `${path}/invites`)
    await this.#add(copies, 'dice_roll', `/dice-rolls?campaign_id=${id}`)
    for (const character of await this.#add(copies, 'character', `${path}/characters`))
      await this.#sheet(copies, `${path}/characters/${character.id}`)
  }

  /** What an application reads again when a character is to be read again. */
  async character(copies: Copies, { id, campaign_id }: Row): Promise<void> {
    const path = `/campaigns/${campaign_id}`
    await this.#sheet(copies, `${path}/characters/${id}`)
    for (const note of await this.#rows(`${path}/characters/${id}/notes`)) copies.set(keyOf('note', note), note)
    await this.#add(copies, 'dice_roll', `/dice-rolls?character_id=${id}`)
    await this.#add(copies, 'experience', `${path}/experience/entries`)
  }

  async all(): Promise<Copies> {
    const copies: Copies = new Map()
    const users = await call('GET', `${this.#table.base}/users?limit=100`, {
      key: this.#table.key,
      headers: { 'on-behalf-of': this.#person.id },
    })
    for (const row of users.body.items as unknown as Row[]) copies.set(keyOf('user', row), row)
    await this.#add(copies, 'note', '/notes')
    await this.#add(copies, 'quick_roll', '/quick-rolls')
    await this.#add(copies, 'dice_roll', '/dice-rolls')
    for (const { id } of await this.#add(copies, 'campaign', '/campaigns')) await this.campaign(copies, id)
    return copies
  }
}

/** Keeps copies of everything that a person sees: reads the lists once, and then follows the feed. */
class Mirror {
  readonly person: Person
  readonly #table: Table
  readonly #lists: Lists
  copies: Copies = new Map()
  #follower: Follower | undefined

  constructor(person: Person, table: Table) {
    this.person = person
    this.#table = table
    this.#lists = new Lists(person, table)
  }

  async start(): Promise<void> {
    this.#follower = await Follower.start(this.person, '&limit=7')
    this.copies = await this.#lists.all()
  }

  async follow(): Promise<void> {
    for (const item of await (this.#follower as Follower).read()) {
      await this.#check(item)
      await this.#apply(item)
    }
  }

  /** Everything that is told to somebody is what its path shows them. */
  async #check({ type, data }: FeedItem): Promise<void> {
    if (data.path === null) return
    const headers = data.path.includes(`/users/${this.person.id}/`) ? {} : { 'on-behalf-of': this.person.id }
    const { status, body } = await call('GET', data.path, { key: this.#table.key, headers })
    assert.equal(status, 200, `${type} ${data.path}`)
    assert.deepEqual(data.resource, body, type)
  }

  #drop(isDropped: (row: Row, key: string) => boolean): void {
    for (const [key, row] of this.copies) if (isDropped(row, key)) this.copies.delete(key)
  }

  async #apply({ campaign_id, data: { change, resource_type: type, id, resource } }: FeedItem): Promise<void> {
    const row = resource as Row | null
    const isPart = (copy: Row) => copy[`${type}_id`] === id && ['campaign', 'character', 'book', 'chapter'].includes(type)
    // An item refers to its character alone.
    const characters = new Set([...this.copies].flatMap(([key, copy]) => (key.startsWith('character ') && isPart(copy) ? [copy.id] : [])))
    const isOnCharacter = (copy: Row) => characters.has(copy.character_id ?? '')
    if (change === 'REMOVE') {
      this.#drop((copy, key) => key === keyOf(type, { id, campaign_id }) || isPart(copy) || isOnCharacter(copy))
      if (type === 'user') this.#drop((copy, key) => key.startsWith('member ') && copy.user_id === id)
      return
    }
    if (row) this.copies.set(keyOf(type, row), row)
    if (change === 'UPSERT') return
    if (type === 'company') this.copies = await this.#lists.all()
    else if (type === 'campaign') {
      this.#drop((copy) => isPart(copy) || isOnCharacter(copy))
      await this.#lists.campaign(this.copies, id)
    } else if (type === 'character' && row) {
      // Experience of a user may be shown or hidden with any of their characters.
      this.#drop((copy, key) => isPart(copy) || (key.startsWith('experience ') && copy.campaign_id === row.campaign_id))
      await this.#lists.character(this.copies, row)
    } else if (type === 'book' && row) {
      for (const chapter of await this.#chapters(row)) this.copies.set(keyOf('chapter', chapter), chapter)
      await this.#notes(row)
    } else if (type === 'chapter' && row) await this.#notes(row)
  }

  async #chapters({ id, campaign_id }: Row): Promise<Row[]> {
    return (await this.person.get(`/campaigns/${campaign_id}/books/${id}/chapters?limit=100`)).body.items as unknown as Row[]
  }

  async #notes({ campaign_id }: Row): Promise<void> {
    const { body } = await this.person.get(`/campaigns/${campaign_id}/notes?scope=all&limit=100`)
    for (const note of body.items as unknown as Row[]) this.copies.set(keyOf('note', note), note)
  }

  /** Compares the copies with the lists. */
  async compare(message: string): Promise<void> {
    const listed = await this.#lists.all()
    const plain = (copies: Copies) =>
      Object.fromEntries(
        [...copies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, row]) => [key, compared(key.split(' ')[0] as string, row)]),
      )
    assert.deepEqual(plain(this.copies), plain(listed), message)
  }
}

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
    async (p) => keep('campaigns', await p.post('/campaigns', { name: 'Another story', access: pick(['EVERYONE', 'MEMBERS']) })),
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
    (p) => p.patch(campaign(), { name: pick(['Kingsport', 'Arkham']), access: pick(['EVERYONE', 'MEMBERS']) }),
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

import assert from 'node:assert/strict'
import { applyChange, copyKey } from '../../client/src/copies.ts'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import { Follower } from './follower.ts'
import type { newGameTable, Person } from './game-table.ts'
import { type Answer, call } from './harness.ts'

export type Row = Record<string, unknown> & {
  id: string
  campaign_id?: string | null
  character_id?: string | null
  book_id?: string | null
  version?: number
  date_created?: string
}
/** A game table, and a developer who is granted something now and then. */
export type Table = Awaited<ReturnType<typeof newGameTable>> & { guest: string }
/** The kinds of resources that were told to anybody. */
export const toldKinds = new Set<string>()
/** Kinds that are in no list that a copy is compared with. What is told of them is compared with their path. */
const UNLISTED = ['company', 'grant', 'webhook', 'dice_seed', 'secret_metadata']
/** Copies of resources by their type, campaign and id. */
type Copies = Map<string, Row>

/** Fields that follow from other resources: the counts of a campaign, the place of a book, the name and effective role of a member. */
const DERIVED = ['truncated', 'counts', 'number', 'reversed_by', 'snippet']
const DERIVED_OF_KIND: Record<string, string[]> = {
  member: ['name', 'role', 'version', 'date_modified'],
  // Those of its version, in lists.
  ruleset: ['game', 'license'],
  // Whether a campaign has ever chosen it, which the reader may not see.
  ruleset_version: ['used'],
  // Whoever accepts an invite is told of as a member.
  invite: ['uses', 'version', 'date_modified'],
}
function compared(type: string, row: Row): Row {
  const derived = [...DERIVED, ...(DERIVED_OF_KIND[type] ?? [])]
  return Object.fromEntries(Object.entries(row).filter(([name]) => !derived.includes(name))) as Row
}

/** Reads lists as one person, into copies. */
class Lists {
  readonly #person: Person
  readonly #table: Table
  #answers: Map<string, Answer> | undefined
  constructor(person: Person, table: Table) {
    this.#person = person
    this.#table = table
  }

  /** Reads each path once while this runs, because nothing is written: every resource of a campaign may tell to read the campaign again. */
  async readingOnce(run: () => Promise<void>): Promise<void> {
    this.#answers = new Map()
    await run()
    this.#answers = undefined
  }

  async get(path: string): Promise<Answer> {
    const headers = path.includes(`/users/${this.#person.id}/`) ? {} : { 'on-behalf-of': this.#person.id }
    const answer = this.#answers?.get(path) ?? (await call('GET', path, { key: this.#table.key, headers }))
    this.#answers?.set(path, answer)
    return answer
  }

  async #rows(path: string): Promise<Row[]> {
    const own = `${this.#table.base}/users/${this.#person.id}${path}`
    const { status, body } = await this.get(`${own}${path.includes('?') ? '&' : '?'}limit=100`)
    assert.ok([200, 403, 404].includes(status), `${path}: ${status}`)
    return status === 200 ? (body.items as unknown as Row[]) : []
  }

  async add(copies: Copies, type: string, path: string): Promise<Row[]> {
    const rows = await this.#rows(path)
    for (const row of rows) copies.set(copyKey(type, row), row)
    return rows
  }

  async #sheet(copies: Copies, character: string): Promise<void> {
    for (const [type, segment] of [
      ['item', 'inventory'],
      ['tracker', 'trackers'],
      ['quick_roll', 'quick-rolls'],
    ] as const)
      await this.add(copies, type, `${character}/${segment}`)
  }

  async campaign(copies: Copies, id: string): Promise<void> {
    const path = `/campaigns/${id}`
    await this.add(copies, 'member', `${path}/members`)
    for (const book of await this.add(copies, 'book', `${path}/books`))
      await this.add(copies, 'chapter', `${path}/books/${book.id}/chapters`)
    await this.add(copies, 'note', `${path}/notes?scope=all`)
    await this.add(copies, 'tracker', `${path}/trackers`)
    await this.add(copies, 'quick_roll', `${path}/quick-rolls`)
    await this.rollsAndExperience(copies, id)
    await this.add(copies, 'invite', `${path}/invites`)
    for (const character of await this.add(copies, 'character', `${path}/characters`))
      await this.#sheet(copies, `${path}/characters/${character.id}`)
  }

  async rollsAndExperience(copies: Copies, campaign_id: string): Promise<void> {
    await this.add(copies, 'experience', `/campaigns/${campaign_id}/experience/entries`)
    await this.add(copies, 'dice_roll', `/dice-rolls?campaign_id=${campaign_id}`)
  }

  /** Reads the parts of a character, as an application does that is told to read it again. */
  async character(copies: Copies, { id, campaign_id }: Row): Promise<void> {
    const path = `/campaigns/${campaign_id}`
    await this.#sheet(copies, `${path}/characters/${id}`)
    for (const note of await this.#rows(`${path}/characters/${id}/notes`)) copies.set(copyKey('note', note), note)
    await this.add(copies, 'dice_roll', `/dice-rolls?character_id=${id}`)
    await this.add(copies, 'experience', `${path}/experience/entries`)
  }

  /** Reads a list of the company, which is the same for every person. */
  async #company(copies: Copies, type: string, path: string): Promise<Row[]> {
    const { body } = await this.get(`${this.#table.base}/${path}?limit=100`)
    const rows = (body.items ?? []) as unknown as Row[]
    for (const row of rows) copies.set(copyKey(type, row), row)
    return rows
  }

  versions(copies: Copies, ruleset_id: string): Promise<Row[]> {
    return this.#company(copies, 'ruleset_version', `rulesets/${ruleset_id}/versions`)
  }

  async all(): Promise<Copies> {
    const copies: Copies = new Map()
    for (const [type, segment] of [
      ['user', 'users'],
      ['term', 'terms'],
      ['ruleset', 'rulesets'],
    ] as const) {
      const rows = await this.#company(copies, type, segment)
      if (type === 'ruleset') for (const { id } of rows) await this.versions(copies, id)
    }
    await this.add(copies, 'note', '/notes')
    await this.add(copies, 'quick_roll', '/quick-rolls')
    await this.add(copies, 'dice_roll', '/dice-rolls')
    for (const { id } of await this.add(copies, 'campaign', '/campaigns')) await this.campaign(copies, id)
    return copies
  }
}

/** Returns the changes since the last time. */
interface Source {
  read(): Promise<FeedItem[]>
}

/** Keeps copies of everything that a person sees: reads the lists once, and then follows the feed. */
export class Mirror {
  readonly person: Person
  readonly #lists: Lists
  copies: Copies = new Map()
  #source: Source | undefined

  constructor(person: Person, table: Table) {
    this.person = person
    this.#lists = new Lists(person, table)
  }

  /** Lists everything, after the source of the changes was opened. */
  async start(source?: Source): Promise<void> {
    this.#source = source ?? (await Follower.start(this.person, '&limit=7'))
    await this.list()
  }

  /** Replaces the copies with everything that the lists show. */
  async list(): Promise<void> {
    this.copies = await this.#lists.all()
  }

  async follow(): Promise<void> {
    const items = (await this.#source?.read()) ?? []
    await this.#lists.readingOnce(async () => {
      for (const item of items) {
        await this.#check(item)
        await this.apply(item)
      }
    })
  }

  /** Everything that is told to somebody is what its path shows them. */
  async #check({ type, data }: FeedItem): Promise<void> {
    if (data.path === null) return
    toldKinds.add(data.resource_type)
    const { status, body } = await this.#lists.get(data.path)
    assert.equal(status, 200, `${type} ${data.path}`)
    assert.deepEqual(data.resource, body, type)
  }

  #drop(isDropped: (row: Row, key: string) => boolean): void {
    for (const [key, row] of this.copies) if (isDropped(row, key)) this.copies.delete(key)
  }

  /** Does to the copies what a change says, and reads what it says to read again. */
  async apply(item: FeedItem): Promise<void> {
    const { change, resource_type: type, id, resource } = item.data
    const row = resource as Row | null
    if (change === 'RESYNC' && type === 'company') return this.list()
    if (UNLISTED.includes(type)) return
    const before = [...this.copies]
    applyChange(this.copies, item)
    const removed = before.filter(([key]) => !this.copies.has(key)).map(([, copy]) => copy.campaign_id)
    if (change === 'REMOVE') {
      // The rolls and the experience of an archived character stay in their lists, and those of a hidden one do not.
      if (type === 'character') await this.#rollsAndExperience(new Set([item.campaign_id, ...removed]))
      return
    }
    if (change === 'UPSERT') return
    if (type === 'ruleset') await this.#lists.versions(this.copies, id)
    else if (type === 'campaign') await this.#lists.campaign(this.copies, id)
    else if (type === 'character' && row) {
      // Experience of a user may be shown or hidden with any of their characters.
      this.#drop((copy, key) => key.startsWith('experience ') && copy.campaign_id === row.campaign_id)
      await this.#lists.character(this.copies, row)
    } else if (type === 'book' && row) {
      await this.#lists.add(this.copies, 'chapter', `/campaigns/${row.campaign_id}/books/${id}/chapters`)
      await this.#notes(row)
    } else if (type === 'chapter' && row) await this.#notes(row)
  }

  async #rollsAndExperience(campaigns: Set<string | null | undefined>): Promise<void> {
    for (const id of campaigns) {
      if (!id) continue
      this.#drop((copy, key) => key.startsWith('experience ') && copy.campaign_id === id)
      await this.#lists.rollsAndExperience(this.copies, id)
    }
  }

  async #notes({ campaign_id }: Row): Promise<void> {
    await this.#lists.add(this.copies, 'note', `/campaigns/${campaign_id}/notes?scope=all`)
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

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from '../src/db/sql.ts'
import { purgeCampaigns } from '../src/upkeep/purge.ts'
import type { Person } from './game-table.ts'
import { type Answer, call, db, write } from './harness.ts'
import type { Table } from './mirror.ts'
import { randomOf } from './random.ts'
import { ruledSteps } from './ruled-steps.ts'

const NOTE_VISIBILITIES = ['EVERYONE', 'STORYTELLER', 'AUTHOR']
const ROLL_VISIBILITIES = ['PUBLIC', 'STORYTELLER', 'BLIND']

/** The steps that have succeeded in any walk, by name. */
export const succeeded = new Map<string, number>()

/**
 * Prepares a walk, whose steps do something random, as a random person, or as an admin if that person may not. Every step comes once before any comes again, in
 * another order each time.
 */
export function stepsIn(table: Table, people: Person[], seed: number) {
  const { pick } = randomOf(seed)
  const { base, key, admin } = table
  /** The paths of what was made, below the path of a user. */
  const made: Record<string, string[]> = { campaigns: [table.C] }
  const keep = async (kind: string, all: string, sent: Promise<Answer>) => {
    const answer = await sent
    made[kind] ??= []
    for (const { id } of answer.status === 201 ? (answer.body.items ?? [answer.body]) : []) made[kind].push(`${all}/${id}`)
    return answer
  }
  /** One of the latest, which is there still, more likely than not. Most happens in the first campaign, which is never purged. */
  const one = (kind: string) => {
    const all = made[kind] ?? []
    return pick(kind === 'campaigns' ? [table.C, table.C, table.C, ...all.slice(-2)] : all.slice(-3)) ?? `/${kind}/${table.company_id}`
  }
  const another = () => pick((made.campaigns as string[]).slice(-3))
  const make = (kind: string, person: Person, all: string, body: unknown) => keep(kind, all, person.post(all, body))
  const asCompany = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    call(method, `${base}${path}`, { key, ...(body !== undefined && { body }) })
  const entriesOf = async (person: Person, path: string) => (await person.get(`${path}/experience/entries?limit=100`)).body.items ?? []
  let readAt = new Date(0)
  let count = 0
  const unique = (text: string) => `${text} ${++count}`
  const codes: string[] = []

  const steps: Record<string, (person: Person) => Promise<Answer | { status: number; text?: string }>> = {
    'make a campaign': (p) => make('campaigns', p, '/campaigns', { name: 'Another story', access: pick(['COMPANY', 'MEMBERS']) }),
    'change a campaign': (p) => p.patch(one('campaigns'), { name: pick(['Kingsport', 'Arkham']), access: pick(['COMPANY', 'MEMBERS']) }),
    'describe a campaign': (p) => p.patch(one('campaigns'), { description: unique('Words') }),
    'change whose experience it is': (p) => p.patch(one('campaigns'), { experience_per: pick(['USER', 'CHARACTER']) }),
    'adjust a campaign': (p) => p.post(`${one('campaigns')}/adjust`, { danger: pick([1, -1]) }),
    'transfer a campaign': (p) => p.put(`${one('campaigns')}/owner`, { user_id: pick(people).id }),
    'archive a campaign': (p) => p.delete(another()),
    'restore a campaign': async (p) => {
      const answers: Answer[] = []
      for (const path of made.campaigns as string[]) answers.push(await p.post(`${path}/restore`))
      return answers.find(({ status }) => status === 200) ?? (answers[0] as Answer)
    },
    // Not before the readers were told that it is archived: thirty days have passed.
    'purge a campaign': async () => {
      const old = await write(sql`
        UPDATE campaigns SET date_archived = '2020-01-01' WHERE company_id = ${table.company_id} AND id = (
          SELECT id FROM campaigns WHERE company_id = ${table.company_id} AND id <> ${table.campaign_id} AND date_archived <= ${readAt} LIMIT 1
        ) RETURNING id`)
      await purgeCampaigns(db, new Date('2021-01-01'))
      for (const { id } of old) made.campaigns = made.campaigns?.filter((path) => path !== `/campaigns/${id}`) ?? []
      return { status: old.length > 0 ? 200 : 404 }
    },
    join: (p) => p.post(`${one('campaigns')}/join`),
    leave: (p) => p.post(`${one('campaigns')}/leave`),
    'set a member': (p) => p.put(`${one('campaigns')}/members/${pick(people).id}`, { role: pick(['PLAYER', 'STORYTELLER']) }),
    'remove a member': (p) => p.delete(`${one('campaigns')}/members/${pick(people).id}`),
    'make an invite': async (p) => {
      const answer = await make('invites', p, `${one('campaigns')}/invites`, { role: pick(['PLAYER', 'STORYTELLER']) })
      if (answer.status === 201) codes.push(String(answer.body.code))
      return answer
    },
    'accept an invite': (p) => p.post('/invites/accept', { code: pick(codes) ?? 'gli_none' }),
    'revoke an invite': (p) => p.delete(one('invites')),
    'make a hero': (p) => make('characters', p, `${one('campaigns')}/characters`, { name: 'Hero', traits: { wits: 2 } }),
    'make an NPC': (p) => {
      const npc = { name: 'Ghoul', type: 'NPC', visibility: pick(['OPEN', 'STORYTELLER']), traits: { wits: 3 } }
      return make('characters', p, `${one('campaigns')}/characters`, npc)
    },
    'rename a character': (p) => p.patch(one('characters'), { name: pick(['Crane', 'Ash', 'Mother']), biography: unique('Long ago') }),
    'hide or show a character': (p) => p.patch(one('characters'), { visibility: pick(['OPEN', 'STORYTELLER']) }),
    'hide or show a sheet': (p) => p.patch(one('characters'), { sheet_visibility: pick(['EVERYONE', 'PLAYER', 'STORYTELLER']) }),
    'give a character away': (p) => p.patch(one('characters'), { user_id: pick(people).id }),
    'adjust a character': (p) => p.post(`${one('characters')}/adjust`, { traits: { wits: 1 }, reason: 'Learned' }),
    'archive a character': (p) => p.delete(one('characters')),
    'restore a character': (p) => p.post(`${one('characters')}/restore`),
    'write a secret down': (p) =>
      p.patch(`${one(pick(['campaigns', 'characters']))}/secret-metadata`, { metadata: { plot: unique('The baker') } }),
    'make an item': (p) => make('items', p, `${one('characters')}/inventory`, { name: 'Lantern' }),
    'change an item': (p) => p.patch(one('items'), { description: unique('Dented') }),
    'adjust an item': (p) => p.post(`${one('items')}/adjust`, { quantity: 1 }),
    'archive an item': (p) => p.delete(one('items')),
    'restore an item': (p) => p.post(`${one('items')}/restore`),
    'put a tracker on a character': (p) => p.put(`${one('characters')}/trackers/hp`, { value: pick([1, 5]), maximum: 10 }),
    'put a tracker on a campaign': async (p) => {
      const path = `${one('campaigns')}/trackers/doom`
      const tracker = { value: pick([1, 5]), maximum: 10, visibility: pick(['OPEN', 'NAME_ONLY', 'STORYTELLER']) }
      const answer = await p.put(path, tracker)
      if (answer.status === 201) made.trackers = [...(made.trackers ?? []), path]
      return answer
    },
    'move a tracker': (p) => p.post(`${one('campaigns')}/trackers/doom/adjust`, { by: 1, clamp: true }),
    'reset trackers': (p) => p.post(`${one('campaigns')}/trackers/reset`),
    'change a tracker': (p) => p.patch(`${one('campaigns')}/trackers/doom`, { label: unique('Doom') }),
    'delete a tracker': (p) => p.delete(one('trackers')),
    'note on a campaign': (p) => make('notes', p, `${one('campaigns')}/notes`, { title: 'Clue', visibility: pick(NOTE_VISIBILITIES) }),
    'note on a character': (p) => make('notes', p, `${one('characters')}/notes`, { title: 'On them', visibility: pick(NOTE_VISIBILITIES) }),
    'note on a book': (p) => make('notes', p, `${one('books')}/notes`, { title: 'On it', visibility: pick(NOTE_VISIBILITIES) }),
    'note on a chapter': (p) => make('notes', p, `${one('chapters')}/notes`, { title: 'On it', visibility: pick(NOTE_VISIBILITIES) }),
    'note in a notebook': (p) => p.post('/notes', { title: unique('Mine') }),
    'change a note': (p) => p.patch(one('notes'), { visibility: pick(NOTE_VISIBILITIES), body: unique('Words') }),
    'archive a note': (p) => p.delete(one('notes')),
    'restore a note': (p) => p.post(`${one('notes')}/restore`),
    'make a book': (p) => make('books', p, `${one('campaigns')}/books`, { name: 'One' }),
    'change a book': (p) => p.patch(one('books'), { name: unique('Two') }),
    'archive a book': (p) => p.delete(one('books')),
    'restore a book': (p) => p.post(`${one('books')}/restore`),
    'make a chapter': (p) => make('chapters', p, `${one('books')}/chapters`, { name: 'First' }),
    'change a chapter': (p) => p.patch(one('chapters'), { name: unique('Second') }),
    'archive a chapter': (p) => p.delete(one('chapters')),
    'restore a chapter': (p) => p.post(`${one('chapters')}/restore`),
    'roll in a campaign': (p) => {
      const campaign_id = one('campaigns').slice('/campaigns/'.length)
      return make('rolls', p, '/dice-rolls', { notation: '1d20', campaign_id, visibility: pick(ROLL_VISIBILITIES) })
    },
    'roll for a character': (p) => {
      const character_id = one('characters').slice(one('characters').lastIndexOf('/') + 1)
      return make('rolls', p, '/dice-rolls', {
        notation: '1d20+{wits}',
        missing: 'ZERO',
        character_id,
        visibility: pick(ROLL_VISIBILITIES),
      })
    },
    'void a roll': (p) => p.post(`${one('rolls')}/void`, { reason: 'Cocked' }),
    'own quick roll': (p) => make('quick', p, '/quick-rolls', { name: unique('Quick'), notation: '1d6' }),
    'quick roll of a campaign': (p) => make('quick', p, `${one('campaigns')}/quick-rolls`, { name: unique('Quick'), notation: '1d6' }),
    'quick roll of a character': (p) => make('quick', p, `${one('characters')}/quick-rolls`, { name: unique('Quick'), notation: '1d6' }),
    'change a quick roll': (p) => p.patch(one('quick'), { target: pick([2, 3, 4, 5]) }),
    'archive a quick roll': (p) => p.delete(one('quick')),
    'restore a quick roll': (p) => p.post(`${one('quick')}/restore`),
    'rotate the own seed': (p) => p.post('/dice-seed/rotate'),
    'rotate the seed of a campaign': (p) => p.post(`${one('campaigns')}/dice-seed/rotate`),
    'rotate the secret seed of a campaign': (p) => p.post(`${one('campaigns')}/secret-dice-seed/rotate`),
    award: (p) => p.post(`${table.C}/experience/awards`, { amount: 9, user_ids: people.map(({ id }) => id), reason: 'Play' }),
    spend: (p) => p.post(`${table.C}/experience/spends`, { amount: 1, reason: 'Spent' }),
    'take an award back': async (p) => {
      const path = table.C
      const entry = pick((await entriesOf(p, path)).filter(({ kind }) => kind === 'AWARD'))
      return entry ? p.post(`${path}/experience/entries/${entry.id}/reverse`, { reason: 'By mistake' }) : { status: 404 }
    },
    'change a role': () =>
      asCompany('PATCH', `/users/${pick(people.filter((person) => person !== admin)).id}`, {
        role: pick(['PLAYER', 'STORYTELLER', 'PLAYER', 'STORYTELLER', 'ADMIN']),
      }),
    'change a user': () =>
      asCompany('PATCH', `/users/${pick(people).id}`, { name: pick(['Mina', 'Lucy']), email: unique('a@x.example').replace(' ', '') }),
    'change the company': () => asCompany('PATCH', '', { name: unique('Company') }),
    'make a term': () => keep('terms', '/terms', asCompany('POST', '/terms', { term: unique('Term'), definition: 'A word' })),
    'change a term': () => asCompany('PATCH', one('terms'), { definition: unique('Words'), synonyms: [unique('Word')] }),
    'archive a term': () => asCompany('DELETE', one('terms')),
    'restore a term': () => asCompany('POST', `${one('terms')}/restore`),
    'make a ruleset': () => keep('rulesets', '/rulesets', asCompany('POST', '/rulesets', { name: unique('Game'), pack: 'action-dice' })),
    'rename a ruleset': () => asCompany('PATCH', one('rulesets'), { name: unique('Game') }),
    'start a version': () => {
      const all = `${one('rulesets')}/versions`
      return keep('drafts', all, asCompany('POST', all, { document: {} }))
    },
    'delete a draft': () => asCompany('DELETE', one('drafts')),
    'retire a version': async () => {
      const all = `${one('rulesets')}/versions`
      const { body } = await call('GET', `${base}${all}?status=PUBLISHED`, { key })
      return asCompany('POST', `${all}/${body.items?.[0]?.id}/retire`)
    },
    'archive a ruleset': () => asCompany('DELETE', one('rulesets')),
    'restore a ruleset': () => asCompany('POST', `${one('rulesets')}/restore`),
    ...ruledSteps(table, pick, (p, all, body) => make('characters', p, all, body)),
    'make a webhook': () => asCompany('POST', '/webhooks', { name: `Bot ${randomUUID()}`, url: 'https://bot.example/' }),
    'grant something': () => asCompany('PUT', `/developers/${table.guest}`, { permission: pick(['USER', 'ADMIN']) }),
    'remove a grant': () => asCompany('DELETE', `/developers/${table.guest}`),
  }
  // Other steps need something to act on, so the steps that create it come up more often, and those that have not succeeded in any walk.
  const names = Object.keys(steps).flatMap((name) => (/^(make|note on|award|put)/.test(name) ? [name, name, name] : [name]))
  let deck: string[] = []
  const step = async () => {
    if (deck.length === 0) {
      const missing = Object.keys(steps).filter((name) => !succeeded.get(name))
      deck = [...names, ...missing, ...missing, ...missing]
    }
    const [name = ''] = deck.splice(deck.indexOf(pick(deck)), 1)
    const act = steps[name] ?? assert.fail(name)
    let answer = await act(pick(people))
    if (answer.status === 403 || answer.status === 404) answer = await act(admin)
    assert.ok(answer.status < 500, answer.text)
    succeeded.set(name, (succeeded.get(name) ?? 0) + (answer.status < 300 ? 1 : 0))
  }
  /** Says that everybody has read everything. */
  const hasRead = () => {
    readAt = db.now()
  }
  return { step, hasRead }
}

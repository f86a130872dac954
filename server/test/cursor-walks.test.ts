import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TObject } from '@guildhall/rules/type'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { issueKey } from '../src/resources/keys/queries.ts'
import { newGameTable, twoApps } from './game-table.ts'
import { type Answer, assertProblem, type Body, call, db, newApp, newDeveloper, write } from './harness.ts'
import { plans } from './plans.ts'
import { newDelivery } from './scene.ts'
import { until } from './until.ts'

// The pages of a list by cursor have every item once, and in the order of the list, however the list changes in between.

type Get = (query: string) => Promise<Answer>

/** The items of all pages by cursor. `between` runs between two pages. */
async function walk(get: Get, query = '', between?: () => Promise<unknown>): Promise<Body[]> {
  const items: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text, body } = await get(`${query}${cursor && `&after=${cursor}`}`)
    assert.equal(status, 200, text)
    assert.equal(body.offset, 0)
    items.push(...body.items)
    cursor = body.next_cursor
    if (cursor !== null) await between?.()
    assert.ok(items.length < 2000, 'the walk does not end')
  }
  return items
}

/** The items of all pages by offset, of a list that nobody changes. */
async function allByOffset(get: Get, query: string): Promise<Body[]> {
  const items: Body[] = []
  await until(async () => {
    const { body } = await get(`${query}&offset=${items.length}`)
    items.push(...body.items)
    return items.length >= body.total
  }, 'the last page')
  return items
}

const idsOf = (items: Body[]) => items.map(({ id }) => id)
const namesOf = (items: Body[]) => items.map(({ name }) => name)

const COUNT = 5
const times = <T>(make: (i: number) => Promise<T>): Promise<T[]> =>
  Array.from({ length: COUNT }).reduce<Promise<T[]>>(async (made, _, i) => [...(await made), await make(i)], Promise.resolve([]))

/** A company in which every list has several items, with equal names among them. Returns the ids of the paths. */
async function newFullCompany() {
  const table = await newGameTable()
  const { company_id, base, key, developer, person, teller, C, campaign_id } = table
  const name = (i: number) => `Name ${i % 3}`
  const people = await times((i) => person('PLAYER', name(i)))
  const campaigns = await times((i) => teller.make('/campaigns', { name: name(i) }))
  const character_id = await teller.make(`${C}/characters`, { name: 'Hero', user_id: teller.id })
  await times((i) => teller.make(`${C}/characters`, { name: name(i), user_id: teller.id }))
  const H = `${C}/characters/${character_id}`
  const [book_id] = (await times((i) => teller.make(`${C}/books`, { name: name(i) }))) as [string]
  const B = `${C}/books/${book_id}`
  const [chapter_id] = (await times((i) => teller.make(`${B}/chapters`, { name: name(i) }))) as [string]
  for (const parent of ['', C, H, B, `${B}/chapters/${chapter_id}`]) await times((i) => teller.make(`${parent}/notes`, { title: name(i) }))
  await times((i) => teller.make(`${H}/inventory`, { name: name(i) }))
  await times((i) => teller.patch(H, { concept: name(i) }))
  for (const owner of ['', C, H]) await times((i) => teller.make(`${owner}/quick-rolls`, { name: `Quick ${i}`, notation: '1d6' }))
  for (const owner of [C, H]) await times((i) => teller.put(`${owner}/trackers/tracker_${i}`, { value: 1 }))
  await times(() => teller.make('/dice-rolls', { notation: '1d6', campaign_id }))
  await times(() => teller.make(`${C}/invites`, {}))
  for (const kind of ['tokens', 'sign-in-links']) await times(() => teller.make(`/${kind}`, {}))
  for (const { id } of people) await teller.put(`${C}/members/${id}`, { role: 'PLAYER' })
  await teller.post(`${C}/experience/awards`, { amount: 3, reason: 'All', user_ids: people.map(({ id }) => id) })
  for (const id of campaigns) await teller.post(`/campaigns/${id}/experience/awards`, { amount: 3, reason: 'x', user_ids: [teller.id] })
  await times(() => developer('ADMIN'))
  await times((i) => call('POST', '/api/v1/companies', { key, body: { name: name(i) } }))
  await times(() => db.transaction((tx) => issueKey(tx, table.owner.id)))
  const [webhook_id] = (await times(async (i) => {
    const body = { name: `Webhook ${i}`, url: 'https://bot.example/' }
    return (await call('POST', `${base}/webhooks`, { key, body })).body.id
  })) as [string]
  await times((i) => call('POST', `${base}/terms`, { key, body: { term: `Term ${i}`, definition: name(i) } }))
  const rulesets = `${base}/rulesets`
  const [ruleset_id] = (await times(async (i) => {
    const body = { name: `Ruleset ${i}`, pack: 'action-dice' }
    return (await call('POST', rulesets, { key, body })).body.id
  })) as [string]
  const versions = `${rulesets}/${ruleset_id}/versions`
  const [{ id: version_id } = { id: '' }] = (await call('GET', versions, { key })).body.items
  const document = (await call('GET', `${versions}/${version_id}/document`, { key })).body
  await times(async () => {
    const draft = (await call('POST', versions, { key, body: { document } })).body.id
    await call('POST', `${versions}/${draft}/publish`, { key })
  })
  await teller.put(`${C}/ruleset`, { version_id, accept_faults: true })
  await times(() => teller.make(`${C}/creations`, {}))
  await times(() => newDelivery(company_id, webhook_id))
  const operator = await newDeveloper(true)
  const params: Record<string, string> = {
    company_id,
    user_id: teller.id,
    campaign_id,
    character_id,
    book_id,
    chapter_id,
    webhook_id,
    ruleset_id,
  }
  const pathOf = ({ fill }: Plan) => `/api/v1${fill((param) => (param === 'developer_id' ? table.owner.id : (params[param] as string)))}`
  const keyFor = ({ needs }: Plan) => (needs.key === 'GLOBAL_ADMIN' ? operator.key : key)
  return { ...table, base, pathOf, keyFor }
}

const lists = plans.filter(({ hasCursors }) => hasCursors)
const sortsOf = ({ query }: Plan): string[] =>
  ((query as TObject).properties.sort as { enum?: string[] } | undefined)?.enum?.map((sort) => `&sort=${sort}`) ?? []

/** The last use of a key or token is written some seconds after it, at any moment of the test. */
const textOf = (item: object) => JSON.stringify({ ...item, date_last_used: null })

test('every list has the same items by cursor as by offset, in every order and with any limit', async () => {
  const { pathOf, keyFor } = await newFullCompany()
  const few: string[] = []
  for (const plan of lists) {
    const get: Get = (query) => call('GET', `${pathOf(plan)}?${query}`, { key: keyFor(plan) })
    for (const sort of ['', ...sortsOf(plan)]) {
      const items = await allByOffset(get, `limit=100${sort}`)
      if (items.length < COUNT) few.push(`${plan.id} ${items.length}`)
      const texts = items.map(textOf)
      for (const limit of items.length > 20 ? [17, 64] : [1, 2]) {
        const walked = await walk(get, `limit=${limit}${sort}`)
        assert.deepEqual(walked.map(textOf), texts, `${plan.id} by ${limit}${sort}`)
      }
      const middle = (await get(`limit=2&offset=1${sort}`)).body
      const next = (await get(`limit=100${sort}&after=${middle.next_cursor}`)).body
      assert.deepEqual(next.items, items.slice(3, 103), `${plan.id}: a cursor continues a page by offset`)
      assert.deepEqual([next.total, next.offset], [items.length, 0], `${plan.id}: the total counts all pages`)
    }
  }
  assert.deepEqual(few, [])
})

test('the order of ties, and exact times, survive the cursor', async () => {
  const { base, key, company_id } = await newGameTable()
  const times = ['.123', '.123001', '.123002', '.123999', '.124'].map((fraction) => `2026-01-01T00:00:00${fraction}Z`)
  const names = ['ä', 'z', 'Ä', 'a', 'ß', 'ss', 'é', '日本', 'a b', 'A_b', '%', "'", '"', '\\', '🎲']
  for (let i = 0; i < 60; i++) {
    const name = names[i % names.length] as string
    const time = times[(i * 7) % times.length]
    await write(sql`INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
      VALUES (${company_id}, gen_random_uuid(), ${name}, ${name}, 'PLAYER', ${time}::timestamptz, ${time}::timestamptz)`)
  }
  await write(sql`INSERT INTO counters (company_id, collection, shard, count) VALUES (${company_id}, 'users', 0, 60)
    ON CONFLICT (company_id, collection, shard) DO UPDATE SET count = counters.count + 60`)
  const get: Get = (query) => call('GET', `${base}/users?${query}`, { key })
  const filters = ['', '&role=PLAYER', '&modified_since=2026-01-01T00:00:00.123Z', '&q=a']
  for (const filter of filters)
    for (const field of ['name', 'date_created', 'date_modified'])
      for (const sort of [field, `-${field}`]) {
        const whole = idsOf((await get(`limit=100&sort=${sort}${filter}`)).body.items)
        for (const limit of filter ? [13] : [3, 64, 65]) {
          assert.deepEqual(idsOf(await walk(get, `limit=${limit}&sort=${sort}${filter}`)), whole, `${sort} by ${limit} ${filter}`)
        }
      }
})

/** Walks a list while several clients insert, rename, archive and restore other items, on both processes. Returns the ids of the items that stayed as they were. */
async function walkWhileOthersWrite(sort: string) {
  const { base, key, user } = await newGameTable()
  const stable = new Set<string>()
  const moving: string[] = []
  for (let i = 0; i < 40; i++) {
    stable.add(await user('PLAYER', `Same ${i % 4}`))
    moving.push(await user('PLAYER', `Same ${i % 4}`))
  }
  let isWalking = true
  let writes = 0
  const writer = async (number: number) => {
    const on = twoApps[number % 2] as (typeof twoApps)[0]
    for (let i = number; isWalking; i += 4) {
      const path = `${base}/users/${moving[i % moving.length]}`
      const answers = [
        await call('POST', `${base}/users`, { key, on, body: { name: `Same ${i % 4}`, role: 'PLAYER' } }),
        await call('PATCH', path, { key, on, body: { name: i % 2 ? `Aaa ${i}` : `Zzz ${i}` } }),
        await call('DELETE', path, { key, on }),
        await call('POST', `${path}/restore`, { key, on }),
      ]
      for (const { status, text } of answers) assert.ok(status < 500, text)
      writes += answers.length
    }
  }
  const writers = [0, 1, 2, 3].map(writer)
  let page = 0
  const get: Get = (query) => call('GET', `${base}/users?${query}`, { key, on: twoApps[page++ % 2] as (typeof twoApps)[0] })
  // Enough writes happen between two pages to shift the offset of every later item.
  const between = async () => {
    const enough = writes + 8
    await until(() => writes >= enough, 'writes')
  }
  try {
    return { walked: idsOf(await walk(get, `limit=6${sort}`, between)), stable }
  } finally {
    isWalking = false
    await Promise.all(writers)
  }
}

for (const sort of ['-date_created', 'date_created', 'name', '-name', '-date_modified'])
  test(`a walk in the order ${sort} has each unchanged item exactly once while others write on two processes`, async () => {
    const { walked, stable } = await walkWhileOthersWrite(`&sort=${sort}`)
    const found = walked.filter((id) => stable.has(id))
    assert.equal(found.length, stable.size, 'repeated or skipped')
    assert.deepEqual(new Set(found), stable)
  })

test('newest first, rolls made during the walk shift nothing', async () => {
  const { player, campaign_id, base, key } = await newGameTable()
  const roll = () => player.make('/dice-rolls', { notation: '1d6', campaign_id })
  const before: string[] = []
  for (let i = 0; i < 9; i++) before.unshift(await roll())
  for (const path of [`${base}/dice-rolls`, `${base}/users/${player.id}/dice-rolls`]) {
    const get: Get = (query) => call('GET', `${path}?${query}`, { key })
    const known = idsOf((await get('limit=100&sort=-date_created')).body.items)
    assert.deepEqual(idsOf(await walk(get, 'limit=2&sort=-date_created', roll)), known)
  }
  assert.equal(before.length, 9)
})

test('a cursor outlives the item it was made from: archived, renamed, purged or deleted', async () => {
  const { teller, C, company_id } = await newGameTable()
  const names = ['A', 'B', 'C', 'D', 'E']
  const ids: string[] = []
  for (const name of names) ids.push(await teller.make(`${C}/characters`, { name }))
  const get: Get = (query) => teller.get(`${C}/characters?${query}`)
  const cursors = await Promise.all(
    ['name', 'date_created'].map(async (sort) => [sort, (await get(`limit=2&sort=${sort}`)).body.next_cursor]),
  )
  const assertRest = async (rest: string[]) => {
    for (const [sort, cursor] of cursors) assert.deepEqual(namesOf((await get(`limit=100&sort=${sort}&after=${cursor}`)).body.items), rest)
  }
  await assertRest(['C', 'D', 'E'])
  await teller.delete(`${C}/characters/${ids[1]}`)
  await assertRest(['C', 'D', 'E'])
  await write(sql`DELETE FROM characters WHERE company_id = ${company_id} AND id = ${ids[1]}`)
  await assertRest(['C', 'D', 'E'])
  await teller.delete(`${C}/characters/${ids[3]}`)
  await assertRest(['C', 'E'])
})

test('chapters by number: moves, and rows that are spread again, neither repeat nor skip the others', async () => {
  const { teller, C } = await newGameTable()
  const B = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const ids: string[] = []
  for (let i = 0; i < 8; i++) ids.push(await teller.make(`${B}/chapters`, { name: `${i}` }))
  const get: Get = (query) => teller.get(`${B}/chapters?${query}`)
  const move = async (id: string | undefined, number: number) =>
    assert.equal((await teller.put(`${B}/chapters/${id}/number`, { number })).status, 200)
  const { next_cursor } = (await get('limit=4')).body
  const back = (await get('limit=3&sort=-number')).body.next_cursor
  const rest = async (query: string, cursor: string | null) => namesOf((await get(`limit=100&after=${cursor}${query}`)).body.items)
  assert.deepEqual(
    [await rest('', next_cursor), await rest('&sort=-number', back)],
    [
      ['4', '5', '6', '7'],
      ['4', '3', '2', '1', '0'],
    ],
  )
  await teller.delete(`${B}/chapters/${ids[0]}`)
  assert.deepEqual(await rest('', next_cursor), ['4', '5', '6', '7'], 'the numbers of all others changed')
  // Each move halves the distance between two positions, until all rows are spread.
  for (let i = 0; i < 40; i++) await move(ids[1 + (i % 2)], 2)
  assert.deepEqual(
    [await rest('', next_cursor), await rest('&sort=-number', back)],
    [
      ['4', '5', '6', '7'],
      ['4', '3', '2', '1'],
    ],
  )
})

test('archived chapters, which have no number, are walked, too', async () => {
  const { teller, C } = await newGameTable()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push(await teller.make(`${C}/books`, { name: `${i}` }))
  for (const id of ids) await teller.delete(`${C}/books/${id}`)
  const get: Get = (query) => teller.get(`${C}/books?archived=true&${query}`)
  assert.deepEqual(idsOf(await walk(get, 'limit=2')), ids)
  assert.deepEqual(idsOf(await walk(get, 'limit=2&sort=-number')), ids.toReversed())
})

test('a cursor is valid for its list, its parameters and its reader only, and on every process', async () => {
  const { base, key, developer, teller, player, C } = await newGameTable()
  for (const name of ['A', 'B', 'C']) await teller.make(`${C}/characters`, { name, type: 'NPC' })
  const other = await newGameTable()
  const elsewhere = await teller.make('/campaigns', { name: 'Elsewhere' })
  const first = await teller.get(`${C}/characters?limit=1&sort=name&type=NPC`)
  const cursor = first.body.next_cursor as string
  assert.match(cursor, /^[\w-]+$/)
  const same = '&sort=name&type=NPC'
  const refused = (answer: Answer, why: string) => {
    assertProblem(answer, 400)
    assert.deepEqual([answer.body.code, answer.body.invalid_parameters.map(({ field }) => field)], ['validation_failed', ['after']], why)
  }
  const ask = (query: string, text = cursor) => teller.get(`${C}/characters?after=${text}${query}`)
  assert.deepEqual(namesOf((await ask(`${same}&limit=1`)).body.items), ['B'])
  assert.deepEqual(namesOf((await ask(`&limit=2&type=NPC&sort=name`)).body.items), ['B', 'C'], 'the limit may change')
  for (const query of ['', '&sort=name', '&sort=-name&type=NPC', '&sort=name&type=PLAYER', `${same}&status=ACTIVE`, `${same}&q=b`])
    refused(await ask(query), query)
  refused(await ask(`${same}&offset=0`), 'with an offset')
  refused(await player.get(`${C}/characters?after=${cursor}${same}`), 'another reader')
  refused(await teller.get(`/campaigns/${elsewhere}/characters?after=${cursor}${same}`), 'another campaign')
  refused(await call('GET', `${base}/characters?after=${cursor}${same}`, { key }), 'another list')
  refused(await call('GET', `${other.base}/characters?after=${cursor}${same}`, { key: other.key }), 'another company')
  for (let i = 0; i < cursor.length; i += 7)
    refused(await ask(same, `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`), `changed at ${i}`)
  for (const text of ['x', cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, '%F0%9F%8E%B2', 'A'.repeat(4000), 'null'])
    refused(await ask(same, text), text)
  // With any key of the company, and on another process: the reader is the user.
  const { key: another } = await developer('USER')
  const path = `${base}/users/${teller.id}${C}/characters?after=${cursor}${same}`
  for (const on of [...twoApps, await newApp()])
    assert.deepEqual(namesOf((await call('GET', path, { key: another, on })).body.items), ['B', 'C'])
  // Without an acting user, the reader is the developer.
  const mine = (await call('GET', `${base}/users?limit=1`, { key })).body.next_cursor
  refused(await call('GET', `${base}/users?limit=1&after=${mine}`, { key: another }), 'another developer')
  assert.equal((await call('GET', `${base}/users?limit=1&after=${mine}`, { key })).status, 200)
})

test('a hidden or missing resource is 404, whatever the cursor', async () => {
  const { stranger, teller } = await newGameTable()
  const hidden = await teller.make('/campaigns', { name: 'Private', access: 'MEMBERS' })
  assertProblem(await stranger.get(`/campaigns/${hidden}/characters?after=nonsense`), 404)
})

test('the same page has the same cursor and ETag, and Link continues by cursor', async () => {
  const { base, key, user } = await newGameTable()
  const get: Get = (query) => call('GET', `${base}/users?${query}`, { key })
  const [first, again] = [await get('limit=2&sort=name'), await get('limit=2&sort=name')]
  assert.deepEqual([again.text, again.headers.etag], [first.text, first.headers.etag])
  assert.match(first.headers.link ?? '', /offset=2>; rel="next"/)
  const cursor = first.body.next_cursor
  const second = await get(`limit=2&sort=name&after=${cursor}`)
  const links = Object.fromEntries([...(second.headers.link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, path, rel]) => [rel, path]))
  const path = `${base}/users?limit=2&sort=name`
  assert.deepEqual(links, { first: `${path}&offset=0`, next: `${path}&after=${second.body.next_cursor}` })
  const third = await call('GET', links.next as string, { key })
  assert.deepEqual([third.status, third.body.next_cursor], [200, null])
  assert.doesNotMatch(third.headers.link ?? '', /rel="next"/)
  assert.equal((await get(`limit=0&after=${cursor}&sort=name`)).body.next_cursor, null)
  await user('PLAYER', 'Zzz')
  const grown = (await call('GET', links.next as string, { key })).body
  assert.deepEqual([grown.items.length, grown.total, grown.next_cursor], [2, 6, null])
})

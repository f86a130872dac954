import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, db } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const newHero = async () => {
  const table = await newGameTable()
  const id = await table.player.make(`${table.C}/characters`, { name: 'Crane', traits: { corruption: 2, luck: 5 } })
  const hero = `${table.C}/characters/${id}`
  const npc = `${table.C}/characters/${await table.teller.make(`${table.C}/characters`, { name: 'Ghoul', type: 'NPC' })}`
  return { ...table, hero_id: id, hero, npc }
}

/** Returns the types of the events of a request. */
const eventsOf = async ({ headers }: Answer) =>
  (
    await db.query<{ type: string; reason: string | null; changes: Record<string, unknown> }>(
      sql`SELECT type, reason, changes FROM events WHERE request_id = ${headers['x-request-id']} ORDER BY id`,
    )
  ).map(({ type }) => type)

const fieldsOf = (reply: Answer) => reply.body.invalid_parameters.map(({ field }) => field)
const times = <T>(count: number, send: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => send(i)))
const on = (i: number) => twoApps[i % 2] as (typeof twoApps)[0]

test('a tracker is created, read, replaced, changed and removed by its key', async () => {
  const { player, other, hero, hero_id, campaign_id, company_id } = await newHero()
  const path = `${hero}/trackers/hit_points`
  assertProblem(await player.get(path), 404, 'Tracker not found')
  const made = await player.put(path, { value: 24, maximum: 31 })
  assert.equal(made.status, 201, made.text)
  assert.ok(made.headers.location?.endsWith(path))
  const { id, date_created, date_modified, ...fields } = made.body
  assert.deepEqual(fields as unknown, {
    company_id,
    campaign_id,
    character_id: hero_id,
    key: 'hit_points',
    label: 'hit_points',
    value: 24,
    minimum: 0,
    maximum: 31,
    start: 31,
    style: 'NUMBER',
    visibility: 'OPEN',
    movable_by: 'PLAYER',
    by_ruleset: false,
    version: 1,
  })
  assert.deepEqual(await eventsOf(made), ['tracker.created'])
  assert.equal((await other.get(path)).text, made.text)
  const replaced = await player.put(path, { label: 'Hit points', value: 10, maximum: 20, style: 'BOXES' })
  assert.deepEqual([replaced.status, replaced.body.id, replaced.body.version, replaced.body.start], [200, id, 2, 20])
  assert.deepEqual(await eventsOf(replaced), ['tracker.updated'])
  const same = await player.put(path, { label: 'Hit points', value: 10, maximum: 20, style: 'BOXES' })
  assert.deepEqual([same.status, same.body.version, await eventsOf(same)], [200, 2, []])
  const filled = await player.patch(path, { value: 20 })
  assert.deepEqual([filled.body.version, await eventsOf(filled)], [3, ['tracker.updated', 'tracker.filled']])
  assertProblem(await player.patch(path, { label: 'HP' }, { 'if-match': '"2-x"' }), 412)
  assertProblem(await player.put(path, { value: 1 }, { 'if-match': '"2-x"' }), 412)
  assert.equal((await player.get(`${hero}/trackers`)).body.total, 1)
  const removed = await player.delete(path)
  assert.deepEqual([removed.status, await eventsOf(removed)], [204, ['tracker.deleted']])
  for (const gone of [player.get(path), player.delete(path), player.patch(path, { value: 1 }), player.post(`${path}/adjust`, { by: 1 })])
    assertProblem(await gone, 404, 'Tracker not found')
  assert.equal((await player.get(`${hero}/trackers`)).body.total, 0)
  assert.equal((await player.put(path, { value: 1 })).status, 201)
})

test('several trackers are set at once, all of them or none', async () => {
  const { teller, player, other, hero, C } = await newHero()
  assert.equal((await player.post(`${hero}/trackers`, { trackers: { hp: { value: 5, maximum: 5 }, luck: { value: 1 } } })).status, 200)
  const set = (trackers: object, user = player) => user.post(`${hero}/trackers`, { trackers })
  const done = await set({ zeal: { value: 2 }, hp: { value: 0, maximum: 9 }, aim: { value: 1 } })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(
    done.body.items.map(({ key, value, version }) => [key, value, version]),
    [
      ['zeal', 2, 1],
      ['hp', 0, 2],
      ['aim', 1, 1],
    ],
  )
  assert.deepEqual(await eventsOf(done), ['tracker.created', 'tracker.updated', 'tracker.emptied', 'tracker.created'])
  const state = async () => (await teller.get(`${hero}/trackers?limit=100`)).body.items.map(({ key }) => key)
  assert.deepEqual(await state(), ['hp', 'luck', 'zeal', 'aim'], 'others stay')
  await teller.put(`${hero}/trackers/fate`, { value: 1, movable_by: 'STORYTELLER' })
  const before = await state()
  const many = Object.fromEntries(Array.from({ length: 96 }, (_, i) => [`t${i}`, { value: 1 }]))
  const failures: [trackers: object, status: number, field?: string, user?: Person][] = [
    [{ one: { value: 1 }, two: { value: 9, maximum: 5 } }, 400, 'trackers.two.value'],
    [{ one: { value: 1, nonsense: 1 } }, 400, 'trackers.one.nonsense'],
    [{ One: { value: 1 } }, 400],
    [{ one: {} }, 400, 'trackers.one.value'],
    [{ one: { value: 1 }, fate: { value: 2 } }, 403],
    [{ one: { value: 1 } }, 403, '', other],
    [many, 409],
  ]
  for (const [trackers, status, field, user] of failures) {
    const refused = await set(trackers, user)
    assertProblem(refused, status)
    if (field)
      assert.ok(
        refused.body.invalid_parameters.some((fault) => fault.field === field),
        refused.text,
      )
    assert.deepEqual(await state(), before)
  }
  assert.equal((await teller.post(`${C}/trackers`, { trackers: { doom: { value: 1, maximum: 6 }, hope: { value: 6 } } })).status, 200)
  assertProblem(await player.post(`${C}/trackers`, { trackers: { doom: { value: 1 } } }), 403)
  assertProblem(await player.post(`${C}/characters`, { name: 'x', trackers: { hp: { value: 9, maximum: 5 } } }), 400)
  assertProblem(await player.post(`${C}/characters`, { name: 'x', trackers: { hp: { value: 1, visibility: 'STORYTELLER' } } }), 400)
  assert.equal((await teller.get(`${C}/characters`)).body.total, 2)
})

test('moving a tracker does not change the version of its character', async () => {
  const { player, hero } = await newHero()
  const { etag } = (await player.get(hero)).headers
  await player.put(`${hero}/trackers/hp`, { value: 5 })
  await player.post(`${hero}/trackers/hp/adjust`, { by: -2 })
  assert.equal((await player.patch(hero, { biography: 'Bitten' }, { 'if-match': etag as string })).status, 200)
})

test('invalid definitions, keys and adjustments are rejected with the fields at fault', async () => {
  const { player, teller, hero, npc, C } = await newHero()
  const path = `${hero}/trackers/hp`
  const bodies: [body: object, ...fields: string[]][] = [
    [{}, 'value'],
    [{ value: null }, 'value'],
    [{ value: '5' }, 'value'],
    [{ value: 1.5 }, 'value'],
    [{ value: 1_000_001 }, 'value'],
    [{ value: -1 }, 'value', 'start'],
    [{ value: 5, maximum: 4 }, 'value'],
    [{ value: 5, maximum: 1_000_001 }, 'maximum'],
    [{ value: 5, minimum: 5, maximum: 5 }, 'maximum'],
    [{ value: 5, start: 9, maximum: 8 }, 'start'],
    [{ value: 5, minimum: null }, 'minimum'],
    [{ value: 5, label: '' }, 'label'],
    [{ value: 5, label: ' ' }, 'label'],
    [{ value: 5, label: 'x'.repeat(101) }, 'label'],
    [{ value: 5, label: null }, 'label'],
    [{ value: 5, style: 'DOTS' }, 'style'],
    [{ value: 5, visibility: 'SECRET' }, 'visibility'],
    [{ value: 5, key: 'other' }, 'key'],
    [{ value: 5, visibility: 'STORYTELLER' }, 'visibility'],
    [{ value: 5, visibility: 'NAME_ONLY', movable_by: 'PLAYER' }, 'movable_by'],
    [{ value: 5, visibility: 'NAME_ONLY', movable_by: 'MEMBERS' }, 'movable_by'],
  ]
  for (const [body, ...fields] of bodies) {
    const reply = await player.put(path, body)
    assertProblem(reply, 400)
    assert.deepEqual(fieldsOf(reply), fields, reply.text)
  }
  const onCampaign = await teller.put(`${C}/trackers/doom`, { value: 5, movable_by: 'PLAYER' })
  assert.deepEqual([onCampaign.status, fieldsOf(onCampaign)], [400, ['movable_by']])
  const onNpc = await teller.put(`${npc}/trackers/doom`, { value: 5, visibility: 'STORYTELLER', movable_by: 'MEMBERS' })
  assert.deepEqual([onNpc.status, fieldsOf(onNpc)], [400, ['movable_by']])
  for (const key of ['HP', '1hp', 'hit-points', 'hp_', '_hp', 'a__b', 'hp%20', 'h%C3%BCte', 'x'.repeat(65), randomUUID(), 'x%2Fy']) {
    const malformed = await player.put(`${hero}/trackers/${key}`, { value: 5 })
    assertProblem(malformed, 400)
    assert.deepEqual(fieldsOf(malformed), ['key'], key)
    assertProblem(await player.get(`${hero}/trackers/${key}`), 404, 'Tracker not found')
    assertProblem(await player.post(`${hero}/trackers/${key}/adjust`, { by: 1 }), 404, 'Tracker not found')
  }
  for (const key of ['x'.repeat(64), 'reset', 'adjust', 'a1_2b', 'constructor']) {
    assert.equal((await player.put(`${hero}/trackers/${key}`, { value: 5 })).status, 201, key)
    assert.equal((await player.post(`${hero}/trackers/${key}/adjust`, { by: 1 })).body.value, 6, key)
  }
  await player.put(path, { value: 5, maximum: 8 })
  for (const body of [
    {},
    { by: 1, to: 1 },
    { by: '1' },
    { by: 1.5 },
    { by: 1_000_001 },
    { by: null },
    { to: -1_000_001 },
    { by: 1, clamp: 1 },
    { by: 1, reason: 'x'.repeat(501) },
    { by: 1, value: 2 },
  ])
    assertProblem(await player.post(`${path}/adjust`, body), 400)
  for (const body of [{ keys: [] }, { keys: ['hp', 'hp'] }, { keys: ['HP'] }, { keys: 'hp' }, { keys: null }, { key: 'hp' }])
    assertProblem(await player.post(`${hero}/trackers/reset`, body), 400)
  for (const body of [{ maximum: 4 }, { minimum: 6 }, { start: 9 }, { value: null }, { visibility: 'STORYTELLER' }, { minimum: 8 }])
    assertProblem(await player.patch(path, body), 400)
})

test('an adjustment adds or sets, stops at the limit if asked, and announces a bound once', async () => {
  const { player, hero } = await newHero()
  const path = `${hero}/trackers/hp`
  await player.put(path, { value: 10, maximum: 12 })
  const adjust = (body: object) => player.post(`${path}/adjust`, body)
  const steps: [body: object, value: number, events: string[]][] = [
    [{ by: -3 }, 7, ['tracker.adjusted']],
    [{ to: 12 }, 12, ['tracker.adjusted', 'tracker.filled']],
    [{ to: 12 }, 12, []],
    [{ by: 5, clamp: true }, 12, []],
    [{ by: -100, clamp: true }, 0, ['tracker.adjusted', 'tracker.emptied']],
    [{ by: -1, clamp: true }, 0, []],
    [{ by: 0 }, 0, []],
    [{ to: 99, clamp: true }, 12, ['tracker.adjusted', 'tracker.filled']],
  ]
  for (const [body, value, events] of steps) {
    const reply = await adjust(body)
    assert.deepEqual([reply.status, reply.body.value, await eventsOf(reply)], [200, value, events], JSON.stringify(body))
  }
  const { date_created, date_modified } = (await player.get(path)).body
  assert.ok((date_modified as string) > (date_created as string), 'an open tracker shows when it moved')
  const refused = await adjust({ by: 1 })
  assertProblem(refused, 409, 'hp is 12 and must stay between 0 and 12. Nothing was changed. Send clamp: true to stop at the limit.')
  assert.equal(refused.body.code, 'out_of_range')
  const reply = await adjust({ by: -12, reason: 'A goblin' })
  const events = await db.query(sql`
    SELECT type, reason, changes FROM events WHERE request_id = ${reply.headers['x-request-id']} ORDER BY id`)
  const changes = { value: { old: 12, new: 0 } }
  assert.deepEqual(events, [
    { type: 'tracker.adjusted', reason: 'A goblin', changes },
    { type: 'tracker.emptied', reason: 'A goblin', changes },
  ])
})

test('200 parallel adjustments of +1 on 0 to 100, on two processes: 100 count, 100 are rejected, and one fills the tracker', async () => {
  const { teller, player, other, C, events } = await newHero()
  await other.make(`${C}/characters`, { name: 'A member' })
  const path = `${C}/trackers/clock`
  await teller.put(path, { value: 0, maximum: 100, start: 0, style: 'CLOCK', movable_by: 'MEMBERS' })
  const replies = await times(200, (i) => [teller, player, other][i % 3]?.post(`${path}/adjust`, { by: 1 }, {}, on(i)) as Promise<Answer>)
  const accepted = replies.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 100)
  assert.equal(new Set(accepted.map(({ body }) => body.value)).size, 100, 'each reply has a value of its own')
  for (const reply of replies.filter(({ status }) => status !== 200))
    assertProblem(reply, 409, /^clock is 100 and must stay between 0 and 100/)
  const { body } = await player.get(path)
  assert.deepEqual([body.value, body.version], [100, 101])
  const types = await events()
  assert.equal(types.filter((type) => type === 'tracker.adjusted').length, 100)
  assert.equal(types.filter((type) => type === 'tracker.filled').length, 1)
  assert.equal(types.filter((type) => type === 'tracker.emptied').length, 0)
})

test('parallel requests create a key once, and never more than 100 trackers', async () => {
  const { player, teller, hero, C, events } = await newHero()
  for (const [user, owner] of [
    [player, hero],
    [teller, C],
  ] as const) {
    const same = await times(10, (i) => user.put(`${owner}/trackers/hp`, { value: i }, {}, on(i)))
    assert.deepEqual(same.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 200, 200, 201])
    assert.equal(new Set(same.map(({ body }) => body.id)).size, 1)
    const keys = ['a', 'b', 'c', 'd']
    const setBy = (i: number) => Object.fromEntries([...keys.slice(i % 4), ...keys.slice(0, i % 4)].map((key) => [key, { value: i }]))
    const sets = await times(8, (i) => user.post(`${owner}/trackers`, { trackers: setBy(i) }, {}, on(i)))
    for (const { status, text } of sets) assert.equal(status, 200, text)
    const values = (await user.get(`${owner}/trackers`)).body.items.flatMap(({ key, value }) => (key === 'hp' ? [] : [value]))
    assert.deepEqual([values.length, new Set(values).size], [4, 1], 'the last one sets all of them')
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, { value: 0 }]))
    assertProblem(await user.post(`${owner}/trackers`, { trackers: { hp: { value: 7 }, ...many(96) } }), 409, /already 5 trackers/)
    assert.equal((await user.post(`${owner}/trackers`, { trackers: many(90) })).body.items.length, 90)
    const last = await times(10, (i) => user.put(`${owner}/trackers/last${i}`, { value: 0 }, {}, on(i)))
    assert.equal(last.filter(({ status }) => status === 201).length, 5)
    for (const reply of last.filter(({ status }) => status !== 201)) {
      assertProblem(reply, 409, /already 100 trackers/)
      assert.equal(reply.body.code, 'too_many_trackers')
    }
    assert.equal((await user.get(`${owner}/trackers`)).body.total, 100)
    assert.equal((await user.put(`${owner}/trackers/hp`, { value: 1 })).status, 200, 'a replaced one is not a new one')
    assert.equal((await user.post(`${owner}/trackers/reset`)).body.items.length, 100)
  }
  assert.equal((await events()).filter((type) => type === 'tracker.created').length, 200)
})

test('removing and setting a tracker at once neither fails nor loses the last word', async () => {
  const { player, hero } = await newHero()
  const path = `${hero}/trackers/hp`
  await player.put(path, { value: 1 })
  const replies = await times(30, (i) => (i % 3 ? player.put(path, { value: i }, {}, on(i)) : player.delete(path, undefined, {}, on(i))))
  for (const { status, text } of replies) assert.ok([200, 201, 204, 404].includes(status), text)
  for (const { status } of replies.filter((_, i) => i % 3)) assert.ok([200, 201].includes(status))
})

test('players define the trackers of their characters, storytellers all of them', async () => {
  const { teller, player, other, stranger, admin, hero, npc, C } = await newHero()
  const put = (person: Person, owner: string, body: object = { value: 1 }) => person.put(`${owner}/trackers/stress`, body)
  for (const [owner, allowed, refused] of [
    [hero, [player, teller, admin], [other, stranger]],
    [npc, [teller, admin], [player, other, stranger]],
    [C, [teller, admin], [player, other, stranger]],
  ] as const) {
    for (const person of allowed) assert.ok((await put(person, owner)).status < 300)
    for (const person of refused) {
      assertProblem(await put(person, owner), 403)
      assertProblem(await person.patch(`${owner}/trackers/stress`, { value: 2 }), 403)
      assertProblem(await person.delete(`${owner}/trackers/stress`), 403)
      assert.equal((await person.get(`${owner}/trackers/stress`)).status, 200)
    }
  }
  // What only storytellers move, a player cannot take back by defining it again.
  const reserved = await put(player, hero, { value: 1, movable_by: 'STORYTELLER' })
  assert.deepEqual([reserved.status, reserved.body.movable_by], [200, 'STORYTELLER'])
  for (const refusal of [
    put(player, hero),
    player.patch(`${hero}/trackers/stress`, { movable_by: 'PLAYER' }),
    player.patch(`${hero}/trackers/stress`, { value: 5 }),
    player.delete(`${hero}/trackers/stress`),
    player.post(`${hero}/trackers/stress/adjust`, { by: 1 }),
    player.post(`${hero}/trackers/reset`),
  ])
    assertProblem(await refusal, 403)
  assert.equal((await teller.patch(`${hero}/trackers/stress`, { movable_by: 'PLAYER' })).status, 200)
  assert.equal((await player.post(`${hero}/trackers/stress/adjust`, { by: 1 })).body.value, 2)
  // A patch that hides the value takes the tracker from the player.
  const hidden = await player.patch(`${hero}/trackers/stress`, { visibility: 'NAME_ONLY' })
  assert.deepEqual([hidden.body.movable_by, hidden.body.value], ['STORYTELLER', null])
  assertProblem(await teller.patch(`${hero}/trackers/stress`, { movable_by: 'MEMBERS' }), 400)
})

test('`movable_by` decides who moves a tracker, as of now', async () => {
  const { teller, player, other, stranger, admin, person, hero, npc, C } = await newHero()
  const member = await person('PLAYER', 'Member')
  await teller.put(`${C}/members/${member.id}`, { role: 'PLAYER' })
  const everyone = { teller, player, other, stranger, admin, member }
  const movers = async (owner: string, movable_by: string) => {
    await teller.put(`${owner}/trackers/clock`, { value: 0, movable_by })
    const names = []
    for (const [name, one] of Object.entries(everyone)) {
      const reply = await one.post(`${owner}/trackers/clock/adjust`, { by: 1 })
      if (reply.status === 200) names.push(name)
      else assertProblem(reply, 403)
    }
    return names
  }
  assert.deepEqual(await movers(C, 'STORYTELLER'), ['teller', 'admin'])
  assert.deepEqual(await movers(C, 'MEMBERS'), ['teller', 'player', 'admin', 'member'])
  assert.deepEqual(await movers(hero, 'STORYTELLER'), ['teller', 'admin'])
  assert.deepEqual(await movers(hero, 'PLAYER'), ['teller', 'player', 'admin'])
  assert.deepEqual(await movers(hero, 'MEMBERS'), ['teller', 'player', 'admin', 'member'])
  assert.deepEqual(await movers(npc, 'PLAYER'), ['teller', 'admin'])
  assert.deepEqual(await movers(npc, 'MEMBERS'), ['teller', 'player', 'admin', 'member'])
  await teller.delete(`${C}/members/${member.id}`)
  assertProblem(await member.post(`${npc}/trackers/clock/adjust`, { by: 1 }), 403)
  await teller.put(`${C}/members/${member.id}`, { role: 'PLAYER' })
  assert.equal((await member.post(`${npc}/trackers/clock/adjust`, { by: 1 })).status, 200)
})

test('a rest resets the named trackers, or all that the user may move, and all of them or none', async () => {
  const { teller, player, other, hero, npc } = await newHero()
  await player.put(`${hero}/trackers/hp`, { value: 3, maximum: 31 })
  await player.put(`${hero}/trackers/stress`, { value: 6, maximum: 9, start: 0 })
  await player.put(`${hero}/trackers/full`, { value: 9, maximum: 9 })
  await teller.put(`${hero}/trackers/taint`, { value: 2, maximum: 5, start: 0, movable_by: 'STORYTELLER' })
  const values = async () =>
    Object.fromEntries((await teller.get(`${hero}/trackers`)).body.items.map(({ key, value }) => [key, value as unknown]))
  const reset = (person: Person, body?: object) => person.post(`${hero}/trackers/reset`, body)
  assertProblem(await reset(player, { keys: ['hp', 'taint'] }), 403)
  assertProblem(await reset(player, { keys: ['hp', 'missing'] }), 404, 'Tracker not found')
  assertProblem(await reset(other), 403)
  assert.deepEqual(await values(), { hp: 3, stress: 6, full: 9, taint: 2 })
  const one = await reset(player, { keys: ['stress'], reason: 'A drink' })
  assert.deepEqual(
    [one.status, one.body.items.map(({ value }) => value), await eventsOf(one)],
    [200, [0], ['tracker.adjusted', 'tracker.emptied']],
  )
  const all = await reset(player)
  assert.deepEqual(
    all.body.items.map(({ key }) => key),
    ['hp', 'stress', 'full'],
  )
  assert.deepEqual(await eventsOf(all), ['tracker.adjusted', 'tracker.filled'])
  assert.deepEqual(await values(), { hp: 31, stress: 0, full: 9, taint: 2 })
  assert.equal((await reset(teller)).body.items.length, 4)
  assert.deepEqual(await values(), { hp: 31, stress: 0, full: 9, taint: 0 })
  assert.deepEqual((await player.post(`${npc}/trackers/reset`)).body as unknown, { items: [] })
})

test('several traits and trackers are adjusted at once, all or none, with an event for each', async () => {
  const { player, other, teller, hero, base, key, hero_id } = await newHero()
  await player.put(`${hero}/trackers/hp`, { value: 10, maximum: 31 })
  await player.put(`${hero}/trackers/stress`, { value: 8, maximum: 9, start: 0, movable_by: 'MEMBERS' })
  const adjust = (body: object, person: Person = player) => person.post(`${hero}/adjust`, body)
  const state = async () => {
    const { traits, version } = (await teller.get(hero)).body
    return [traits, version, ...(await teller.get(`${hero}/trackers`)).body.items.map(({ value }) => value)]
  }
  const done = await adjust({ traits: { corruption: 1, luck: -7 }, trackers: { stress: 1, hp: -3 }, reason: 'A ghoul' })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual([done.body.traits, done.body.name, done.body.version], [{ corruption: 3, luck: -2 }, 'Crane', 2])
  assert.match(done.headers.etag ?? '', /^(W\/)?"2-/) // weak if it was compressed on the way
  assert.deepEqual(
    (done.body.trackers as unknown as { key: string; value: number }[]).map(({ key, value }) => [key, value]),
    [
      ['hp', 7],
      ['stress', 9],
    ],
  )
  assert.deepEqual(await eventsOf(done), [
    'character.adjusted',
    'character.adjusted',
    'tracker.adjusted',
    'tracker.adjusted',
    'tracker.filled',
  ])
  const { items } = (await call('GET', `${base}/audit-logs?request_id=${done.headers['x-request-id']}`, { key })).body
  assert.deepEqual([...new Set(items.map(({ reason }) => reason))], ['A ghoul'])
  const history = (await player.get(`${hero}/history`)).body.items.slice(0, 2)
  assert.deepEqual(
    history.map(({ type, changes, reason }) => [type, changes, reason]),
    [
      ['character.adjusted', [{ field: 'traits.luck', from: 5, to: -2 }], 'A ghoul'],
      ['character.adjusted', [{ field: 'traits.corruption', from: 2, to: 3 }], 'A ghoul'],
    ],
  )
  const before = await state()
  const failures: [body: object, status: number, person?: Person][] = [
    [{}, 400],
    [{ clamp: true, reason: 'Nothing' }, 400],
    [{ traits: {} }, 400],
    [{ trackers: {} }, 400],
    [{ traits: { HP: 1 } }, 400],
    [{ traits: { luck: 1.5 } }, 400],
    [{ traits: { luck: null } }, 400],
    [{ traits: { luck: 1_000_001 } }, 400],
    [{ trackers: { hp: '1' } }, 400],
    [{ traits: { luck: 1, lukc: 1 } }, 400],
    [{ traits: { luck: 1 }, trackers: { missing: 1 } }, 404],
    [{ traits: { luck: 1 }, trackers: { hp: 1, stress: 1 } }, 409],
    [{ traits: { luck: 1_000_000, corruption: 999_998 }, trackers: { hp: 1 } }, 409],
    [{ traits: { luck: 1 } }, 403, other],
    [{ trackers: { hp: 1 } }, 403, other],
    [{ trackers: { stress: -1 } }, 403, other],
  ]
  for (const [body, status, person] of failures) {
    const reply = await adjust(body, person)
    assertProblem(reply, status)
    assert.deepEqual(await eventsOf(reply), [], JSON.stringify(body))
  }
  assert.deepEqual(await state(), before)
  const clamped = await adjust({ traits: { luck: 1 }, trackers: { hp: -100, stress: 100 }, clamp: true }, teller)
  assert.deepEqual(await eventsOf(clamped), ['character.adjusted', 'tracker.adjusted', 'tracker.emptied'])
  const onlyTrackers = await adjust({ trackers: { hp: 5 } })
  assert.deepEqual([onlyTrackers.body.id, onlyTrackers.body.version], [hero_id, 3], 'the character is as it was')
  const unchanged = await adjust({ traits: { luck: 0 }, trackers: { hp: 0 } })
  assert.deepEqual([unchanged.status, unchanged.body.version, await eventsOf(unchanged)], [200, 3, []])
})

test('parallel adjustments of the same traits and trackers, in any order, all count and none deadlocks', async () => {
  const { player, teller, hero } = await newHero()
  for (const key of ['a', 'b', 'c']) await player.put(`${hero}/trackers/${key}`, { value: 0 })
  const bodies = [
    { traits: { luck: 1 }, trackers: { a: 1, b: 1, c: 1 } },
    { trackers: { c: 1, b: 1, a: 1 } },
    { trackers: { b: 1, a: 1, c: 1 }, traits: { luck: 1 } },
  ]
  const requests = (i: number) => {
    const person = i % 2 ? player : teller
    return i % 4 === 3
      ? person.put(`${hero}/trackers/d`, { value: i }, {}, on(i))
      : person.post(`${hero}/adjust`, bodies[i % 3], {}, on(i >> 1))
  }
  const replies = await times(60, requests)
  for (const { status, text } of replies) assert.ok(status < 300, text)
  const adjusted = replies.filter((_, i) => i % 4 !== 3)
  const withTraits = Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 4 !== 3 && i % 3 !== 1).length
  const { items } = (await player.get(`${hero}/trackers`)).body
  assert.deepEqual(
    items.filter(({ key }) => key !== 'd').map(({ value }) => value),
    [adjusted.length, adjusted.length, adjusted.length],
  )
  assert.equal(((await player.get(hero)).body.traits as unknown as { luck: number }).luck, 5 + withTraits)
})

test('a replayed reply is authorized as of now', async () => {
  const { player, teller, other, hero, C } = await newHero()
  const key = () => ({ 'idempotency-key': randomUUID() })
  await player.put(`${hero}/trackers/hp`, { value: 5, movable_by: 'MEMBERS' })
  await other.make(`${C}/characters`, { name: 'A member' })
  const [adjustKey, resetKey, bothKey] = [key(), key(), key()]
  const adjust = () => other.post(`${hero}/trackers/hp/adjust`, { by: 1 }, adjustKey)
  const reset = () => other.post(`${hero}/trackers/reset`, {}, resetKey)
  const both = () => other.post(`${hero}/adjust`, { trackers: { hp: 1 } }, bothKey)
  for (const send of [adjust, reset, both]) {
    const first = await send()
    const again = await send()
    assert.deepEqual([first.status, again.text, again.headers['idempotent-replayed']], [200, first.text, 'true'])
  }
  const patchKey = key()
  const giveAway = () => player.patch(`${hero}/trackers/hp`, { movable_by: 'STORYTELLER' }, patchKey)
  const given = await giveAway()
  assert.equal((await giveAway()).text, given.text, 'who gives the right away still gets the reply')
  for (const send of [adjust, reset, both]) assertProblem(await send(), 403)
  await teller.patch(`${hero}/trackers/hp`, { visibility: 'NAME_ONLY' })
  assertProblem(await giveAway(), 403)
  await teller.delete(`${hero}/trackers/hp`)
  for (const send of [adjust, reset, both]) assertProblem(await send(), 404)
})

test('the key of a tracker is part of the scope of an Idempotency-Key', async () => {
  const { player, hero } = await newHero()
  const headers = { 'idempotency-key': randomUUID() }
  for (const key of ['a', 'b']) {
    const first = await player.put(`${hero}/trackers/${key}`, { value: 1 }, headers)
    const again = await player.put(`${hero}/trackers/${key}`, { value: 1 }, headers)
    assert.deepEqual([first.status, first.body.key, again.status, again.text], [201, key, 201, first.text])
  }
})

test('for users who do not see the sheet of a character, its trackers do not exist', async () => {
  const { teller, player, other, hero, C } = await newHero()
  await other.post(`${C}/join`)
  await player.put(`${hero}/trackers/hp`, { value: 1, maximum: 9, start: 1, movable_by: 'MEMBERS' })
  const requests = (user: Person) => [
    () => user.get(`${hero}/trackers`),
    () => user.get(`${hero}/trackers/hp`),
    () => user.post(`${hero}/trackers/hp/adjust`, { by: 1 }),
    () => user.post(`${hero}/trackers/hp/adjust`, { by: 100 }),
    () => user.post(`${hero}/trackers/reset`),
    () => user.post(`${hero}/adjust`, { trackers: { hp: 1 } }),
    () => user.put(`${hero}/trackers/hp`, { value: 1 }),
    () => user.patch(`${hero}/trackers/hp`, { value: 1 }),
    () => user.delete(`${hero}/trackers/hp`),
  ]
  const statuses = async (user: Person) => {
    const found: number[] = []
    for (const send of requests(user).slice(0, 6)) found.push((await send()).status)
    return found
  }
  assert.deepEqual(await statuses(other), [200, 200, 200, 409, 200, 200])
  const headers = { 'idempotency-key': randomUUID() }
  const adjust = () => player.post(`${hero}/adjust`, { trackers: { hp: -1 } }, headers)
  const first = await adjust()
  for (const [sheet_visibility, blind] of [
    ['PLAYER', [other]],
    ['STORYTELLER', [other, player]],
  ] as const) {
    await teller.patch(hero, { sheet_visibility })
    for (const user of blind) for (const send of requests(user)) assertProblem(await send(), 404)
    const seers = [teller, player].filter((user) => !blind.some((one) => one === user))
    for (const user of seers) assert.deepEqual(await statuses(user), [200, 200, 200, 409, 200, 200])
    if (sheet_visibility === 'PLAYER') assert.equal((await adjust()).text, first.text)
  }
  assertProblem(await adjust(), 404)
})

test('a player adjusts traits only where `trait_changes` leaves them to players, and trackers everywhere', async () => {
  const { teller, player, hero, C } = await newHero()
  await player.put(`${hero}/trackers/hp`, { value: 1 })
  for (const trait_changes of ['STORYTELLER', 'EXPERIENCE', 'ANYONE']) {
    await teller.patch(C, { trait_changes })
    const both = await player.post(`${hero}/adjust`, { traits: { luck: 1 }, trackers: { hp: 1 } })
    const refused = [403, 'campaign_settings']
    assert.deepEqual([both.status, both.body.reason], trait_changes === 'ANYONE' ? [200, undefined] : refused)
    assert.equal((await player.post(`${hero}/adjust`, { trackers: { hp: 1 } })).status, 200)
    assert.equal((await teller.post(`${hero}/adjust`, { traits: { luck: 1 } })).status, 200)
  }
  assert.deepEqual((await player.get(hero)).body.traits, { corruption: 2, luck: 9 })
  assert.equal((await player.get(`${hero}/trackers/hp`)).body.value, 5)
})

test('the player of a PLAYER sheet finds adjusted traits in its history, and others do not', async () => {
  const { player, other, hero } = await newHero()
  await player.patch(hero, { sheet_visibility: 'PLAYER', traits: { luck: 1 } })
  await player.post(`${hero}/adjust`, { traits: { luck: 1 }, reason: 'A coin' })
  const reasons = async (user: Person) => (await user.get(`${hero}/history`)).body.items.map(({ reason }) => reason)
  assert.deepEqual([(await reasons(player)).includes('A coin'), (await reasons(other)).includes('A coin')], [true, false])
})

test('trackers go with their character and campaign, and come back with them', async () => {
  const { teller, player, hero, C } = await newHero()
  await player.put(`${hero}/trackers/hp`, { value: 5 })
  await player.delete(hero)
  for (const gone of [
    player.get(`${hero}/trackers`),
    player.get(`${hero}/trackers/hp`),
    player.put(`${hero}/trackers/hp`, { value: 1 }),
    player.post(`${hero}/trackers/hp/adjust`, { by: 1 }),
    player.post(`${hero}/adjust`, { trackers: { hp: 1 } }),
  ])
    assertProblem(await gone, 404, 'Character not found')
  await player.post(`${hero}/restore`)
  assert.equal((await player.get(`${hero}/trackers/hp`)).body.value, 5)
  await teller.delete(C)
  assertProblem(await player.get(`${hero}/trackers/hp`), 404, 'Campaign not found')
  await teller.post(`${C}/restore`)
  assert.equal((await player.get(`${hero}/trackers/hp`)).body.value, 5)
})

test('the list shows trackers in order of creation, page by page', async () => {
  const { teller, C } = await newGameTable()
  for (const key of ['zeta', 'alpha', 'mid']) await teller.put(`${C}/trackers/${key}`, { value: 1 })
  const keys = async (query: string) => (await teller.get(`${C}/trackers?${query}`)).body.items.map(({ key }) => key)
  assert.deepEqual(await keys(''), ['zeta', 'alpha', 'mid'])
  assert.deepEqual(await keys('sort=-date_created&limit=2'), ['mid', 'alpha'])
  assert.deepEqual(await keys('offset=2'), ['mid'])
})

/** Returns the versions that a player sees of a tracker that is hidden and shown while its value moves: in turn, and as a reader who is behind is told. */
async function versionsSeen(moves: number) {
  const { teller, player, C } = await newGameTable()
  const path = `${C}/trackers/doom`
  const [reader, behind] = [await Follower.start(player), await Follower.start(player)]
  const seen: unknown[] = []
  let last = 0
  let modified: unknown
  const step = async (body: object, times = 1) => {
    for (let i = 0; i < times; i++) {
      const answer = await ('by' in body ? teller.post(`${path}/adjust`, body) : teller.patch(path, body))
      assert.equal(answer.status, 200, answer.text)
    }
    const { version = null, value = null, date_modified } = (await player.get(path)).body
    if (version === last) assert.equal(date_modified, modified)
    modified = date_modified
    const items = (await reader.read()).map(({ data }) => data)
    for (const { resource, change } of items) if (change !== 'REMOVE') assert.equal(resource?.version, version)
    assert.ok(version === null || version >= last, `${version} comes after ${last}`)
    last = version ?? last
    seen.push([version, value === null, items.map(({ change, version }) => [change, version])])
  }
  assert.equal((await teller.put(path, { value: 0, maximum: 100 })).status, 201)
  await step({ by: 1 }, 3)
  await step({ visibility: 'NAME_ONLY' })
  await step({ by: 1 }, moves)
  await step({ label: 'Doom' })
  await step({ value: 99, start: 3 })
  await step({ visibility: 'STORYTELLER' })
  await step({ by: -1 }, moves)
  await step({ visibility: 'NAME_ONLY', label: 'The end' })
  await step({ by: -1 }, moves)
  await step({ visibility: 'OPEN', value: 5 })
  await step({ by: 1 })
  assert.equal((await teller.get(path)).body.version, 11 + 3 * moves, 'storytellers count every change')
  return { seen, told: (await behind.read()).map(({ data }) => [data.change, data.version]) }
}

test('the version of a tracker never goes back, and does not say how often a hidden value moved', async () => {
  const { seen, told } = await versionsSeen(1)
  assert.deepEqual(
    (seen as [number | null, boolean, unknown][]).map(([version, isHidden]) => [version, isHidden]),
    [
      [4, false],
      [5, true],
      [5, true],
      [6, true],
      [6, true],
      [null, true],
      [null, true],
      [8, true],
      [8, true],
      [9, false],
      [10, false],
    ],
  )
  assert.deepEqual(await versionsSeen(7), { seen, told })
})

test('If-Match of a player names the version that they see', async () => {
  const { teller, player, hero } = await newHero()
  const path = `${hero}/trackers/hp`
  await player.put(path, { value: 5 })
  const shared = await player.get(path)
  await teller.patch(path, { visibility: 'NAME_ONLY' })
  for (let i = 0; i < 3; i++) await teller.post(`${path}/adjust`, { by: -1 })
  await teller.patch(path, { visibility: 'OPEN', movable_by: 'PLAYER' })
  const read = async (person: Person) => ({ 'if-match': (await person.get(path)).headers.etag ?? '' })
  assertProblem(await player.patch(path, { label: 'Late' }, { 'if-match': shared.headers.etag ?? '' }), 412)
  const [first, ofTeller] = [await read(player), await read(teller)]
  const changed = await player.patch(path, { label: 'Health' }, first)
  assert.deepEqual([changed.status, changed.body.version], [200, 4])
  assertProblem(await player.patch(path, { label: 'Late' }, first), 412)
  assertProblem(await teller.patch(path, { label: 'Late' }, ofTeller), 412)
  assert.equal((await teller.patch(path, { label: 'Life' }, await read(teller))).status, 200)
  assert.equal((await player.put(path, { value: 9 }, await read(player))).status, 200)
  assertProblem(await player.delete(path, undefined, first), 412)
  assert.equal((await player.delete(path, undefined, await read(player))).status, 204)
})

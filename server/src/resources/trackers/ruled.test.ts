import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'
import { assertConflict } from '../../../test/problems.ts'

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))

const game = (changes: object = {}) => ({
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 9 } },
  traits: { nerve: { group: 'stats' }, body: { group: 'stats', default: 2 } },
  trackers: {
    health: { label: 'Health', max: 'body + 5 - weary' },
    stress: { max: 'nerve', start: 0 },
    fate: { max: 'campaign.danger + 10', start: 'nerve', writers: 'STORYTELLER' },
    tide: { scope: 'campaign', max: 'campaign.danger + 4', start: 0 },
  },
  conditions: { weary: { most: 3 } },
  ...changes,
})

async function newRuledTable(document: object = game()) {
  const table = await newGameTable()
  const { base, key, teller, player, C } = table
  const asTeller = (method: 'POST', path: string, body?: unknown) =>
    call(method, `${base}${path}`, { key, headers: { 'on-behalf-of': teller.id }, ...(body !== undefined && { body }) })
  const publish = async (next: object, ruleset_id?: string) => {
    const created = await asTeller('POST', ruleset_id ? `/rulesets/${ruleset_id}/versions` : '/rulesets', { document: next })
    const body = created.body as never as Record<string, string>
    const [id, version] = [ruleset_id ?? body.id, ruleset_id ? body.id : body.draft_version_id] as [string, string]
    assert.equal((await asTeller('POST', `/rulesets/${id}/versions/${version}/publish`)).status, 200)
    return { ruleset_id: id, version_id: version }
  }
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { nerve: 3 } })
  const H = `${C}/characters/${hero}`
  const first = await publish(document)
  const pin = async (version_id = first.version_id) => {
    const reply = await teller.put(`${C}/ruleset`, { version_id, accept_faults: true })
    assert.equal(reply.status, 200, reply.text)
  }
  const trackersOf = async (path: string) => {
    const { items } = (await teller.get(`${path}/trackers?limit=100`)).body as never as { items: Record<string, unknown>[] }
    return Object.fromEntries(items.map((row) => [row.key, [row.value, row.minimum, row.maximum, row.start, row.by_ruleset]]))
  }
  return { ...table, publish, first, pin, H, trackersOf }
}

test('a ruleset gives a campaign and its characters their trackers, with limits that follow the sheet', async () => {
  const { pin, H, C, player, trackersOf } = await newRuledTable()
  await player.put(`${H}/trackers/health`, { value: 4, maximum: 31 })
  await player.put(`${H}/trackers/own`, { value: 1 })
  await pin()
  assert.deepEqual(await trackersOf(H), {
    health: [4, 0, 7, 7, true],
    own: [1, 0, null, 1, false],
    stress: [0, 0, 3, 0, true],
    fate: [3, 0, 10, 3, true],
  })
  assert.deepEqual(await trackersOf(C), { tide: [0, 0, 4, 0, true] })

  assert.equal((await player.patch(H, { traits: { body: 4, nerve: 5 } })).status, 200)
  await player.put(`${H}/conditions/weary`, { level: 2 })
  assert.deepEqual(await trackersOf(H), {
    health: [4, 0, 7, 7, true],
    own: [1, 0, null, 1, false],
    stress: [0, 0, 5, 0, true],
    fate: [3, 0, 10, 5, true],
  })
  const born = await player.make(`${C}/characters`, { name: 'Born', traits: { nerve: 1 } })
  assert.deepEqual((await trackersOf(`${C}/characters/${born}`)).stress, [0, 0, 1, 0, true])
})

test('its limits cannot be changed by hand, and a value past them comes back', async () => {
  const { pin, H, C, player, teller, trackersOf } = await newRuledTable()
  await pin()
  for (const reply of [
    await teller.put(`${H}/trackers/health`, { value: 1 }),
    await teller.delete(`${H}/trackers/health`),
    await teller.patch(`${H}/trackers/health`, { maximum: 99 }),
    await teller.put(`${C}/trackers/tide`, { value: 1 }),
    await teller.post(`${H}/trackers`, { trackers: { luck: { value: 1 }, health: { value: 1 } } }),
    await player.post(`${C}/characters`, { name: 'New', trackers: { luck: { value: 1 }, health: { value: 1 } } }),
  ])
    assertConflict(reply, 'defined_by_ruleset')
  const own = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, { value: 1 }]))
  assertConflict(await player.post(`${C}/characters`, { name: 'New', trackers: own(98) }), 'too_many_trackers')
  const { body } = await player.post(`${C}/characters`, { name: 'New', trackers: own(97) })
  assert.equal(Object.keys(await trackersOf(`${C}/characters/${body.id}`)).length, 100)
  assert.equal((await teller.patch(`${H}/trackers/health`, { label: 'Hit points', style: 'BOXES' })).status, 200)
  assertProblem(await player.post(`${H}/trackers/fate/adjust`, { by: -1 }), 403)
  assert.equal((await player.post(`${H}/trackers/stress/adjust`, { to: 3 })).status, 200)
  assertConflict(await player.post(`${H}/trackers/stress/adjust`, { by: 1 }), 'out_of_range')
  assert.equal((await player.patch(H, { traits: { nerve: 1 } })).status, 200)
  assert.deepEqual((await trackersOf(H)).stress, [3, 0, 1, 0, true])
  assertConflict(await player.post(`${H}/trackers/stress/adjust`, { by: 1 }), 'out_of_range')
  assert.equal((await player.post(`${H}/trackers/stress/adjust`, { by: -1 })).body.value, 2)
  assert.equal((await player.patch(H, { traits: { nerve: 0 } })).status, 200)
  assert.equal((await player.post(`${H}/trackers/stress/adjust`, { to: 0 })).body.value, 0)
  // Limits that depend on the campaign are right when it matters.
  assertConflict(await teller.post(`${C}/trackers/tide/adjust`, { to: 6 }), 'out_of_range')
  await teller.post(`${C}/adjust`, { danger: 2 })
  assert.equal((await teller.post(`${C}/trackers/tide/adjust`, { to: 6 })).body.value, 6)
})

test('another version renames trackers, frees those that it does not define, and without a ruleset all are free', async () => {
  const { pin, publish, first, H, teller, trackersOf } = await newRuledTable()
  await pin()
  await teller.post(`${H}/trackers/health/adjust`, { by: -2 })
  await teller.post(`${H}/trackers/fate/adjust`, { by: 4 })
  const next = game({
    trackers: { vigor: { max: 'body + 20' }, tide: { scope: 'campaign', max: 4 } },
    conditions: {},
    upgrade: { rename: { health: 'vigor' } },
  })
  const second = await publish(next, first.ruleset_id)
  await pin(second.version_id)
  assert.deepEqual(await trackersOf(H), { vigor: [5, 0, 22, 22, true], stress: [0, 0, 3, 0, false], fate: [7, 0, 10, 3, false] })
  assert.equal((await teller.delete(`${H}/trackers/fate`)).status, 204)
  assert.equal((await teller.delete(`${H.slice(0, H.indexOf('/characters'))}/ruleset`)).status, 204)
  assert.deepEqual((await trackersOf(H)).vigor, [5, 0, 22, 22, false])
  assert.equal((await teller.put(`${H}/trackers/vigor`, { value: 1 })).status, 200)
})

test('all of many moves at once count, while the limit moves, too', async () => {
  const { pin, H, player, trackersOf } = await newRuledTable()
  await pin()
  await player.patch(H, { traits: { nerve: 9 } })
  const replies = await Promise.all([
    times(12, (i) => player.post(`${H}/trackers/stress/adjust`, { by: 1 }, {}, twoApps[i % 2] as never)),
    times(6, (i) => player.patch(H, { traits: { nerve: i % 2 ? 9 : 8 } }, {}, twoApps[i % 2] as never)),
  ])
  for (const reply of replies.flat()) assert.ok([200, 409].includes(reply.status), reply.text)
  const moved = replies[0].filter(({ status }) => status === 200).length
  assert.ok(moved === 8 || moved === 9, String(moved))
  assert.equal((await trackersOf(H)).stress?.[0], moved)
})

test('a hundred moves at once count exactly, and stop at the limit of the ruleset', async () => {
  const { pin, H, C, player, teller, trackersOf } = await newRuledTable(
    game({ trackers: { ink: { max: 'body * 100', start: 150 }, tide: { scope: 'campaign', max: 60, start: 0 } } }),
  )
  await pin()
  const move = (path: string, by: number, i: number) =>
    (i % 3 ? player : teller).post(`${path}/adjust`, { by }, {}, twoApps[i % 2] as never)
  const down = await times(100, (i) => move(`${H}/trackers/ink`, -1, i))
  assert.deepEqual([down.every(({ status }) => status === 200), (await trackersOf(H)).ink?.[0]], [true, 50])
  const mixed = await times(100, (i) => move(`${H}/trackers/ink`, i % 2 ? 3 : -1, i))
  assert.deepEqual([mixed.every(({ status }) => status === 200), (await trackersOf(H)).ink?.[0]], [true, 150])
  const tide = await times(100, (i) => teller.post(`${C}/trackers/tide/adjust`, { by: 1 }, {}, twoApps[i % 2] as never))
  assert.equal(tide.filter(({ status }) => status === 200).length, 60)
  for (const reply of tide.filter(({ status }) => status !== 200)) assertConflict(reply, 'out_of_range')
  assert.equal((await trackersOf(C)).tide?.[0], 60)
})

test('limits that are stored for all reveal nothing of experience that is hidden with another sheet', async () => {
  const { pin, H, C, teller, player, other } = await newRuledTable(game({ trackers: { fame: { max: 'xp.earned', start: 0 } } }))
  await pin()
  const maximumFor = async (person: typeof player) => (await person.get(`${H}/trackers/fame`)).body as unknown as { maximum: number }
  await teller.post(`${C}/experience/awards`, { amount: 37, reason: 'Play', user_ids: [player.id] })
  await player.patch(H, { traits: { nerve: 4 } })
  assert.equal((await maximumFor(other)).maximum, 37)
  await player.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER' })
  await player.patch(H, { traits: { nerve: 5 } })
  assert.equal((await maximumFor(other)).maximum, 0)
  // Whoever sees the experience may use it.
  assert.equal((await player.post(`${H}/trackers/fame/adjust`, { to: 30 })).status, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower, sequenceAll } from '../../../test/follower.ts'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem, call, newDeveloper } from '../../../test/harness.ts'
import type { ChangesReply } from './schema.ts'

test('a reader gets each change once, with the resource as its GET shows it', async () => {
  const { player, C, key } = await newGameTable()
  const follower = await Follower.start(player)
  assert.deepEqual(await follower.read(), [])
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { wits: 3 } })
  await player.patch(`${C}/characters/${hero}`, { name: 'Crane the Tall' })
  await player.make('/dice-rolls', { notation: '2d6', character_id: hero })
  const items = await follower.read()
  assert.deepEqual(
    items.map(({ type, data: { change, resource_type } }) => [type, change, resource_type]),
    [
      ['character.created', 'UPSERT', 'character'],
      ['member.added', 'UPSERT', 'member'],
      ['sight.changed', 'RESYNC', 'campaign'],
      ['character.updated', 'UPSERT', 'character'],
      ['dice_roll.created', 'UPSERT', 'dice_roll'],
    ],
  )
  for (const { data } of items) {
    if (data.path === null) continue
    const { status, body } = await call('GET', data.path, { key })
    assert.equal(status, 200, data.path)
    assert.deepEqual(data.resource, body)
  }
  const renamed = items.find(({ type }) => type === 'character.updated')
  assert.deepEqual(renamed?.data.changes, { name: { old: 'Crane', new: 'Crane the Tall' } })
  assert.equal(renamed?.actor?.user_id, player.id)
  assert.deepEqual(await follower.read(), [])
})

test('a reader is told when a character appears to them and when it vanishes, and nothing in between', async () => {
  const { player, teller, C } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  const follower = await Follower.start(player)
  const told = async () => (await follower.read()).map(({ type, actor, data }) => [type, data.change, actor, data.changes])
  const show = (visibility: string) => teller.patch(`${C}/characters/${npc}`, { visibility })
  await teller.patch(`${C}/characters/${npc}`, { name: 'Ghoul of the tower' })
  assert.deepEqual(await told(), [])
  for (let i = 0; i < 2; i++) {
    await show('OPEN')
    assert.deepEqual(await told(), [['character.appeared', 'RESYNC', null, null]])
    await show('STORYTELLER')
    assert.deepEqual(await told(), [['character.vanished', 'REMOVE', null, null]])
  }
})

test('a reader is told when something is hidden from them or shown to them', async () => {
  const { teller, player, C } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  const note = await teller.make(`${C}/notes`, { title: 'Clue', visibility: 'STORYTELLER' })
  const [told, all] = [await Follower.start(player), await Follower.start(teller)]
  const patches: [string, string, string][] = [
    [`${C}/characters/${npc}`, 'OPEN', 'STORYTELLER'],
    [`${C}/notes/${note}`, 'EVERYONE', 'STORYTELLER'],
  ]
  for (const [path, shown, hidden] of patches)
    for (const visibility of [shown, hidden]) {
      assert.equal((await teller.patch(path, { visibility })).status, 200)
      const [kind = ''] = /character|note/.exec(path) ?? []
      const expected = visibility === hidden ? [`${kind}.vanished`, 'REMOVE', null] : [`${kind}.appeared`, 'RESYNC', null]
      assert.deepEqual(
        (await told.read()).map(({ type, data }) => [type, data.change, data.changes]),
        [expected],
      )
      assert.deepEqual(
        (await all.read()).map(({ type }) => type),
        [`${kind}.updated`],
      )
    }
})

test('a cursor is of use only to its reader, and only unchanged', async () => {
  const { player, other, base, key } = await newGameTable()
  const { cursor } = (await player.get('/changes')).body as unknown as { cursor: string }
  assert.equal((await player.get(`/changes?after=${cursor}`)).status, 200)
  for (const after of ['', 'x', cursor.slice(1), `${cursor}A`, cursor.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), 'ü', '%00'])
    assertProblem(await player.get(`/changes?after=${after}`), 400)
  assertProblem(await other.get(`/changes?after=${cursor}`), 400)
  assertProblem(await call('GET', `${base}/changes?after=${cursor}`, { key }), 400)
})

test('a reader gets only the types they ask for, and an unknown type is an error', async () => {
  const { player, C } = await newGameTable()
  const follower = await Follower.start(player, '&types=character.*,dice_roll.created')
  const hero = await player.make(`${C}/characters`, { name: 'Crane' })
  await player.make(`${C}/characters/${hero}/inventory`, { name: 'Rope' })
  await player.make('/dice-rolls', { notation: '1d6' })
  assert.deepEqual(
    (await follower.read()).map(({ type }) => type),
    ['character.created', 'dice_roll.created'],
  )
  for (const types of ['', ',', 'charcter.*', '*', 'character', 'character.created,', 'api_key.issued', 'CHARACTER.created'])
    for (const path of ['/changes', '/stream']) assertProblem(await player.get(`${path}?types=${types}`), 400)
  const { body } = await player.get('/changes?types=charcter.*')
  assert.match(JSON.stringify(body), /must be one of book\.\*, book\.created, book\.deleted and \d+ others, which GET .+options lists/)
})

test('pages show nothing of what is not told', async () => {
  const { player, other, teller, C, base, key } = await newGameTable()
  const hero = await other.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER', traits: { a: 1, b: 1, c: 1 } })
  const follower = await Follower.start(player)
  const pages = async (limit: number) => {
    const told: [number, boolean][] = []
    for (let more = true, { cursor } = follower; more; ) {
      const { body } = await player.get(`/changes?limit=${limit}&after=${cursor}`)
      const page = body as unknown as ChangesReply
      told.push([page.items.length, page.more])
      more = page.more
      cursor = page.cursor
    }
    return told
  }
  await player.make('/dice-rolls', { notation: '1d6' })
  await sequenceAll()
  const alone = await pages(1)
  assert.deepEqual(alone, [[1, false]])
  const secret = { title: 'Hidden', visibility: 'STORYTELLER' }
  for (let i = 0; i < 4; i++) await teller.make(`${C}/notes`, secret)
  await teller.make(`${C}/experience/awards`, { amount: 1, reason: 'Quiet', user_ids: [other.id] })
  const guest = await newDeveloper()
  assert.equal((await call('PUT', `${base}/developers/${guest.id}`, { key, body: { permission: 'USER' } })).status, 201)
  assert.equal((await call('DELETE', `${base}/developers/${guest.id}`, { key })).status, 204)
  await sequenceAll()
  assert.deepEqual(await pages(1), alone, 'hidden notes, experience of others and grants')
  await other.post(`${C}/characters/${hero}/adjust`, { traits: { a: 1, b: 1, c: 1 } })
  await sequenceAll()
  assert.deepEqual(await pages(1), [[1, true], ...alone], 'three traits of a hidden sheet are one change')
})

test('what was hidden since is not told by an old cursor', async () => {
  const { player, teller, C } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC', traits: { strength: 5 } })
  const path = `${C}/characters/${npc}`
  const follower = await Follower.start(player)
  await teller.make('/dice-rolls', { pool: { traits: ['strength'], difficulty: 6 }, character_id: npc })
  await teller.put(`${path}/trackers/fury`, { label: 'Fury of the deep', value: 3, maximum: 9 })
  assert.equal((await teller.delete(`${path}/trackers/fury`)).status, 204)
  await teller.patch(path, { sheet_visibility: 'STORYTELLER' })
  const items = await follower.read()
  assert.ok(items.some(({ type }) => type === 'dice_roll.created') && items.some(({ type }) => type === 'tracker.deleted'))
  for (const word of ['strength 5', 'Fury', 'fury']) assert.ok(!JSON.stringify(items).includes(word), word)
})

test('a player learns nothing of the moves of a tracker whose value is hidden', async () => {
  const { player, teller, C } = await newGameTable()
  const path = `${C}/trackers/doom`
  await teller.put(path, { label: 'Doom', value: 1, maximum: 4, visibility: 'NAME_ONLY' })
  const follower = await Follower.start(player)
  for (let i = 0; i < 2; i++) await teller.post(`${path}/adjust`, { by: 1 })
  await teller.patch(path, { label: 'Doom of the town', value: 4 })
  assert.deepEqual(
    (await follower.read()).map(({ type, data: { version, changes } }) => [type, version, changes]),
    [['tracker.updated', 2, null]],
  )
})

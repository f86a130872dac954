import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'

const ALL = 'include=members,characters,trackers,character_trackers,experience,latest_chapter,rolls'

test('one request returns the screen of a campaign, as far as the user sees it', async () => {
  const { teller, player, campaign_id, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  await teller.make(`${C}/characters`, { name: 'Shadow', type: 'NPC', visibility: 'STORYTELLER' })
  await teller.put(`${C}/trackers/doom`, { value: 2, maximum: 6, visibility: 'NAME_ONLY' })
  await teller.put(`${C}/trackers/plot`, { value: 1, maximum: 4, visibility: 'STORYTELLER' })
  await teller.post(`${C}/experience/awards`, { user_ids: [player.id], amount: 3, reason: 'x' })
  const [first, second] = [await teller.make(`${C}/books`, { name: 'One' }), await teller.make(`${C}/books`, { name: 'Two' })]
  await teller.make(`${C}/books/${second}/chapters`, { name: 'Old' })
  const latest = await teller.make(`${C}/books/${second}/chapters`, { name: 'Latest' })
  await teller.make(`${C}/books/${first}/chapters`, { name: 'In an earlier book' })
  await teller.make('/dice-rolls', { notation: '1d6', campaign_id, visibility: 'STORYTELLER' })
  for (let i = 0; i < 11; i++) await player.make('/dice-rolls', { notation: `${i}`, campaign_id })

  const { body, status } = await player.get(`${C}?${ALL}`)
  assert.equal(status, 200, JSON.stringify(body))
  const names = (items: unknown) => (items as { name: string }[]).map(({ name }) => name)
  assert.deepEqual([names(body.members), body.members_total], [['Teller', 'Player'], 2])
  assert.deepEqual([names(body.characters), body.characters_total], [['Hero'], 1])
  assert.deepEqual(
    (body.trackers as unknown as { key: string; value: number }[]).map(({ key, value }) => [key, value]),
    [['doom', null]],
  )
  assert.deepEqual(
    (body.experience as unknown as { user_id: string; available: number }[]).map(({ user_id, available }) => [user_id, available]),
    [[player.id, 3]],
  )
  assert.deepEqual((body.latest_chapter as unknown as { id: string; number: number }).number, 2)
  assert.deepEqual((body.latest_chapter as unknown as { id: string }).id, latest)
  assert.deepEqual(
    (body.rolls as unknown as { total: number }[]).map(({ total }) => total),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  assert.ok(hero)
  const seenByTeller = (await teller.get(`${C}?${ALL}`)).body
  assert.deepEqual([seenByTeller.characters_total, (seenByTeller.trackers as unknown as unknown[]).length], [2, 2])
})

test('a part that is not named is absent, and an empty campaign has empty parts', async () => {
  const { teller, C } = await newGameTable()
  const plain = (await teller.get(C)).body
  for (const part of ['members', 'characters', 'trackers', 'experience', 'latest_chapter', 'rolls']) assert.ok(!(part in plain), part)
  const { body } = await teller.get(`${C}?${ALL}`)
  assert.deepEqual([body.characters, body.trackers, body.experience, body.latest_chapter, body.rolls], [[], [], [], null, []])
  for (const bad of ['include=', 'include=secrets', 'include=rolls,rolls']) assertProblem(await teller.get(`${C}?${bad}`), 400)
})

test('a chapter of an archived book is not the latest one', async () => {
  const { teller, C } = await newGameTable()
  const [first, second] = [await teller.make(`${C}/books`, { name: 'One' }), await teller.make(`${C}/books`, { name: 'Two' })]
  const kept = await teller.make(`${C}/books/${first}/chapters`, { name: 'Kept' })
  await teller.make(`${C}/books/${second}/chapters`, { name: 'Gone' })
  await teller.delete(`${C}/books/${second}`)
  const { body } = await teller.get(`${C}?include=latest_chapter`)
  assert.equal((body.latest_chapter as unknown as { id: string }).id, kept)
})

test('the screen takes one statement for each part, and two for the latest chapter, however many rows there are', async () => {
  const { teller, player, C } = await newGameTable()
  for (let i = 0; i < 20; i++) await player.make(`${C}/characters`, { name: `Hero ${i}` })
  const book = await teller.make(`${C}/books`, { name: 'One' })
  await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  const read = () => teller.get(`${C}?${ALL}`, undefined, {}, recordedApp)
  await read()
  const { answer, sent } = await statementsOf(read)
  assert.deepEqual([answer.status, sent.length], [200, 9])
})

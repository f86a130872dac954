import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, type Body, db } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { ROLES } from '../../core/access.ts'
import { seesSheet as predicate } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import type { Statistics } from '../statistics/schema.ts'
import { seesSheet } from './rules.ts'
import { SHEET_VISIBILITIES } from './schema.ts'

const TRAITS = { wits: 4, stealth: 2 }
const DETAILS = { clan: 'Toreador' }

async function newSheet(sheet_visibility: (typeof SHEET_VISIBILITIES)[number]) {
  const table = await newGameTable()
  const { player, teller, C } = table
  const id = await player.make(`${C}/characters`, { name: 'Crane', concept: 'Keeper', traits: TRAITS, details: DETAILS })
  const path = `${C}/characters/${id}`
  const item = await player.make(`${path}/inventory`, { name: 'Lantern' })
  if (sheet_visibility !== 'EVERYONE') assert.equal((await teller.patch(path, { sheet_visibility })).status, 200)
  return { ...table, id, path, item }
}

test('the SQL predicate and the rule agree for every reader and sheet', async () => {
  const [me, other] = [randomUUID(), randomUUID()]
  for (const sheet_visibility of SHEET_VISIBILITIES) {
    for (const user_id of [me, other, null]) {
      for (const isStoryteller of [false, true]) {
        const sight = { all: false, isStoryteller, user_id: me }
        const row = sql`(SELECT ${sheet_visibility}::text AS sheet_visibility, ${user_id}::uuid AS user_id) x`
        const [found] = await db.query<{ sees: boolean }>(sql`SELECT ${predicate(sight, sql`x`)} AS sees FROM ${row}`)
        const context = {
          actor: { id: me, role: ROLES[0] },
          campaign: { id: '', user_id: '', isStoryteller, trait_changes: 'ANYONE' as const },
        }
        assert.equal(found?.sees, seesSheet(context, { sheet_visibility, user_id }), `${sheet_visibility} ${user_id} ${isStoryteller}`)
      }
    }
  }
})

for (const [sheet_visibility, seers] of [
  ['EVERYONE', ['player', 'other', 'stranger', 'teller', 'admin']],
  ['PLAYER', ['player', 'teller', 'admin']],
  ['STORYTELLER', ['teller', 'admin']],
] as const) {
  test(`a sheet for ${sheet_visibility} is visible to ${seers.join(', ')}`, async () => {
    const { path, item, C, ...table } = await newSheet(sheet_visibility)
    for (const name of ['player', 'other', 'stranger', 'teller', 'admin'] as const) {
      const user = table[name]
      const sees = (seers as readonly string[]).includes(name)
      const one = (await user.get(`${path}?include=inventory,notes`)).body
      const listed = (await user.get(`${C}/characters?include=inventory,notes`)).body.items[0] as Body
      for (const shown of [one, listed]) {
        assert.deepEqual([shown.name, shown.concept, shown.sheet_visibility, shown.notes_total], ['Crane', 'Keeper', sheet_visibility, 0])
        assert.deepEqual([shown.traits, shown.details], sees ? [TRAITS, DETAILS] : [null, null], name)
        assert.deepEqual(
          [(shown.inventory as unknown as Body[] | null)?.map(({ id }) => id) ?? null, shown.inventory_total],
          sees ? [[item], 1] : [null, null],
          name,
        )
      }
      const reads = [`${path}/inventory`, `${path}/inventory?archived=true`, `${path}/inventory/${item}`, `${path}/statistics`]
      for (const read of reads) {
        const answer = await user.get(read)
        if (sees) assert.equal(answer.status, 200, `${name} ${read}`)
        else assertProblem(answer, 404, 'Sheet not found')
      }
      if (sees) continue
      const writes: Promise<Answer>[] = [
        user.post(`${path}/inventory`, { name: 'x' }),
        user.patch(`${path}/inventory/${item}`, { name: 'x' }),
        user.post(`${path}/inventory/${item}/adjust`, { quantity: 1 }),
        user.delete(`${path}/inventory/${item}`),
        user.post(`${path}/inventory/${item}/restore`),
      ]
      for (const write of writes) assertProblem(await write, 404, 'Sheet not found')
    }
    assert.equal((await table.teller.get(`${path}/inventory`)).body.total, 1)
  })
}

test('a long hidden detail does not show in truncated', async () => {
  const { player, other, C } = await newGameTable()
  await player.make(`${C}/characters`, { name: 'x', sheet_visibility: 'PLAYER', details: { story: 'x'.repeat(2000) } })
  const truncated = async (user: Person) => (await user.get(`${C}/characters`)).body.items[0]?.truncated
  assert.deepEqual([await truncated(player), await truncated(other)], [true, false])
})

test('players hide the sheets of their characters, storytellers also from the player', async () => {
  const { player, other, teller, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x', sheet_visibility: 'PLAYER', traits: TRAITS })}`
  assertProblem(await player.post(`${C}/characters`, { name: 'x', sheet_visibility: 'STORYTELLER' }), 403)
  assertProblem(await player.post(`${C}/characters`, { name: 'x', sheet_visibility: 'AUTHOR' }), 400)
  assertProblem(await player.patch(path, { sheet_visibility: null }), 400)
  assert.equal((await player.patch(path, { sheet_visibility: 'EVERYONE' })).body.sheet_visibility, 'EVERYONE')
  assert.deepEqual((await other.get(path)).body.traits, TRAITS)
  assertProblem(await player.patch(path, { sheet_visibility: 'STORYTELLER' }), 403)
  assertProblem(await other.patch(path, { sheet_visibility: 'PLAYER' }), 403)
  assert.deepEqual((await teller.patch(path, { sheet_visibility: 'STORYTELLER' })).body.traits, TRAITS)
  const renamed = await player.patch(path, { name: 'y' })
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.traits, renamed.body.details], [200, 'y', null, null])
  for (const body of [{ sheet_visibility: 'EVERYONE' }, { traits: { wits: 4 } }, { details: { clan: 'x' } }, { traits: {} }])
    assertProblem(await player.patch(path, body), 403)
  assert.equal((await player.delete(path)).status, 204)
  const restored = await player.post(`${path}/restore`)
  assert.deepEqual([restored.status, restored.body.traits, restored.body.details], [200, null, null])
  const npc = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC', sheet_visibility: 'PLAYER', traits: { hp: 27 } })
  assert.equal((await player.get(`${C}/characters/${npc}`)).body.traits, null, 'nobody plays an NPC')
})

test('an archived character with a hidden sheet looks like one that never was', async () => {
  const { player, other, teller, path, item, C } = await newSheet('STORYTELLER')
  await teller.delete(path)
  for (const user of [player, other]) {
    assertProblem(await user.get(`${path}/inventory`), 404, 'Character not found')
    assertProblem(await user.post(`${path}/inventory/${item}/restore`), 404, 'Character not found')
    assertProblem(await user.get(`${C}/characters/${randomUUID()}/inventory`), 404, 'Character not found')
  }
})

test('the next request of every process notices that the sheet was hidden, and a stored reply with it is not replayed', async () => {
  const { player, teller, path, C, campaign_id, id } = await newSheet('EVERYONE')
  const [once, again] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }]
  const body = { name: 'Twin', traits: TRAITS }
  const twin = await player.post(`${C}/characters`, body, once)
  const patched = await player.patch(path, { traits: { wits: 5 } }, once)
  const pool = { pool: { traits: ['wits'], difficulty: 6 }, character_id: id }
  const rolled = await player.post('/dice-rolls', pool, once)
  await teller.post(`${C}/experience/awards`, { amount: 9, reason: 'x', user_ids: [player.id] })
  const spend = { amount: 1, reason: 'x', character_id: id, trait: { name: 'wits', to: 6 } }
  const spent = await player.post(`${C}/experience/spends`, spend, once)
  assert.deepEqual([twin.status, patched.status, rolled.status, spent.status], [201, 200, 201, 201])
  assert.equal((await player.patch(path, { traits: { wits: 5 } }, once)).text, patched.text)
  for (const on of twoApps) assert.equal((await player.get(`${path}/inventory`, undefined, {}, on)).status, 200)
  for (const at of [path, `${C}/characters/${twin.body.id}`]) await teller.patch(at, { sheet_visibility: 'STORYTELLER' })
  for (const on of twoApps) assertProblem(await player.get(`${path}/inventory`, undefined, {}, on), 404, 'Sheet not found')
  assertProblem(await player.post(`${C}/characters`, body, once), 403)
  assertProblem(await player.patch(path, { traits: { wits: 5 } }, once), 403)
  assertProblem(await player.post('/dice-rolls', pool, once), 403)
  assertProblem(await player.post(`${C}/experience/spends`, spend, once), 404, 'Entry not found')
  assert.equal((await player.patch(path, { name: 'z' }, again)).text, (await player.patch(path, { name: 'z' }, again)).text)
  assert.equal((await player.get(`/dice-rolls?campaign_id=${campaign_id}`)).body.total, 1)
})

test('the history shows the sheet to users who see it today and could see it then', async () => {
  const { player, other, teller, C } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'a', traits: { wits: 1 } })
  const path = `${C}/characters/${id}`
  const fields = async (user: Person, query = '') => {
    const { items, total } = (await user.get(`${path}/history?sort=date_created&limit=100${query}`)).body
    const changed = items.map(({ changes }) => (changes as unknown as { field: string }[]).map(({ field }) => field))
    assert.equal(total, changed.length, 'the total counts what is listed')
    return changed.slice(1).map((names) => names.sort().join())
  }
  await player.patch(path, { traits: { wits: 2 } })
  await player.patch(path, { sheet_visibility: 'PLAYER' })
  await player.patch(path, { traits: { wits: 3 }, details: { clan: 'x' } })
  await player.patch(path, { details: { clan: 'y' }, name: 'b' })
  await teller.patch(path, { sheet_visibility: 'STORYTELLER' })
  await teller.patch(path, { traits: { wits: 4 } })
  const all = ['traits.wits', 'sheet_visibility', 'details.clan,traits.wits', 'details.clan,name', 'sheet_visibility', 'traits.wits']
  assert.deepEqual(await fields(teller), all)
  for (const user of [player, other]) assert.deepEqual(await fields(user), ['sheet_visibility', 'name', 'sheet_visibility'])
  const created = (await other.get(`${path}/history?sort=date_created&limit=1`)).text
  assert.ok(!created.includes('traits.') && !created.includes('details'), created)
  await teller.patch(path, { sheet_visibility: 'PLAYER' })
  assert.deepEqual(await fields(player), [...all.slice(0, 5), 'sheet_visibility'])
  await teller.patch(path, { sheet_visibility: 'EVERYONE' })
  assert.deepEqual(await fields(other), ['traits.wits', ...Array(1).fill('sheet_visibility'), 'name', ...Array(3).fill('sheet_visibility')])
})

const withoutTraits = (text: string) => text.replace(': 7d10 (wits 4 + stealth 2 + 1), 5 more', ': 7d10 (6 + 1), 5 more')

test('a roll for a character with a hidden sheet shows its dice, and its traits only to those who see the sheet', async () => {
  const { player, other, teller, path, id, C, company_id } = await newSheet('PLAYER')
  await teller.patch(C, { desperation: 5 })
  const pool = { traits: ['wits', 'stealth'], modifier: 1, difficulty: 7, desperation_dice: 5 }
  const made = await until(async () => {
    const rolled = await player.post('/dice-rolls', { pool, character_id: id, comment: ': 7d10 (wits 4 + stealth 2 + 1)' })
    return rolled.body.strained === true && rolled
  }, 'a strained roll')
  assert.match(String(made.body.text), /: 7d10 \(wits 4 \+ stealth 2 \+ 1\), 5 more for desperation against 7: /)
  const rollPath = `/dice-rolls/${made.body.id}`
  for (const user of [player, teller]) assert.deepEqual((await user.get(rollPath)).body, made.body)
  const seen = (await other.get(rollPath)).body
  const { pool: whole, text, text_markdown } = made.body as Body & Record<'text' | 'text_markdown', string> & { pool: object }
  const anonymous = withoutTraits(text)
  const hidden = { values: [], pool: { ...whole, traits: [] }, text: anonymous, text_markdown: withoutTraits(text_markdown) }
  assert.deepEqual(seen, { ...made.body, ...hidden })
  const listed = (await other.get(`/dice-rolls?character_id=${id}&sort=-date_created&limit=1`)).body.items[0]
  assert.deepEqual(listed, { ...seen, truncated: false })
  const settled = await player.post(`${rollPath}/settle`, { choice: 'DESPAIR' })
  assert.equal(settled.body.text, `${text}; DESPAIR makes it a FAILURE`)
  assert.equal((await other.get(rollPath)).body.text, `${anonymous}; DESPAIR makes it a FAILURE`)
  const events = await db.query<{ changes: object }>(
    sql`SELECT changes FROM events WHERE company_id = ${company_id} AND resource_id = ${made.body.id}`,
  )
  assert.equal(events.length, 2)
  for (const { changes } of events) assert.doesNotMatch(JSON.stringify(changes), /"name":"wits"|wits 4 \+ stealth 2 \+ 1\), 5/)

  const traitsIn = async (user: Person, at: string) => ((await user.get(at)).body as unknown as Statistics).traits.map(({ name }) => name)
  for (const at of ['/statistics', `${C}/statistics`]) {
    if (at !== '/statistics') assert.deepEqual(await traitsIn(teller, at), ['stealth', 'wits'])
    assert.deepEqual(await traitsIn(player, at), ['stealth', 'wits'])
    assert.deepEqual(await traitsIn(other, at), [])
  }
  await teller.patch(path, { sheet_visibility: 'STORYTELLER' })
  assert.deepEqual((await player.get(rollPath)).body.pool, { ...whole, traits: [] })
  assert.deepEqual(await traitsIn(player, '/statistics'), [])
  assertProblem(await player.post('/dice-rolls', { pool, character_id: id }), 403)
  assertProblem(await player.post('/dice-rolls', { pool: { traits: ['wits'], modifier: 100 }, character_id: id }), 403)
  const quick = await player.make('/quick-rolls', { name: 'Sneak', pool: { traits: ['wits'] } })
  assertProblem(await player.post(`/quick-rolls/${quick}/roll`, { character_id: id }), 403)
  assertProblem(await other.post('/dice-rolls', { pool, character_id: id }), 403)
  assert.equal((await player.post('/dice-rolls', { pool: { dice: 3 }, character_id: id })).status, 201, 'without its traits')
  assert.equal((await teller.post('/dice-rolls', { pool, character_id: id })).status, 201)
})

test('the experience of a hidden sheet is hidden, but users see what they can spend themselves', async () => {
  const { player, other, teller, path, id, C, company_id } = await newSheet('PLAYER')
  const award = (user: Person) => teller.post(`${C}/experience/awards`, { amount: 10, reason: 'x', user_ids: [user.id] })
  for (const user of [player, other]) await award(user)
  const spend = { amount: 2, reason: 'Learned', character_id: id, trait: { name: 'wits', to: 5 } }
  const spent = await player.post(`${C}/experience/spends`, spend)
  assert.equal(spent.status, 201)
  const free = (await player.post(`${C}/experience/spends`, { amount: 1, reason: 'Free' })).body.id
  const totals = async (user: Person) => [
    (await user.get(`${C}/experience`)).body.total,
    (await user.get(`${C}/experience/entries`)).body.total,
    (await user.get(`${C}/experience/entries?character_id=${id}`)).body.total,
    (await user.get(`${C}/experience/entries?user_id=${player.id}`)).body.total,
    (await user.get(`${C}/experience/entries/${spent.body.id}`)).status,
    (await user.get(`${C}/experience/entries/${free}`)).status,
  ]
  for (const user of [player, teller]) assert.deepEqual(await totals(user), [2, 4, 1, 3, 200, 200])
  assert.deepEqual(await totals(other), [1, 1, 0, 0, 404, 404])
  await teller.patch(path, { sheet_visibility: 'STORYTELLER' })
  assert.deepEqual(await totals(player), [2, 3, 0, 2, 404, 200])
  assert.equal((await player.get('/experience')).body.total, 1)
  assertProblem(await player.post(`${C}/experience/spends`, { ...spend, trait: { name: 'wits', to: 1 } }), 403)
  assertProblem(await player.post(`${C}/experience/spends`, { amount: 1, reason: 'x', character_id: id }), 403)
  assertProblem(await player.post(`${C}/experience/entries/${spent.body.id}/reverse`, { reason: 'x' }), 404, 'Entry not found')
  assert.equal((await teller.post(`${C}/experience/entries/${spent.body.id}/reverse`, { reason: 'x' })).status, 201)
  const events = await db.query(sql`
    SELECT type, visibility, author_id FROM events
    WHERE company_id = ${company_id} AND type IN ('experience.spent', 'experience.reversed') ORDER BY id`)
  assert.deepEqual(events, [
    { type: 'experience.spent', visibility: 'STORYTELLER', author_id: player.id },
    { type: 'experience.spent', visibility: null, author_id: null },
    { type: 'experience.reversed', visibility: 'STORYTELLER', author_id: null },
  ])
})

test('players change traits as the campaign says, on every process from the next request on', async () => {
  const { player, teller, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x', traits: { wits: 1 } })}`
  await teller.post(`${C}/experience/awards`, { amount: 10, reason: 'x', user_ids: [player.id] })
  const set = (on: (typeof twoApps)[number]) => player.patch(path, { traits: { wits: 9 }, name: 'y' }, {}, on)
  const spend = (to: number, user = player) =>
    user.post(`${C}/experience/spends`, {
      amount: 1,
      reason: 'x',
      user_id: player.id,
      character_id: path.split('/').at(-1),
      trait: { name: 'wits', to },
    })
  for (const on of twoApps) assert.equal((await set(on)).status, 200)
  assertProblem(await player.patch(C, { trait_changes: 'EXPERIENCE' }), 403)
  for (const bad of ['NOBODY', null, 1]) assertProblem(await teller.patch(C, { trait_changes: bad }), 400)

  assert.equal((await teller.patch(C, { trait_changes: 'EXPERIENCE' })).body.trait_changes, 'EXPERIENCE')
  for (const on of twoApps) assertProblem(await set(on), 403)
  assert.equal((await player.patch(path, { details: { clan: 'x' }, name: 'z' })).status, 200)
  assert.deepEqual((await player.post(`${C}/characters`, { name: 'x', traits: { wits: 7 } })).body.traits, { wits: 7 })
  const raised = await spend(10)
  assert.equal(raised.status, 201)
  assert.equal((await player.post(`${C}/experience/entries/${raised.body.id}/reverse`, { reason: 'x' })).status, 201)
  assert.equal((await teller.patch(path, { traits: { wits: 2 } })).status, 200)

  await teller.patch(C, { trait_changes: 'STORYTELLER' })
  for (const on of twoApps) assertProblem(await set(on), 403)
  assertProblem(await spend(10), 403)
  const told = await spend(3, teller)
  assert.equal(told.status, 201)
  assertProblem(await player.post(`${C}/experience/entries/${told.body.id}/reverse`, { reason: 'x' }), 403)
  const refused = await player.post(`${C}/characters`, { name: 'x', traits: { wits: 7 } })
  assertProblem(refused, 400)
  assert.deepEqual(refused.body.invalid_parameters, [
    { field: 'traits', message: 'must be empty: in this campaign, the storytellers set the traits of a character' },
  ])
  const bare = await player.post(`${C}/characters`, { name: 'x', traits: {}, details: { clan: 'x' } })
  assert.deepEqual([bare.status, bare.body.traits], [201, {}])
  assert.deepEqual((await teller.post(`${C}/characters`, { name: 'x', user_id: player.id, traits: { wits: 1 } })).status, 201)
  assert.deepEqual((await player.get(path)).body.traits, { wits: 3 })
})

test('a change of traits that races with the end of free changes is either before it or rejected', async () => {
  const { player, teller, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x' })}`
  for (const on of twoApps) await player.patch(path, { traits: { wits: 0 } }, {}, on)
  const patches = Array.from({ length: 20 }, (_, i) => player.patch(path, { traits: { [`t${i}`]: 1 } }, {}, twoApps[i % 2]))
  const closed = await teller.patch(C, { trait_changes: 'STORYTELLER' }, {}, twoApps[0])
  const replies = await Promise.all(patches)
  assert.equal(closed.status, 200)
  assert.ok(replies.every(({ status }) => status === 200 || status === 403))
  const { traits } = (await teller.get(path)).body as Body & { traits: object }
  assert.equal(Object.keys(traits).length, 1 + replies.filter(({ status }) => status === 200).length)
  for (const on of twoApps) assertProblem(await player.patch(path, { traits: { late: 1 } }, {}, on), 403)
})

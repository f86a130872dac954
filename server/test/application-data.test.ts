import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { newGameTable, type Person, twoApps } from './game-table.ts'
import { type Answer, assertProblem, type Body, call, newCompany, write } from './harness.ts'
import { plans } from './plans.ts'
import { scene } from './scene.ts'

// `metadata` and `external_id`, the room for data of client applications, work the same on every resource that has them.

/** The collections whose rows have both fields, as paths of an acting user, with a body that creates a row. */
async function newCollections() {
  const table = await newGameTable()
  const { teller, C } = table
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const npc = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'Npc', type: 'NPC' })}`
  const collections: [path: string, body: object][] = [
    ['/campaigns', { name: 'Campaign' }],
    [`${C}/characters`, { name: 'Character', type: 'NPC' }],
    [`${npc}/inventory`, { name: 'Item' }],
    [`${C}/books`, { name: 'Book' }],
    [`${book}/chapters`, { name: 'Chapter' }],
    ...['', C, book, npc].map((parent): [string, object] => [`${parent}/notes`, { title: 'Note' }]),
  ]
  return { ...table, collections }
}

const kindOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

test('metadata is stored as it was sent, merged by a patch, and shown in lists', async () => {
  const { admin, collections } = await newCollections()
  const metadata = { zeta: '1', a: '', 東京: '語', __proto__x: 'x', constructor: 'y' }
  for (const [path, body] of collections) {
    const plain = await admin.post(path, body)
    assert.deepEqual([plain.status, plain.body.metadata, plain.body.external_id], [201, {}, null], path)
    const made = await admin.post(path, { ...body, metadata })
    const one = `${path}/${made.body.id}`
    assert.equal(made.status, 201, made.text)
    assert.ok(made.text.includes(JSON.stringify(metadata)), 'in the order of the request')
    assert.deepEqual((await admin.get(one)).body, made.body, path)
    const patched = await admin.patch(one, { metadata: { a: null, none: null, new: 'z' } })
    assert.deepEqual(patched.body.metadata, { zeta: '1', 東京: '語', __proto__x: 'x', constructor: 'y', new: 'z' })
    assert.equal(patched.body.version, 2)
    assert.equal((await admin.patch(one, { metadata: { new: 'z', none: null } })).body.version, 2, 'nothing changed')
    const listed = (await admin.get(`${path}?limit=100`)).body.items.find(({ id }) => id === made.body.id)
    assert.deepEqual([listed?.metadata, listed?.truncated], [patched.body.metadata, false])
    const hostile = await admin.patch(one, '{"metadata":{"__proto__":"p"}}', { 'content-type': 'application/json' })
    assert.ok(hostile.text.includes('"__proto__":"p"'), hostile.text)
  }
})

test('metadata has at most 50 texts of 500 characters, with keys of 1 to 40 characters', async () => {
  const { admin, collections } = await newCollections()
  const keys = (count: number, value = 'v') => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, value]))
  const largest = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.padStart(40, 'ü'), '\u0001'.repeat(500)]))
  for (const [path, body] of collections) {
    for (const metadata of [
      keys(51),
      { '': 'x' },
      { ['k'.repeat(41)]: 'x' },
      { k: 'v'.repeat(501) },
      { k: 1 },
      { k: null },
      { k: {} },
      [],
      null,
      'x',
    ])
      assertProblem(await admin.post(path, { ...body, metadata }), 400)
    const made = await admin.post(path, { ...body, metadata: largest })
    assert.equal(made.status, 201, made.text.slice(0, 300))
    const one = `${path}/${made.body.id}`
    assert.deepEqual((await admin.get(one)).body.metadata, largest)
    const { items } = (await admin.get(`${path}?sort=-date_created&limit=1`)).body
    assert.deepEqual([items[0]?.id, items[0]?.metadata, items[0]?.truncated], [made.body.id, {}, true], 'too large for a list')
    const tooMany = await admin.patch(one, { metadata: { more: 'x' } })
    assertProblem(tooMany, 400)
    assert.deepEqual(tooMany.body.invalid_parameters, [{ field: 'metadata', message: 'must have at most 50 keys in total' }])
    assert.equal((await admin.patch(one, { metadata: { more: 'x', [Object.keys(largest)[0] as string]: null } })).status, 200)
    assertProblem(await admin.patch(one, { metadata: null }), 400)
    await admin.delete(one)
  }
})

test('an external_id is unique among the live rows of a kind, and finds its row', async () => {
  const { admin, player, collections } = await newCollections()
  const noteIds: string[] = []
  for (const [path, body] of collections) {
    const kind = kindOf(path)
    const external_id = kind === 'notes' ? `app:note ${noteIds.length}` : 'app:17'
    const made = await admin.post(path, { ...body, external_id })
    assert.deepEqual([made.status, made.body.external_id], [201, external_id], made.text)
    if (kind === 'notes') noteIds.push(made.body.id)
    const one = `${path}/${made.body.id}`
    const find = async (person: Person, query: string) => {
      const { items, total } = (await person.get(`${path}?external_id=${encodeURIComponent(query)}`)).body
      assert.equal(items.length, total)
      return items.map(({ id }) => id)
    }
    assert.deepEqual(await find(admin, external_id), [made.body.id], path)
    assert.deepEqual(await find(admin, 'app:1'), [])
    if (path !== '/notes') assert.deepEqual(await find(player, external_id), [made.body.id], 'everyone who sees the row finds it')
    assertProblem(await admin.get(`${path}?external_id=`), 400)

    const duplicate = await admin.post(path, { ...body, external_id })
    assertProblem(duplicate, 409, /^Another [a-z]+ of this company has this external_id\. /)
    assert.deepEqual([duplicate.body.code, duplicate.body.id], ['duplicate', made.body.id])
    const other = await admin.post(path, body)
    const patched = await admin.patch(`${path}/${other.body.id}`, { external_id })
    assert.deepEqual([patched.status, patched.body.code, patched.body.id], [409, 'duplicate', made.body.id])

    await admin.delete(one)
    assert.equal((await admin.patch(`${path}/${other.body.id}`, { external_id })).status, 200, 'an archived row gives it free')
    const restored = await admin.post(`${one}/restore`)
    assert.deepEqual([restored.status, restored.body.code, restored.body.id], [409, 'duplicate', other.body.id])
    assert.equal((await admin.patch(`${path}/${other.body.id}`, { external_id: null })).body.external_id, null)
    assert.equal((await admin.post(`${one}/restore`)).body.external_id, external_id)
    for (const bad of ['', 'x'.repeat(256), 7, {}]) assertProblem(await admin.post(path, { ...body, external_id: bad }), 400)
    assert.equal(
      (await admin.post(path, { ...body, external_id: '語'.repeat(255) })).status,
      kind === 'notes' && noteIds.length > 1 ? 409 : 201,
    )
  }
})

test('of concurrent creations with the same external_id on two processes one succeeds, and the others name its row', async () => {
  const { admin, C } = await newGameTable()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      admin.post(`${C}/characters`, { name: `Racer ${i}`, type: 'NPC', external_id: 'race' }, {}, twoApps[i % 2] as (typeof twoApps)[0]),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...new Array(19).fill(409)])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
})

test('companies do not share external ids', async () => {
  const [one, two] = [await newGameTable(), await newGameTable()]
  for (const { admin, C } of [one, two])
    assert.equal((await admin.post(`${C}/characters`, { name: 'Npc', type: 'NPC', external_id: 'same' })).status, 201)
})

for (const op of plans.filter(({ writesExternalId, inCompany }) => writesExternalId && inCompany)) {
  test(`${op.id}: only ADMINs, and keys without an acting user, may write an external_id`, async () => {
    const { send, body, user_id, company_id, eventsOf, key, user } = await scene(op)
    // Otherwise the acting user is the last one, whose role cannot change.
    await user('ADMIN')
    const actor: Record<string, string> = op.actor === 'path' ? {} : { 'on-behalf-of': user_id }
    const sendAs = (role: string, external_id: string | null) =>
      write(sql`UPDATE users SET role = ${role} WHERE company_id = ${company_id} AND id = ${user_id}`).then(() =>
        send({ key, headers: actor, body: { ...body, external_id } }),
      )
    for (const role of ['PLAYER', 'STORYTELLER']) {
      for (const external_id of ['app:1', null]) {
        const refused = await sendAs(role, external_id)
        assertProblem(refused, 403, 'No rights to access this resource')
        assert.deepEqual([refused.body.reason, refused.body.needs], ['role', { role: 'ADMIN' }])
        assert.deepEqual(await eventsOf(refused.headers['x-request-id'] as string), [])
      }
    }
    const written = await sendAs('ADMIN', 'app:1')
    assert.ok(written.status < 300, written.text)
    assert.equal(written.body.external_id, 'app:1')
    if (op.actor === 'path') return
    const byKey = await send({ body: { ...body, external_id: 'app:2' } })
    assert.deepEqual([byKey.status < 300, byKey.body.external_id], [true, 'app:2'], byKey.text)
  })
}

test('every resource with an external_id documents who may write it, and its list finds it', () => {
  const writers = plans.filter(({ writesExternalId }) => writesExternalId)
  assert.ok(writers.length >= 22, `${writers.length}`)
  for (const op of writers) {
    const path = op.method === 'POST' ? op.path : op.path.replace(/\/{\w+}$/, '')
    const filters = plans.find((other) => other.isList && other.path === path)?.query?.properties
    assert.ok('external_id' in (filters ?? {}), `${op.id} has no list with this filter`)
  }
})

test('metadata of rolls and ledger entries is given when they are made', async () => {
  const { teller, player, C, campaign_id } = await newGameTable()
  const metadata = { message: '1049', b: '2', a: '1' }
  const roll = await player.post('/dice-rolls', { notation: '3d6', campaign_id, metadata })
  assert.ok(roll.text.includes(JSON.stringify(metadata)), roll.text)
  assert.deepEqual((await player.get(`/dice-rolls/${roll.body.id}`)).body, roll.body)
  assert.deepEqual((await player.get('/dice-rolls')).body.items[0]?.metadata, metadata)
  assert.deepEqual((await player.post('/dice-rolls', { notation: '1' })).body.metadata, {})
  const quick = await player.make('/quick-rolls', { name: 'Quick', pool: { dice: 2 } })
  assert.deepEqual((await player.post(`/quick-rolls/${quick}/roll`, { metadata })).body.metadata, metadata)

  const award = await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'Brave', user_ids: [player.id, teller.id], metadata })
  assert.deepEqual(
    award.body.items.map((entry) => [entry.metadata, entry.truncated]),
    [
      [metadata, false],
      [metadata, false],
    ],
  )
  const spend = await player.post(`${C}/experience/spends`, { amount: 1, reason: 'Learned', metadata })
  const reversal = await player.post(`${C}/experience/entries/${spend.body.id}/reverse`, { reason: 'Mistake', metadata: { undo: '1' } })
  assert.deepEqual([spend.body.metadata, reversal.body.metadata], [metadata, { undo: '1' }])
  const entries = (await player.get(`${C}/experience/entries`)).body.items
  assert.deepEqual(
    entries.map((entry: Body) => entry.metadata),
    [metadata, metadata, metadata, { undo: '1' }],
  )
  assert.deepEqual((await player.get(`${C}/experience/entries/${spend.body.id}`)).body.metadata, metadata)
  const large = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`, 'v'.repeat(500)]))
  const cut = await teller.post(`${C}/experience/awards`, { amount: 1, reason: 'Brave', user_ids: [player.id], metadata: large })
  const [entry] = cut.body.items
  assert.deepEqual([entry?.metadata, entry?.truncated], [{}, true])
  assert.deepEqual((await player.get(`${C}/experience/entries/${entry?.id}`)).body.metadata, large)
  for (const [path, body] of [
    ['/dice-rolls', { notation: '1' }],
    [`${C}/experience/spends`, { amount: 1, reason: 'x' }],
  ] as const) {
    assertProblem(await player.post(path, { ...body, metadata: { k: 1 } }), 400)
    assertProblem(await player.post(path, { ...body, external_id: 'x' }), 400)
  }
})

test('a duplicate does not name a row that the writer may not see', async () => {
  const { admin, person } = await newGameTable()
  const other = await person('ADMIN')
  const note = { title: 'Note', external_id: 'app:diary' }
  const own = await other.make('/notes', note)
  assert.equal((await other.post('/notes', note)).body.id, own)
  const created = await admin.post('/notes', note)
  const patched = await admin.patch(`/notes/${await admin.make('/notes', { title: 'Note' })}`, { external_id: 'app:diary' })
  for (const { status, body } of [created, patched]) assert.deepEqual([status, body.code, 'id' in body], [409, 'duplicate', false])
})

test('the lists across campaigns find a row by its external_id, and books list their chapters without data of applications', async () => {
  const { admin, base, key, C } = await newGameTable()
  const external_id = 'app:across'
  const campaign = await admin.make('/campaigns', { name: 'Campaign', external_id })
  const character = await admin.make(`${C}/characters`, { name: 'Hero', user_id: admin.id, external_id })
  await admin.make(`${C}/characters`, { name: 'Other', user_id: admin.id })
  const book = await admin.make(`${C}/books`, { name: 'Book' })
  await admin.make(`${C}/books/${book}/chapters`, { name: 'Chapter', external_id, metadata: { k: 'v' } })
  const note = await admin.make(`${C}/books/${book}/notes`, { title: 'Note', external_id })
  const find = async (path: string) =>
    (await call('GET', `${path}${path.includes('?') ? '&' : '?'}external_id=${external_id}`, { key })).body.items.map(({ id }) => id)
  const N = `${base}/users/${admin.id}`
  assert.deepEqual(await find(`${base}/campaigns`), [campaign])
  assert.deepEqual(await find(`${base}/characters`), [character])
  assert.deepEqual(await find(`${N}/characters`), [character])
  assert.deepEqual(await find(`${N}${C}/notes?scope=all`), [note])
  assert.deepEqual(await find(`${N}${C}/notes`), [])
  const chapterIn = (listed: unknown) => (listed as { chapters: Body[] }).chapters[0]
  assert.deepEqual(chapterIn((await admin.get(`${C}/books/${book}?include=chapters`)).body)?.metadata, { k: 'v' })
  const preview = chapterIn((await admin.get(`${C}/books?include=chapters`)).body.items[0])
  assert.deepEqual([preview?.name, 'metadata' in (preview ?? {}), 'external_id' in (preview ?? {})], ['Chapter', false, false])
})

test('a restore does not name a row of a campaign that the user does not see', async () => {
  const { admin, teller, C } = await newGameTable()
  const npc = `${C}/characters/${await admin.make(`${C}/characters`, { name: 'Npc', type: 'NPC', external_id: 'app:npc' })}`
  await teller.delete(npc)
  const hidden = await admin.make('/campaigns', { name: 'Private', access: 'MEMBERS' })
  const holder = await admin.make(`/campaigns/${hidden}/characters`, { name: 'Holder', type: 'NPC', external_id: 'app:npc' })
  const refused = await teller.post(`${npc}/restore`)
  assert.deepEqual([refused.status, refused.body.code, 'id' in refused.body], [409, 'duplicate', false])
  assert.equal((await admin.post(`${npc}/restore`)).body.id, holder, 'an ADMIN sees everything')
})

test('users and quick rolls name the row that has a value', async () => {
  const { base, key } = await newCompany()
  const post = (name: string): Promise<Answer> =>
    call('POST', `${base}/users`, { key, body: { name, role: 'PLAYER', external_id: 'x', metadata: { k: 'v' } } })
  const [first, second] = [await post('First'), await post('Second')]
  assert.deepEqual([second.status, second.body.code, second.body.id], [409, 'duplicate', first.body.id])
  assert.deepEqual((await call('GET', `${base}/users`, { key })).body.items[0]?.metadata, { k: 'v' })
  const { player } = await newGameTable()
  const quick = await player.make('/quick-rolls', { name: 'Stealth', pool: { dice: 2 } })
  const taken = await player.post('/quick-rolls', { name: 'STEALTH', pool: { dice: 3 } })
  assert.deepEqual([taken.body.code, taken.body.id], ['duplicate', quick])
  const other = await player.make('/quick-rolls', { name: 'Other', pool: { dice: 2 } })
  assert.equal((await player.patch(`/quick-rolls/${other}`, { name: 'stealth' })).body.id, quick)
})

import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call, db } from './harness.ts'
import { plans } from './plans.ts'
import { recordedApp, statementsOf } from './recorded.ts'

// For users who may not see a secret, it does not exist. Two worlds that differ only in their secrets must give these users equal replies
// to every request.

const WORD = 'zzyzx'

async function newWorld(hasSecrets: boolean) {
  const table = await newGameTable()
  const { teller, player, stranger, C } = table
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC' })
  const noteParents = [
    C,
    `${C}/books/${book}`,
    `${C}/books/${book}/chapters/${chapter}`,
    `${C}/characters/${hero}`,
    `${C}/characters/${npc}`,
  ]
  for (const parent of noteParents) await player.make(`${parent}/notes`, { title: 'Open note', body: 'Known to all' })
  await player.make('/notes', { title: 'Own note' })
  // A roll without dice has the same result in both worlds.
  const openRoll = await player.make('/dice-rolls', { notation: '7', campaign_id: table.campaign_id })
  await stranger.make('/campaigns', { name: 'Elsewhere' })
  const params: Record<string, string> = {
    company_id: table.company_id,
    campaign_id: table.campaign_id,
    book_id: book,
    chapter_id: chapter,
    character_id: hero,
    member_id: teller.id,
    roll_id: openRoll,
  }
  const hidden: Record<string, string> = {}
  if (hasSecrets) {
    hidden.character_id = await teller.make(`${C}/characters`, {
      name: `Mister ${WORD}`,
      type: 'NPC',
      visibility: 'STORYTELLER',
      biography: `The ${WORD} is a ghoul`,
      concept: WORD,
      traits: { [WORD]: 5 },
    })
    await teller.make(`${C}/characters/${hidden.character_id}/inventory`, { name: `Cup of ${WORD}` })
    await teller.make(`${C}/characters/${hidden.character_id}/notes`, { title: `Note on ${WORD}`, body: WORD })
    const archived = await teller.make(`${C}/characters`, { name: `Gone ${WORD}`, type: 'NPC', visibility: 'STORYTELLER' })
    await teller.delete(`${C}/characters/${archived}`)
    for (const parent of noteParents) {
      hidden.note_id = await teller.make(`${parent}/notes`, { title: `For tellers: ${WORD}`, body: WORD, visibility: 'STORYTELLER' })
      await teller.make(`${parent}/notes`, { title: `For me: ${WORD}`, body: WORD, visibility: 'AUTHOR' })
      await teller.delete(`${parent}/notes/${await teller.make(`${parent}/notes`, { title: `Gone ${WORD}`, visibility: 'STORYTELLER' })}`)
    }
    await teller.make('/notes', { title: `My own ${WORD}`, body: WORD })
    const roll = { notation: '3d6', campaign_id: table.campaign_id, comment: WORD }
    hidden.roll_id = await teller.make('/dice-rolls', { ...roll, visibility: 'STORYTELLER' })
    await teller.make('/dice-rolls', { ...roll, visibility: 'BLIND', character_id: hidden.character_id })
    await player.make('/dice-rolls', { ...roll, visibility: 'BLIND' })
  }
  return { ...table, params, hidden, npc }
}

/** Masks the ids, times and hashes of a reply, which differ between companies. */
const masked = ({ status, text }: Answer) =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*')
    .replaceAll(/req_[\w-]+/g, '*')
    .replaceAll(/[0-9a-f]{64}/g, '*')}`

const reads = plans.filter(({ act, inCompany }) => act === 'read' && inCompany)
const QUERIES = [
  '',
  'limit=0',
  'limit=1',
  'sort=-date_created',
  'sort=name',
  'sort=-number',
  `q=${WORD}`,
  'q=mister',
  'q=ghoul',
  'archived=true',
  'include=inventory,notes',
  'type=NPC',
  'status=ACTIVE',
  `q=${WORD}&type=character,note`,
  `q=${WORD}x`,
  'q=zzyzy',
]

test('every list, count, include, filter and search gives the same reply with and without secrets', async () => {
  const [open, secret] = [await newWorld(false), await newWorld(true)]
  const userKeys = [(await open.developer('USER')).key, (await secret.developer('USER')).key] as const
  const viewers = ['player', 'other', 'stranger', 'nobody'] as const
  let compared = 0
  for (const op of reads) {
    for (const query of QUERIES) {
      for (const viewer of viewers) {
        if (viewer === 'nobody' && op.actor === 'path') continue
        const replies = await Promise.all(
          [open, secret].map((world, i) => {
            const user = viewer === 'nobody' ? world.player : world[viewer]
            const params = { ...world.params, user_id: user.id, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
            const headers: Record<string, string> = viewer === 'nobody' ? {} : { 'on-behalf-of': user.id }
            return call('GET', `/api/v1${op.fill((name) => params[name as 'user_id'])}${query && `?${query}`}`, {
              key: userKeys[i as 0 | 1],
              headers,
            })
          }),
        )
        const [without, withSecrets] = replies as [Answer, Answer]
        assert.equal(masked(withSecrets), masked(without), `${op.id}?${query} as ${viewer}`)
        assert.ok(!withSecrets.text.includes(`Mister ${WORD}`) && !withSecrets.text.includes('ghoul'), `${op.id}?${query} as ${viewer}`)
        if (withSecrets.status === 200) compared++
      }
    }
  }
  assert.ok(compared > 150, `only ${compared} replies were compared`)
})

test('the email and external_id of other users give the same reply whatever they are, except to ADMINs and keys without an acting user', async () => {
  const names = ['plain', WORD]
  const worlds = await Promise.all(names.map(() => newWorld(false)))
  for (const [i, { base, key, teller, admin }] of worlds.entries()) {
    for (const { id } of [teller, admin]) {
      const body = { email: `${names[i]}@example.com`, external_id: `app:${names[i]}:${id === admin.id}` }
      assert.equal((await call('PATCH', `${base}/users/${id}`, { key, body })).status, 200)
    }
  }
  const queries = [...QUERIES, `external_id=app:${WORD}:true`, 'external_id=app:plain:true', 'q=example.com', 'role=ADMIN']
  let compared = 0
  for (const op of reads) {
    for (const query of queries) {
      for (const viewer of ['player', 'other', 'stranger'] as const) {
        const replies = await Promise.all(
          worlds.map(({ params, key, ...world }) => {
            const ids = { ...params, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
            // On the path of a user who does not act, the other user is read.
            const user_id = op.actor === 'path' ? world[viewer].id : world.teller.id
            const path = op.fill((name) => ({ ...ids, user_id })[name as 'user_id'])
            return call('GET', `/api/v1${path}${query && `?${query}`}`, { key, headers: { 'on-behalf-of': world[viewer].id } })
          }),
        )
        const [one, two] = replies as [Answer, Answer]
        assert.equal(masked(two), masked(one), `${op.id}?${query} as ${viewer}`)
        assert.ok(!two.text.includes(`${WORD}@`) && !two.text.includes(`app:${WORD}`), `${op.id}?${query} as ${viewer}`)
        if (two.status === 200) compared++
      }
    }
  }
  assert.ok(compared > 150, `only ${compared} replies were compared`)
  const [{ base, key, developer, teller, admin, player }] = worlds.slice(1) as [Awaited<ReturnType<typeof newWorld>>]
  const { key: userKey } = await developer('USER')
  for (const [headers, apiKey] of [
    [{}, key],
    [{}, userKey],
    [{ 'on-behalf-of': admin.id }, userKey],
    [{ 'on-behalf-of': teller.id }, userKey],
  ] as [Record<string, string>, string][]) {
    const { body } = await call('GET', `${base}/users/${teller.id}`, { key: apiKey, headers })
    assert.deepEqual([body.email, body.external_id], [`${WORD}@example.com`, `app:${WORD}:false`])
    const found = await call('GET', `${base}/users?external_id=app:${WORD}:false`, { key: apiKey, headers })
    assert.deepEqual([found.body.total, found.body.items[0]?.email], [1, `${WORD}@example.com`])
  }
  const hidden = await call('GET', `${base}/users/${teller.id}`, { key, headers: { 'on-behalf-of': player.id } })
  assert.deepEqual([hidden.body.email, hidden.body.external_id], [null, null])
  assert.equal(hidden.headers.etag, `"${hidden.body.version}-${hash('sha1', hidden.text, 'base64url').slice(0, 16)}"`)
})

test('storytellers of the campaign and admins see all secrets', async () => {
  const { teller, admin, stranger, C, base, key } = await newWorld(true)
  for (const user of [teller, admin]) {
    assert.deepEqual((await user.get(C)).body.counts, { members: 2, player_characters: 1, npcs: 2, books: 1 })
    assert.equal((await user.get(`${C}/characters`)).body.total, 3)
    assert.ok((await user.get(`/search?q=${WORD}`)).body.total >= 7)
  }
  assert.deepEqual(((await stranger.get(C)).body.counts as { npcs: number }).npcs, 1)
  const elsewhere = (await stranger.get('/campaigns?q=elsewhere')).body.items[0]?.id
  await stranger.make(`/campaigns/${elsewhere}/characters`, { name: `Other ${WORD}`, type: 'NPC', visibility: 'STORYTELLER' })
  assert.equal((await stranger.get(`/search?q=${WORD}`)).body.total, 1, 'only their own secret')
  const all = (await call('GET', `${base}/search?q=${WORD}&limit=100`, { key })).body
  assert.equal(all.total, (await admin.get(`/search?q=${WORD}`)).body.total, 'an ADMIN key without an actor sees everything')
})

/** Masks the request id of a reply. */
const withoutRequestId = ({ status, text }: Answer) => `${status} ${text.replaceAll(/req_[\w-]+/g, '*')}`

/** Operations of a company that need more than a USER key, because they administer it. */
const administering = plans.filter(({ needs, inCompany }) => inCompany && needs.key !== 'USER')

test('with a USER key, an acting ADMIN in the path or in On-Behalf-Of reads everything that an ADMIN reads', async () => {
  const { admin, params, hidden, base, key, developer, user } = await newWorld(true)
  const userKey = (await developer('USER')).key
  await call('DELETE', `${base}/users/${await user('PLAYER', 'Archived')}`, { key })
  const ids: Record<string, string> = { ...params, ...hidden, user_id: admin.id, item_id: randomUUID(), developer_id: randomUUID() }
  let repliesWithSecret = 0
  for (const op of reads.filter((op) => !administering.includes(op))) {
    for (const query of QUERIES) {
      const path = `/api/v1${op.fill((name) => ids[name] ?? randomUUID())}${query && `?${query}`}`
      const headers = { 'on-behalf-of': admin.id }
      const expected = await call('GET', path, { key, headers })
      const byHeader = await call('GET', path, { key: userKey, headers })
      // Archived users are listed only for callers who may restore them, which needs an ADMIN key.
      if (op.id === 'users.list' && query === 'archived=true') {
        assert.deepEqual([expected.body.total, byHeader.body.total], [1, 0])
        continue
      }
      assert.equal(withoutRequestId(byHeader), withoutRequestId(expected), `${op.id}?${query} by the header`)
      if (op.actor === 'path')
        assert.equal(
          withoutRequestId(await call('GET', path, { key: userKey })),
          withoutRequestId(expected),
          `${op.id}?${query} by the path`,
        )
      if (byHeader.text.includes(WORD)) repliesWithSecret++
    }
  }
  assert.ok(repliesWithSecret > 50, `only ${repliesWithSecret} replies contained a secret`)
  const [inPath, inHeader] = await Promise.all([
    call('GET', `${base}/users/${admin.id}/search?q=${WORD}&limit=100`, { key: userKey }),
    call('GET', `${base}/search?q=${WORD}&limit=100`, { key: userKey, headers: { 'on-behalf-of': admin.id } }),
  ])
  assert.ok(inPath.body.total >= 7)
  assert.deepEqual(inHeader.body, inPath.body)
  const statistics = await call('GET', `${base}/statistics`, { key: userKey, headers: { 'on-behalf-of': admin.id } })
  assert.equal(statistics.body.rolls, 4)
})

test('with a USER key, an acting ADMIN cannot administer the company', async () => {
  const { admin, player, params, base, developer, events } = await newWorld(true)
  const { key, id: developer_id } = await developer('USER')
  const before = await events()
  const headers = { 'on-behalf-of': admin.id }
  assert.ok(administering.length >= 10)
  for (const op of administering) {
    assert.equal(op.needs.role, 'ADMIN', op.id)
    const path = `/api/v1${op.fill((name) => ({ ...params, user_id: player.id, developer_id })[name as 'user_id'])}`
    const reply = await call(op.method, path, { key, headers, ...(op.body && { body: sampleOf(op.body) }) })
    assertProblem(reply, 403, 'No rights to access this resource')
  }
  for (const role of ['STORYTELLER', 'ADMIN'])
    assertProblem(await call('POST', `${base}/users`, { key, headers, body: { name: 'Promoted', role } }), 403)
  for (const [user_id, body] of [
    [player.id, { role: 'ADMIN' }],
    [player.id, { name: 'Renamed' }],
    [admin.id, { role: 'PLAYER' }],
    [admin.id, { external_id: 'mine' }],
  ] as const)
    assertProblem(await call('PATCH', `${base}/users/${user_id}`, { key, headers, body }), 403)
  assert.deepEqual(await events(), before)
})

/** Returns true if the path of the operation has the parameter and names the acting user. */
const hasParam = (op: Plan, param: string) => op.params.some(({ name }) => name === param) && op.actor === 'path'

for (const param of ['character_id', 'note_id', 'roll_id']) {
  test(`a hidden ${param} gets the same reply as a missing one, with the same statements`, async () => {
    const { player, params, hidden, key, C, teller } = await newWorld(true)
    const ids = { ...params, user_id: player.id, item_id: randomUUID(), note_id: hidden.note_id as string }
    const landlord = (await teller.get(`${C}/characters?q=landlord`)).body.items[0]?.id as string
    let compared = 0
    for (const op of plans.filter((op) => hasParam(op, param))) {
      // The hidden note belongs to the landlord.
      const parent = param === 'note_id' ? { character_id: landlord } : {}
      const send = (id: string) =>
        statementsOf(() =>
          call(op.method, `/api/v1${op.fill((name) => ({ ...ids, ...parent, [param]: id })[name as 'user_id'])}`, {
            key,
            on: recordedApp,
            ...(op.body && { body: example(op.body) }),
          }),
        )
      // Send each once before, so that both have a recalled caller.
      const unknownId = randomUUID()
      await send(unknownId)
      await send(hidden[param] as string)
      const [missing, secret] = [await send(unknownId), await send(hidden[param] as string)]
      assert.equal(masked(secret.answer), masked(missing.answer), op.id)
      assert.deepEqual(secret.sent, missing.sent, op.id)
      assert.equal(secret.answer.status, 404, op.id)
      compared++
    }
    assert.ok(compared >= 3, `${compared}`)
  })
}

test('events of secrets carry the visibility of the secret', async () => {
  const { teller, C, hidden, company_id, campaign_id } = await newWorld(true)
  await teller.patch(`${C}/characters/${hidden.character_id}`, { visibility: 'OPEN', name: `Revealed ${WORD}` })
  const leaks = await db.query<{ type: string; visibility: string | null }>(
    sql`SELECT type, visibility FROM events WHERE company_id = ${company_id} AND changes::text LIKE ${`%${WORD}%`} AND visibility IS NULL`,
  )
  assert.deepEqual(leaks, [])
  const authors = await db.query(
    sql`SELECT 1 FROM events WHERE company_id = ${company_id} AND visibility = 'AUTHOR' AND author_id = ${teller.id}`,
  )
  assert.ok(authors.length >= 5)
  const outsideCampaign = await db.query<{ type: string }>(
    sql`SELECT DISTINCT type FROM events WHERE company_id = ${company_id} AND campaign_id IS DISTINCT FROM ${campaign_id}`,
  )
  assert.deepEqual(outsideCampaign.map(({ type }) => type).sort(), ['campaign.created', 'member.added', 'note.created'])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
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
  const sheets = await newHiddenSheets(table, hasSecrets)
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
  return { ...table, params, hidden, npc, sheets }
}

/**
 * Makes characters with sheets that are hidden from all viewers, and the same public rolls for them. Their traits, details, items and experience are
 * secrets, which exist in one of the two worlds. That something changed is none, so each character has the same version in both.
 */
async function newHiddenSheets({ teller, other, person, C }: Awaited<ReturnType<typeof newGameTable>>, hasSecrets: boolean) {
  const owner = await person('PLAYER', 'Owner')
  const masked = await owner.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER' })
  const cursed = await teller.make(`${C}/characters`, { name: 'Cursed', user_id: other.id, sheet_visibility: 'STORYTELLER' })
  const klarg = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC', sheet_visibility: 'STORYTELLER' })
  const ids = [masked, cursed, klarg]
  for (const character_id of ids) await teller.make('/dice-rolls', { notation: '5', character_id })
  for (const id of ids) {
    const path = `${C}/characters/${id}`
    const sheet = { traits: { [WORD]: 3, hp: -7 }, details: { clan: `Of ${WORD}`, story: WORD.repeat(300) } }
    await teller.patch(path, hasSecrets ? sheet : { traits: { luck: 1 } })
    if (!hasSecrets) continue
    const item = `${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Ring of ${WORD}`, description: WORD })}`
    await teller.post(`${item}/adjust`, { quantity: 1 })
    await teller.delete(`${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Lost ${WORD}` })}`)
    const pool = { traits: [WORD], difficulty: 6 }
    await teller.make('/dice-rolls', { pool, character_id: id, visibility: 'STORYTELLER', comment: WORD })
  }
  if (!hasSecrets) {
    for (const luck of [2, 3]) await teller.patch(`${C}/characters/${masked}`, { traits: { luck } })
    return { owner, ids }
  }
  await teller.post(`${C}/experience/awards`, { amount: 9, reason: `For ${WORD}`, user_ids: [owner.id] })
  const spend = { amount: 2, reason: `Bought ${WORD}` }
  await owner.make(`${C}/experience/spends`, spend)
  const spent = await owner.make(`${C}/experience/spends`, { ...spend, character_id: masked, trait: { name: WORD, to: 4 } })
  await owner.make(`${C}/experience/entries/${spent}/reverse`, { reason: `Not ${WORD}` })
  return { owner, ids }
}

/** Masks the ids, times and hashes of a reply, which differ between companies. */
const masked = ({ status, text }: Answer) =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*')
    .replaceAll(/req_[\w-]+/g, '*')
    .replaceAll(/[0-9a-f]{64}/g, '*')}`

type World = Awaited<ReturnType<typeof newWorld>>
const VIEWERS = ['player', 'other', 'stranger', 'nobody'] as const

/** Sends a read to both worlds as the same viewer: a user, or a USER key without one. */
async function bothWorlds(
  worlds: [World, World],
  keys: readonly [string, string],
  viewer: (typeof VIEWERS)[number],
  path: (world: World, user_id: string) => string,
) {
  const replies = worlds.map((world, i) => {
    const user = viewer === 'nobody' ? world.player : world[viewer]
    const headers: Record<string, string> = viewer === 'nobody' ? {} : { 'on-behalf-of': user.id }
    return call('GET', path(world, user.id), { key: keys[i as 0 | 1], headers })
  })
  return (await Promise.all(replies)) as [Answer, Answer]
}

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

async function newWorlds() {
  const worlds: [World, World] = [await newWorld(false), await newWorld(true)]
  const keys = [(await worlds[0].developer('USER')).key, (await worlds[1].developer('USER')).key] as const
  return { worlds, keys }
}

test('every list, count, include, filter and search gives the same reply with and without secrets', async () => {
  const { worlds, keys } = await newWorlds()
  let compared = 0
  for (const op of reads) {
    for (const query of QUERIES) {
      for (const viewer of VIEWERS) {
        if (viewer === 'nobody' && op.actor === 'path') continue
        const [without, withSecrets] = await bothWorlds(worlds, keys, viewer, (world, user_id) => {
          const params = { ...world.params, user_id, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
          return `/api/v1${op.fill((name) => params[name as 'user_id'])}${query && `?${query}`}`
        })
        assert.equal(masked(withSecrets), masked(without), `${op.id}?${query} as ${viewer}`)
        assert.ok(!withSecrets.text.includes(`Mister ${WORD}`) && !withSecrets.text.includes('ghoul'), `${op.id}?${query} as ${viewer}`)
        if (withSecrets.status === 200) compared++
      }
    }
  }
  assert.ok(compared > 150, `only ${compared} replies were compared`)
})

test('every read of a character with a hidden sheet gives the same reply, whatever is on the sheet', async () => {
  const { worlds, keys } = await newWorlds()
  const queries = ['', 'limit=0', 'sort=-date_created', `q=${WORD}`, 'archived=true', 'include=inventory,notes']
  const below = reads.filter(({ params }) => params.some(({ name }) => name === 'character_id'))
  const reading = below.flatMap((op) =>
    [0, 1, 2].flatMap((i) =>
      queries.map((query) => (world: World, user_id: string) => {
        const params = { ...world.params, user_id, character_id: world.sheets.ids[i], note_id: randomUUID(), item_id: randomUUID() }
        return `/api/v1${op.fill((name) => params[name as 'user_id'] as string)}${query && `?${query}`}`
      }),
    ),
  )
  const filters = (world: World) => [
    ...world.sheets.ids.flatMap((id) => [`/dice-rolls?character_id=${id}`, `${world.C}/experience/entries?character_id=${id}`]),
    `/dice-rolls?campaign_id=${world.campaign_id}&limit=100`,
    `${world.C}/experience/entries?user_id=${world.sheets.owner.id}`,
    `${world.C}/experience/entries?kind=SPEND`,
    `${world.C}/characters?user_id=${world.sheets.owner.id}&include=inventory`,
    `${world.C}/characters?limit=100&offset=1&sort=name&include=inventory`,
  ]
  const filtering = filters(worlds[0]).map(
    (_, i) => (world: World, user_id: string) => `${world.base}/users/${user_id}${filters(world)[i]}`,
  )
  let compared = 0
  for (const path of [...reading, ...filtering]) {
    for (const viewer of VIEWERS.filter((name) => name !== 'nobody')) {
      const [without, withSecrets] = await bothWorlds(worlds, keys, viewer, path)
      const read = `${path(worlds[1], '*')} as ${viewer}`
      assert.equal(masked(withSecrets), masked(without), read)
      // A problem may repeat the query.
      assert.ok(withSecrets.status !== 200 || !withSecrets.text.includes(WORD), read)
      assert.ok(!withSecrets.text.includes('luck') && !without.text.includes('luck'), read)
      if (withSecrets.status === 200) compared++
    }
  }
  assert.ok(compared > 100, `only ${compared} replies were compared`)
})

test('storytellers of the campaign and admins see all secrets', async () => {
  const { teller, admin, stranger, C, base, key } = await newWorld(true)
  for (const user of [teller, admin]) {
    assert.deepEqual((await user.get(C)).body.counts, { members: 4, player_characters: 3, npcs: 3, books: 1 })
    assert.equal((await user.get(`${C}/characters`)).body.total, 6)
    assert.ok((await user.get(`/search?q=${WORD}`)).body.total >= 7)
  }
  assert.deepEqual(((await stranger.get(C)).body.counts as { npcs: number }).npcs, 2)
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
  assert.equal(statistics.body.rolls, 10)
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
  // Of a sheet that is hidden, only traits and details are secret. An entry without a character belongs to its user.
  const leaks = await db.query<{ type: string; visibility: string | null }>(sql`
    SELECT type, visibility FROM events
    WHERE company_id = ${company_id} AND visibility IS NULL AND changes::text LIKE ${`%${WORD}%`}
      AND (sheet_visibility IS NULL OR (changes - '{traits,details}'::text[])::text LIKE ${`%${WORD}%`})
      AND (type NOT LIKE 'experience.%' OR changes ? 'character_id')`)
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

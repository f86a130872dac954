import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isId } from '../src/core/ids.ts'
import { type Answer, call } from './harness.ts'
import { bothWorlds, masked, newWorld, QUERIES, queriesFor, reads, sharedWorlds, VIEWERS, WORD, type World } from './worlds.ts'

// Lists, counts, pages and single resources, as users read them who may not see a secret.

test('every list, count, include, filter and search gives the same reply with and without secrets', async () => {
  const { worlds, keys } = await sharedWorlds()
  let compared = 0
  for (const op of reads) {
    for (const query of queriesFor(op)) {
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

test('every page by cursor is the same with and without secrets', async () => {
  const { worlds, keys } = await sharedWorlds()
  let pages = 0
  for (const op of reads.filter(({ hasCursors }) => hasCursors)) {
    const orders = ((op.query as unknown as { properties: Record<string, { enum?: string[] }> }).properties.sort?.enum ?? ['']).map(
      (sort) => sort && `&sort=${sort}`,
    )
    // The rows that a viewer sees are the same in every order.
    for (const [i, order] of orders.entries())
      for (const viewer of i === 0 ? VIEWERS : VIEWERS.slice(0, 1)) {
        if (viewer === 'nobody' && op.actor === 'path') continue
        const cursors = ['', '']
        for (let page = 0; page < 30 && cursors[0] !== undefined; page++) {
          const replies = await bothWorlds(worlds, keys, viewer, (world, user_id) => {
            const params = { ...world.params, user_id, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
            const cursor = cursors[worlds.indexOf(world)]
            return `/api/v1${op.fill((name) => params[name as 'user_id'])}?limit=1${order}${cursor && `&after=${cursor}`}`
          })
          assert.equal(masked(replies[1]), masked(replies[0]), `${op.id} ${order} as ${viewer}, page ${page}`)
          for (const [world, { body }] of replies.entries()) cursors[world] = body.next_cursor ?? (undefined as never)
          if (cursors[0] !== undefined) pages++
        }
      }
  }
  assert.ok(pages > 300, `only ${pages} cursors were followed`)
})

test('every read of a character with a hidden sheet gives the same reply, whatever is on the sheet', async () => {
  const { worlds, keys } = await sharedWorlds()
  const queries = ['', 'limit=0', 'sort=-date_created', `q=${WORD}`, 'archived=true', 'include=inventory,notes']
  const below = reads.filter(({ params }) => params.some(({ name }) => name === 'character_id'))
  const reading = below.flatMap((op) =>
    [0, 1, 2].flatMap((i) =>
      queriesFor(op, queries).map((query) => (world: World, user_id: string) => {
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
    `${world.C}/experience?limit=100`,
    ...[world.C, `/campaigns/${world.sheets.perUser}`].map((C) => `${C}?include=characters,trackers,experience,rolls`),
    ...['', '/entries', '/entries?kind=AWARD', `/entries?user_id=${world.sheets.owner.id}`].map(
      (read) => `/campaigns/${world.sheets.perUser}/experience${read}`,
    ),
    '/experience',
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
    for (const query of queriesFor(op, queries)) {
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

test('the ids of secrets find nothing in any list', async () => {
  const { player, stranger, admin, params, hidden, key } = (await sharedWorlds()).worlds[1]
  const lists = reads.filter(({ query }) => 'ids' in ((query as { properties?: object })?.properties ?? {}))
  const ids = Object.values(hidden).filter(isId).join()
  let found = 0
  for (const op of lists) {
    const get = (user_id: string, query: string) =>
      call('GET', `/api/v1${op.fill((name) => ({ ...params, user_id })[name as 'user_id'])}?ids=${ids}${query}`, {
        key,
        headers: { 'on-behalf-of': user_id },
      })
    for (const query of ['', ...(op.id === 'campaignNotes.list' ? ['&scope=all'] : [])]) {
      for (const { id } of [player, stranger]) {
        const reply = await get(id, query)
        if (reply.status !== 403) assert.deepEqual([reply.status, reply.body.total, reply.body.items], [200, 0, []], op.id)
      }
      found += (await get(admin.id, query)).body.total
    }
  }
  assert.ok(found >= 5, `an ADMIN found only ${found}`)
})

test('storytellers of the campaign and admins see all secrets', async () => {
  const { teller, admin, stranger, C, base, key } = (await sharedWorlds()).worlds[1]
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

import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { isId } from '../src/core/ids.ts'
import { sql } from '../src/db/sql.ts'
import { NO_MARK, sealCursor } from '../src/events/cursor.ts'
import type { Plan } from '../src/http/plan.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import type { Statistics } from '../src/resources/statistics/schema.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call, db, newApp } from './harness.ts'
import { plans } from './plans.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { StreamFollower } from './stream-follower.ts'

// For users who may not see a secret, it does not exist. Two worlds that differ only in their secrets must give these users equal replies
// to every request.

const WORD = 'zzyzx'

/** Creates a private campaign, in which the player took part until they left it. */
async function makePrivateCampaign({ teller, player }: Awaited<ReturnType<typeof newGameTable>>) {
  const campaign_id = await teller.make('/campaigns', { name: `Mister ${WORD}`, description: WORD, access: 'MEMBERS' })
  const P = `/campaigns/${campaign_id}`
  await teller.put(`${P}/members/${player.id}`, { role: 'PLAYER' })
  const character_id = await player.make(`${P}/characters`, { name: `Mister ${WORD}`, biography: 'ghoul', traits: { wits: 3 } })
  await player.make(`${P}/characters/${character_id}/inventory`, { name: `Mister ${WORD}` })
  await player.make(`${P}/characters/${character_id}/quick-rolls`, { name: `Mister ${WORD}`, notation: '1d6' })
  await teller.make(`${P}/quick-rolls`, { name: WORD, notation: '1d6' })
  for (const parent of [P, `${P}/characters/${character_id}`]) await player.make(`${parent}/notes`, { title: `Mister ${WORD}`, body: WORD })
  const book = await teller.make(`${P}/books`, { name: `Mister ${WORD}` })
  await teller.make(`${P}/books/${book}/chapters`, { name: `Mister ${WORD}` })
  await player.make('/dice-rolls', { pool: { traits: ['wits'] }, character_id, comment: WORD })
  await player.make('/dice-rolls', { notation: '2d6', campaign_id, visibility: 'STORYTELLER' })
  await teller.post(`${P}/experience/awards`, { user_ids: [player.id], amount: 5, reason: WORD })
  assert.equal((await player.post(`${P}/leave`)).status, 204)
  return campaign_id
}

/** Makes secret rolls by the service and at the table, and voids some of them. */
async function makeVoidedRolls({ teller, player, campaign_id }: Awaited<ReturnType<typeof newGameTable>>, character_id: string) {
  for (const visibility of ['STORYTELLER', 'BLIND'])
    for (const manual of [undefined, [20]]) {
      const roll = { notation: '1d20', target: 12, campaign_id, comment: WORD, visibility, ...(manual && { manual }) }
      const ids = [await teller.make('/dice-rolls', { ...roll, character_id }), await teller.make('/dice-rolls', roll)]
      if (visibility === 'BLIND') ids.push(await player.make('/dice-rolls', roll))
      for (const id of ids) {
        await teller.make('/dice-rolls', roll)
        assert.equal((await teller.post(`/dice-rolls/${id}/void`, { reason: `Not ${WORD}` })).status, 200)
      }
    }
}

type GameTable = Awaited<ReturnType<typeof newGameTable>>

async function newWorld(hasSecrets: boolean, begin: (table: GameTable) => Promise<void> = async () => {}) {
  const table = await newGameTable()
  await begin(table)
  const { teller, player, stranger, C } = table
  // Experience belongs to characters here: an award to all reaches no NPC, hidden or not.
  await teller.patch(C, { experience_per: 'CHARACTER' })
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
  const voidedRoll = await player.make('/dice-rolls', { notation: '8', campaign_id: table.campaign_id })
  assert.equal((await teller.post(`/dice-rolls/${voidedRoll}/void`, { reason: 'Known to all' })).status, 200)
  await stranger.make('/campaigns', { name: 'Elsewhere' })
  // Players see the name of this tracker in both worlds, and its value in none.
  const doom = { label: 'Doom', value: hasSecrets ? 5 : 1, maximum: 8, start: hasSecrets ? 2 : 0, visibility: 'NAME_ONLY' }
  const trackerOwners = [C, `${C}/characters/${hero}`, `${C}/characters/${npc}`]
  for (const owner of trackerOwners) {
    await teller.put(`${owner}/trackers/doom`, doom)
    await teller.put(`${owner}/trackers/morale`, { value: 3, movable_by: 'MEMBERS' })
  }
  const params: Record<string, string> = {
    company_id: table.company_id,
    campaign_id: table.campaign_id,
    book_id: book,
    chapter_id: chapter,
    character_id: hero,
    member_id: teller.id,
    roll_id: openRoll,
    key: 'doom',
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
    await teller.make(`${C}/characters/${hidden.character_id}/quick-rolls`, { name: WORD, notation: `1d6+{${WORD}}` })
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
    await makeVoidedRolls(table, hidden.character_id)
    hidden.private_id = await makePrivateCampaign(table)
    hidden.key = WORD
    for (const owner of trackerOwners) {
      for (let i = 0; i < 2; i++) await teller.post(`${owner}/trackers/doom/adjust`, { by: 1, reason: WORD })
      await teller.post(`${owner}/trackers/reset`, { keys: ['doom'], reason: WORD })
    }
    for (const owner of [C, `${C}/characters/${npc}`, `${C}/characters/${hidden.character_id}`])
      await teller.put(`${owner}/trackers/${WORD}`, { label: `Clock of ${WORD}`, value: 1, style: 'CLOCK', visibility: 'STORYTELLER' })
  }
  const awarded = await teller.post(`${C}/experience/awards`, { amount: 3, reason: 'Session 1', to: 'MEMBERS' })
  params.entry_id = awarded.body.items[0]?.id as string
  await player.make(`${C}/experience/spends`, { amount: 1, reason: 'Learned', character_id: hero })
  return { ...table, params, hidden, npc, sheets }
}

/**
 * Makes characters with sheets that are hidden from all viewers, and the same public rolls for them. Their traits, details, trackers, items and
 * experience are secrets, which exist in one of the two worlds. That something changed is none, so each character has the same version in both.
 */
async function newHiddenSheets(table: Awaited<ReturnType<typeof newGameTable>>, hasSecrets: boolean) {
  const { teller, other, person, C } = table
  const owner = await person('PLAYER', 'Owner')
  const masked = await owner.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER' })
  const cursed = await teller.make(`${C}/characters`, { name: 'Cursed', user_id: other.id, sheet_visibility: 'STORYTELLER' })
  const klarg = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC', sheet_visibility: 'STORYTELLER' })
  const ids = [masked, cursed, klarg]
  for (const character_id of ids) await teller.make('/dice-rolls', { notation: '5', character_id })
  for (const id of ids) {
    const path = `${C}/characters/${id}`
    const sheet = { traits: { [WORD]: 3, hp: -7, mp: 2 }, details: { clan: `Of ${WORD}`, story: WORD.repeat(300) } }
    await teller.patch(path, hasSecrets ? sheet : { traits: { luck: 1 } })
    if (!hasSecrets) {
      await teller.patch(path, { traits: { luck: 2 } })
      continue
    }
    const item = `${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Ring of ${WORD}`, description: WORD })}`
    await teller.post(`${item}/adjust`, { quantity: 1 })
    await teller.delete(`${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Lost ${WORD}` })}`)
    await makeTrackers(table, path)
    await makeQuickRolls(table, path)
    const pool = { traits: [WORD], difficulty: 6 }
    const secretRoll = await teller.make('/dice-rolls', { pool, character_id: id, visibility: 'STORYTELLER', comment: WORD })
    if (id === cursed) await teller.post(`/dice-rolls/${secretRoll}/void`, { reason: WORD })
  }
  if (hasSecrets) {
    const awards = [masked, cursed].map((character_id) => ({ character_id, amount: 9 }))
    await teller.make(`${C}/experience/awards`, { reason: `For ${WORD}`, awards })
  }
  await spendOn(table, C, owner, masked, hasSecrets)
  // Here, experience belongs to users: that of a user is hidden with one of their sheets.
  const perUser = await teller.make('/campaigns', { name: 'Of users' })
  const U = `/campaigns/${perUser}`
  const veiled = await owner.make(`${U}/characters`, { name: 'Veiled', sheet_visibility: 'PLAYER' })
  if (hasSecrets) {
    await teller.make(`${U}/experience/awards`, { amount: 9, reason: `For ${WORD}`, user_ids: [owner.id] })
    await owner.make(`${U}/experience/spends`, { amount: 2, reason: `Bought ${WORD}` })
  }
  await spendOn(table, U, owner, veiled, hasSecrets)
  return { owner, ids, perUser }
}

/** Makes trackers on a hidden sheet, which members could move and see if they saw the sheet, and moves them and a trait. */
async function makeTrackers({ teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>, path: string) {
  await teller.put(`${path}/trackers/${WORD}`, { label: `Blood of ${WORD}`, value: 3, maximum: 9, movable_by: 'MEMBERS' })
  await teller.put(`${path}/trackers/doom`, { value: 3, maximum: 9, visibility: 'NAME_ONLY' })
  await teller.put(`${path}/trackers/lost`, { label: `Lost ${WORD}`, value: 1 })
  await teller.delete(`${path}/trackers/lost`)
  await teller.post(`${path}/trackers/${WORD}/adjust`, { by: 1, reason: WORD })
  assert.equal(
    (await teller.post(`${path}/adjust`, { traits: { hp: 1, mp: -1 }, trackers: { [WORD]: 1, doom: 1 }, reason: WORD })).status,
    200,
  )
}

/** Saves, changes, archives and rolls quick rolls on a hidden sheet. */
async function makeQuickRolls({ teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>, path: string) {
  const bite = `${path}/quick-rolls/${await teller.make(`${path}/quick-rolls`, { name: WORD, notation: `1d6+{${WORD}}` })}`
  assert.equal((await teller.patch(bite, { target: 9 })).status, 200)
  assert.equal((await teller.post(`${bite}/roll`, { visibility: 'STORYTELLER' })).status, 201)
  const lost = await teller.make(`${path}/quick-rolls`, { name: `Lost ${WORD}`, pool: { traits: [WORD] } })
  assert.equal((await teller.delete(`${path}/quick-rolls/${lost}`)).status, 204)
}

/** Raises a trait on a hidden sheet by spending experience, and takes the spend back. In the world without secrets, something else changes twice. */
async function spendOn(
  { teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>,
  C: string,
  owner: Awaited<ReturnType<Awaited<ReturnType<typeof newGameTable>>['person']>>,
  character_id: string,
  hasSecrets: boolean,
) {
  if (!hasSecrets) {
    for (const luck of [3, 4]) await teller.patch(`${C}/characters/${character_id}`, { traits: { luck } })
    return
  }
  const spend = { amount: 2, reason: `Bought ${WORD}`, character_id, trait: { name: WORD, to: 4 } }
  const spent = await owner.make(`${C}/experience/spends`, spend)
  await owner.make(`${C}/experience/entries/${spent}/reverse`, { reason: `Not ${WORD}` })
}

/** Masks the ids, times and hashes of a reply, which differ between companies. */
const masked = ({ status, text }: Answer) =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*')
    .replaceAll(/req_[\w-]+/g, '*')
    .replaceAll(/(?<="(?:next_)?cursor":"|^id: )[\w-]+|(?<=^retry: )\d+/gm, '*')
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
  'sort=-date_modified',
  'modified_since=2000-01-01T00:00:00Z',
  'mine=true',
  'scope=all',
  'scope=all&archived=true',
  'include=chapters',
  'include=members,characters,trackers,experience,latest_chapter,rolls',
  'q=m',
  `q=${WORD.slice(0, 2)}`,
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

test('every page by cursor is the same with and without secrets', async () => {
  const { worlds, keys } = await newWorlds()
  let pages = 0
  for (const op of reads.filter(({ hasCursors }) => hasCursors)) {
    const orders = ((op.query as unknown as { properties: Record<string, { enum?: string[] }> }).properties.sort?.enum ?? ['']).map(
      (sort) => sort && `&sort=${sort}`,
    )
    for (const order of orders)
      for (const viewer of VIEWERS) {
        if (viewer === 'nobody' && op.actor === 'path') continue
        const cursors = ['', '']
        for (let page = 0; page < 30 && cursors[0] !== undefined; page++) {
          const replies = await bothWorlds(worlds, keys, viewer, (world, user_id) => {
            const params = { ...world.params, user_id, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
            const cursor = cursors[worlds.indexOf(world)]
            return `/api/v1${op.fill((name) => params[name as 'user_id'])}?limit=1${order}${cursor && `&after=${cursor}`}`
          })
          assert.equal(masked(replies[1]), masked(replies[0]), `${op.id} ${order} as ${viewer}, page ${page}`)
          for (const [i, { body }] of replies.entries()) cursors[i] = body.next_cursor ?? (undefined as never)
          if (cursors[0] !== undefined) pages++
        }
      }
  }
  assert.ok(pages > 300, `only ${pages} cursors were followed`)
})

/** Reads the whole feed of a company from its first position, as one viewer. */
async function feedOf(world: World, key: string, viewer: (typeof VIEWERS)[number]): Promise<FeedItem[]> {
  const { company_id, base } = world
  const developer = (await call('GET', '/api/v1/developers/me', { key })).body.id
  const user = viewer === 'nobody' ? undefined : world[viewer].id
  const owner = { company_id, reader_id: user ? `user ${user}` : `developer ${developer}` }
  const [state] = await db.query<{ epoch: string; cursor_key: Buffer }>(sql`SELECT epoch, cursor_key FROM feed_state`)
  const from = sealCursor(state?.cursor_key as Buffer, owner, state?.epoch as string, { position: 0, mark: NO_MARK })
  const get = (path: string) => call('GET', `${base}${user ? `/users/${user}` : ''}${path}`, { key })
  return new Follower({ get }, from, '&limit=9').read()
}

test('the feed tells the same with and without secrets', async () => {
  const { worlds, keys } = await newWorlds()
  for (const viewer of VIEWERS) {
    const [without, withSecrets] = [await feedOf(worlds[0], keys[0], viewer), await feedOf(worlds[1], keys[1], viewer)]
    // The player took part in the private campaign, and is told that it is gone.
    const known = withSecrets.filter(({ campaign_id }) => viewer !== 'player' || campaign_id !== worlds[1].hidden.private_id)
    const text = (items: FeedItem[]) => items.map((item) => masked({ status: 200, text: JSON.stringify(item) } as Answer))
    assert.deepEqual(text(known), text(without), viewer)
    assert.ok(without.length > 20, `only ${without.length} items were compared`)
    assert.ok(!JSON.stringify(withSecrets).includes(WORD), viewer)
  }
})

/** The viewers of streams. Those who have no part in anything share what is read for their role. */
const LISTENERS = [...VIEWERS, 'passerby', 'bystander']

/** Opens a stream of each viewer, creates a world, and returns the items that each was told: the same on a stream that begins at the same place later. */
async function transcriptsOf(host: string, hasSecrets: boolean) {
  const streams = new Map<string, StreamFollower>()
  const late = new Map<string, StreamFollower>()
  const world = await newWorld(hasSecrets, async (table) => {
    const headers = { 'x-api-key': (await table.developer('USER')).key }
    const { player, other, stranger } = table
    const people: Record<string, { id: string }> = {
      player,
      other,
      stranger,
      passerby: await table.person('PLAYER', 'Passerby'),
      bystander: await table.person('STORYTELLER', 'Bystander'),
    }
    await sequenceAll()
    for (const viewer of LISTENERS) {
      const path = viewer === 'nobody' ? table.base : `${table.base}/users/${people[viewer]?.id}`
      const [stream, resumed] = [1, 2].map(() => new StreamFollower(`${host}${path}/stream`, headers)) as [StreamFollower, StreamFollower]
      resumed.lastId = (await stream.open()).lastId
      streams.set(viewer, stream)
      late.set(viewer, resumed)
    }
  })
  await call('PATCH', `${world.base}/users/${world.admin.id}`, { key: world.key, body: { name: 'The end' } })
  await sequenceAll()
  const isEnd = ({ data }: FeedItem) => data.changes?.name?.new === 'The end'
  const transcripts = new Map<string, FeedItem[]>()
  for (const [viewer, stream] of streams) {
    const live = await stream.until(isEnd)
    const resumed = late.get(viewer) as StreamFollower
    await resumed.open()
    assert.deepEqual(await resumed.until(isEnd), live, `${viewer} is told the same later`)
    for (const one of [stream, resumed]) one.close()
    transcripts.set(viewer, live)
  }
  return { world, transcripts }
}

test('a stream tells the same with and without secrets', async () => {
  const on = await newApp()
  await on.listen({ port: 0, host: '127.0.0.1' })
  const host = `http://127.0.0.1:${(on.server.address() as AddressInfo).port}`
  const [without, withSecrets] = [await transcriptsOf(host, false), await transcriptsOf(host, true)]
  const text = (items: FeedItem[] = []) => items.map((item) => masked({ status: 200, text: JSON.stringify(item) } as Answer))
  for (const viewer of LISTENERS) {
    const told = withSecrets.transcripts.get(viewer) as FeedItem[]
    // As in the feed, the player is told that the private campaign is gone.
    const known = told.filter(({ campaign_id }) => viewer !== 'player' || campaign_id !== withSecrets.world.hidden.private_id)
    assert.deepEqual(text(known), text(without.transcripts.get(viewer)), viewer)
    assert.ok(known.length > 20, `only ${known.length} items were compared`)
    assert.ok(!JSON.stringify(told).includes(WORD), viewer)
  }
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

test('the ids of secrets find nothing in any list', async () => {
  const { player, stranger, admin, params, hidden, key } = await newWorld(true)
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

/** Matches the request id, the cursors and the first frame of a stream, which differ from reply to reply. */
const VARYING = /req_[\w-]+|"cursor":"[\w-]+"|^(?:retry|id): .+$|^data: \{"date":"[\w:.-]+"\}$/gm
const withoutVarying = ({ status, text }: Answer) => `${status} ${text.replaceAll(VARYING, '*')}`

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
      assert.equal(withoutVarying(byHeader), withoutVarying(expected), `${op.id}?${query} by the header`)
      if (op.actor === 'path')
        assert.equal(withoutVarying(await call('GET', path, { key: userKey })), withoutVarying(expected), `${op.id}?${query} by the path`)
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
  const { rolls, manual } = statistics.body as unknown as Statistics
  assert.deepEqual([rolls, manual.rolls], [19, 5])
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

for (const param of ['campaign_id', 'character_id', 'note_id', 'roll_id']) {
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
      const hiddenId = (param === 'campaign_id' ? hidden.private_id : hidden[param]) as string
      await send(hiddenId)
      const [missing, secret] = [await send(unknownId), await send(hiddenId)]
      assert.equal(masked(secret.answer), masked(missing.answer), op.id)
      assert.deepEqual(secret.sent, missing.sent, op.id)
      // A role that is too low is refused before the path is looked up.
      assert.equal(secret.answer.status, op.needs.role ? 403 : 404, op.id)
      compared++
    }
    assert.ok(compared >= 3, `${compared}`)
  })
}

test('odds reveal nothing of a hidden character, sheet, tracker or campaign', async () => {
  const { worlds, keys } = await newWorlds()
  const [, { hidden, C, teller }] = worlds
  const ask = (i: 0 | 1, viewer: (typeof VIEWERS)[number], body: object) =>
    statementsOf(() =>
      call('POST', `${worlds[i].base}/dice/odds`, {
        key: keys[i],
        on: recordedApp,
        body,
        headers: viewer === 'nobody' ? {} : { 'on-behalf-of': worlds[i][viewer].id },
      }),
    )
  const named = [
    { notation: `1d6+{${WORD}}` },
    { pool: { traits: [WORD, 'hp'], difficulty: 6 } },
    { notation: '{doom}+1d6', missing: 'ZERO' },
  ]
  for (const viewer of VIEWERS) {
    await ask(1, viewer, { notation: '1' })
    for (const body of named) {
      // In the same world, a hidden row and a missing one.
      for (const [field, id] of [
        ['character_id', hidden.character_id],
        ['campaign_id', hidden.private_id],
      ] as const) {
        const [missing, secret] = [await ask(1, viewer, { ...body, [field]: randomUUID() }), await ask(1, viewer, { ...body, [field]: id })]
        assert.equal(masked(secret.answer), masked(missing.answer), `${field} as ${viewer}`)
        assert.deepEqual([secret.sent, secret.answer.status], [missing.sent, 404], `${field} as ${viewer}`)
      }
      // In two worlds, a sheet with and without secrets, and the trackers of the campaign.
      for (const place of [
        (world: World) => ({ campaign_id: world.campaign_id }),
        ...[0, 1, 2].map((i) => (world: World) => ({ character_id: world.sheets.ids[i] })),
      ]) {
        const [without, withSecrets] = [
          await ask(0, viewer, { ...body, ...place(worlds[0]) }),
          await ask(1, viewer, { ...body, ...place(worlds[1]) }),
        ]
        assert.equal(masked(withSecrets.answer), masked(without.answer), `${JSON.stringify(body)} as ${viewer}`)
      }
    }
    for (const character_id of worlds[1].sheets.ids) {
      const { answer } = await ask(1, viewer, { ...named[0], character_id })
      assert.deepEqual([answer.status, answer.body.reason], [403, 'hidden_sheet'], `${viewer}: ${answer.text}`)
    }
  }
  const [headers, body] = [{ 'on-behalf-of': teller.id }, { ...named[0], character_id: worlds[1].sheets.ids[0] }]
  assert.equal((await call('POST', `${worlds[1].base}/dice/odds`, { key: keys[1], headers, body })).status, 200, C)
})

test('a name of a quick roll gets the same reply with and without secrets, and with the same statements', async () => {
  const { worlds } = await newWorlds()
  const [without, withSecrets] = worlds
  const send = async ({ player }: World, body: object) => {
    const { answer, sent } = await statementsOf(() => player.post('/quick-rolls/roll', body, {}, recordedApp))
    return [masked(answer), sent.length]
  }
  const { hidden } = withSecrets
  // The first request of a caller identifies it with statements of its own.
  for (const world of worlds) assert.match(String((await send(world, { name: WORD }))[0]), /^404 .*Quick roll not found/)
  for (const [where, elsewhere] of [
    ...withSecrets.sheets.ids.map((id, i) => [{ character_id: id }, { character_id: without.sheets.ids[i] }]),
    [{ character_id: hidden.character_id }, { character_id: randomUUID() }],
    [{ campaign_id: hidden.private_id }, { campaign_id: randomUUID() }],
  ] as const)
    for (const name of [WORD, `Lost ${WORD}`])
      assert.deepEqual(await send(withSecrets, { name, ...where }), await send(without, { name, ...elsewhere }))
})

test('a hidden tracker gets the same reply as a missing one, with the same statements', async () => {
  const { player, params, key, npc } = await newWorld(true)
  for (const op of plans.filter((op) => hasParam(op, 'key'))) {
    const ids: Record<string, string> = { ...params, user_id: player.id, character_id: npc }
    const send = (tracker: string) =>
      statementsOf(() =>
        call(op.method, `/api/v1${op.fill((name) => (name === 'key' ? tracker : (ids[name] as string)))}`, {
          key,
          on: recordedApp,
          ...(op.body && { body: sampleOf(op.body) }),
        }),
      )
    await send('missing')
    const [missing, secret] = [await send('missing'), await send(WORD)]
    assert.equal(masked(secret.answer).replaceAll(WORD, 'missing'), masked(missing.answer), op.id)
    assert.deepEqual(secret.sent, missing.sent, op.id)
    // Players define no trackers of a campaign or NPC, whatever their keys.
    assert.equal(secret.answer.status, ['PUT', 'PATCH', 'DELETE'].includes(op.method) ? 403 : 404, op.id)
  }
})

test('players see, move and reset no value of a NAME_ONLY tracker, and no hidden tracker by naming it with others', async () => {
  const { player, teller, params, npc, C } = await newWorld(true)
  const hero = `${C}/characters/${params.character_id}`
  for (const owner of [C, hero, `${C}/characters/${npc}`]) {
    const shown = (await player.get(`${owner}/trackers/doom`)).body
    assert.deepEqual([shown.label, shown.value, shown.start, shown.version, shown.maximum], ['Doom', null, null, 1, 8])
    assert.deepEqual(
      (await player.get(`${owner}/trackers`)).body.items.map((item) => [item.key, item.value]),
      [
        ['doom', null],
        ['morale', 3],
      ],
    )
    const all = (await teller.get(`${owner}/trackers/doom`)).body
    assert.deepEqual([all.value, all.start, all.version], [2, 2, 4])
    assert.deepEqual([shown.date_modified, all.date_modified], [shown.date_created, shown.date_created], 'players cannot watch it move')
    for (const body of [{ by: 1 }, { to: 99 }, { by: 0 }]) assertProblem(await player.post(`${owner}/trackers/doom/adjust`, body), 403)
    assertProblem(await player.post(`${owner}/trackers/reset`, { keys: ['morale', 'doom'] }), 403)
    assert.deepEqual(
      (await player.post(`${owner}/trackers/reset`)).body.items.map((item) => item.key),
      ['morale'],
    )
  }
  const several = (trackers: object) => player.post(`${C}/characters/${npc}/adjust`, { trackers })
  assertProblem(await several({ morale: 1, [WORD]: 1 }), 404, 'Tracker not found')
  assertProblem(await several({ morale: 1, missing: 1 }), 404, 'Tracker not found')
  assertProblem(await several({ morale: 1, doom: 1 }), 403)
  // On their own character too, what is hidden from players is not theirs to define.
  for (const refused of [
    player.put(`${hero}/trackers/doom`, { value: 1 }),
    player.patch(`${hero}/trackers/doom`, { visibility: 'OPEN' }),
    player.delete(`${hero}/trackers/doom`),
    player.post(`${hero}/adjust`, { trackers: { doom: 1 } }),
  ])
    assertProblem(await refused, 403)
})

test('events of secrets carry the visibility of the secret', async () => {
  const { teller, C, hidden, company_id, campaign_id, sheets } = await newWorld(true)
  await teller.patch(`${C}/characters/${hidden.character_id}`, { visibility: 'OPEN', name: `Revealed ${WORD}` })
  // Of a sheet that is hidden, only traits and details are secret. An entry without a character belongs to its user. Everything in a private
  // campaign is hidden with the campaign.
  const isPrivate = sql`coalesce(campaign_id = ${hidden.private_id}, false)`
  const leaks = await db.query<{ type: string; visibility: string | null }>(sql`
    SELECT type, visibility FROM events
    WHERE company_id = ${company_id} AND visibility IS NULL AND changes::text LIKE ${`%${WORD}%`} AND NOT ${isPrivate}
      AND (sheet_visibility IS NULL OR (changes - '{traits,details}'::text[])::text LIKE ${`%${WORD}%`})
      AND (type NOT LIKE 'experience.%' OR changes ? 'character_id')`)
  assert.deepEqual(leaks, [])
  const moved = await db.query<{ visibility: string | null; type: string }>(sql`
    SELECT DISTINCT e.visibility, e.type FROM events e JOIN trackers t ON t.company_id = ${company_id} AND t.id = e.resource_id
    WHERE e.company_id = ${company_id} AND t.key IN ('doom', ${WORD}) ORDER BY type`)
  assert.deepEqual(
    moved,
    ['tracker.adjusted', 'tracker.created'].map((type) => ({ visibility: 'STORYTELLER', type })),
  )
  const readers = await db.query<{ key: string; author_id: string | null }>(sql`
    SELECT DISTINCT t.key, e.author_id FROM events e JOIN trackers t ON t.company_id = ${company_id} AND t.id = e.resource_id
    WHERE e.company_id = ${company_id} AND t.character_id = ${sheets.ids[0]} ORDER BY key`)
  assert.deepEqual(
    readers,
    [
      { key: 'doom', author_id: null },
      { key: WORD, author_id: sheets.owner.id },
    ],
    'the player sees what is on their sheet, except the value that is hidden from players',
  )
  const ofSheets = await db.query(sql`
    SELECT type FROM events WHERE company_id = ${company_id} AND type LIKE 'experience.%' AND visibility IS NULL
      AND changes #>> '{character_id,new}' = ANY (${sheets.ids}::text[])`)
  assert.deepEqual(ofSheets, [], 'the experience of a hidden sheet')
  const authors = await db.query(
    sql`SELECT 1 FROM events WHERE company_id = ${company_id} AND visibility = 'AUTHOR' AND author_id = ${teller.id}`,
  )
  assert.ok(authors.length >= 5)
  const outsideCampaign = await db.query<{ type: string }>(
    sql`SELECT DISTINCT type FROM events WHERE company_id = ${company_id} AND campaign_id IS DISTINCT FROM ${campaign_id} AND NOT ${isPrivate}
      AND campaign_id IS DISTINCT FROM ${sheets.perUser}`,
  )
  assert.deepEqual(outsideCampaign.map(({ type }) => type).sort(), ['campaign.created', 'member.added', 'note.created'])
})

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { NO_MARK, type Place, sealCursor } from '../src/events/cursor.ts'
import type { Viewer } from '../src/resources/campaigns/across.ts'
import { pageOf, tellScan } from '../src/resources/changes/page.ts'
import { readEvents } from '../src/resources/changes/read-events.ts'
import type { ChangesReply, FeedItem } from '../src/resources/changes/schema.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { type Answer, call, db, newApp, write } from './harness.ts'
import { StreamFollower } from './stream-follower.ts'
import { masked, newWorld, sharedWorlds, VIEWERS, WORD, type World } from './worlds.ts'

// The changes feed, streams and events, for users who may not see a secret.

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
  const { worlds, keys } = await sharedWorlds()
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

/** The pages that follow a cursor: the types of the items of each, and `more`. */
async function pagesAfter(reader: Person, cursor: string, query: string) {
  const pages: [string[], boolean][] = []
  for (let [after, more] = [cursor, true]; more; ) {
    const { status, body, text } = await reader.get(`/changes?after=${after}&${query}`)
    assert.equal(status, 200, text)
    const page = body as unknown as ChangesReply
    assert.equal(page.cursor.length, cursor.length)
    pages.push([page.items.map(({ type }) => type), page.more])
    after = page.cursor
    more = page.more
  }
  return pages
}

/** Tells a player outside a private campaign of a few changes, with so many copies of a blind roll in it before and after each, and returns all pages. */
async function pagesBeside(hidden: number) {
  const { player, teller, C, company_id } = await newGameTable()
  const campaign_id = await teller.make('/campaigns', { name: 'Private', access: 'MEMBERS' })
  const roll = await teller.make('/dice-rolls', { notation: '1d6', campaign_id, visibility: 'BLIND' })
  const { cursor } = await Follower.start(player)
  const steps = [
    () => player.make('/notes', { title: 'One' }),
    () => player.make('/dice-rolls', { notation: '1d6' }),
    // Two items: the player enters a campaign, and its page ends there.
    () => player.make(`${C}/characters`, { name: 'Crane' }),
    () => player.make('/notes', { title: 'Two' }),
    () => player.make('/notes', { title: 'Three' }),
    () => player.make('/dice-rolls', { notation: '1d6' }),
  ]
  const hide = async () => {
    const ids = Array.from({ length: hidden }, () => db.newId())
    const copies = sql`FROM events e CROSS JOIN unnest(${ids}::uuid[]) AS copy (id)
      WHERE e.company_id = ${company_id} AND e.resource_id = ${roll} AND e.request_id IS NOT NULL`
    await write(sql`
      INSERT INTO events (company_id, id, type, resource_type, resource_id, version, developer_id, user_id, request_id, changes, date_created, campaign_id, visibility)
      SELECT e.company_id, copy.id, e.type, e.resource_type, e.resource_id, e.version, e.developer_id, e.user_id, NULL, e.changes, e.date_created, e.campaign_id,
        e.visibility ${copies}`)
    await write(
      sql`INSERT INTO outbox (company_id, id, resource_id, version) SELECT e.company_id, copy.id, e.resource_id, e.version ${copies}`,
    )
    await sequenceAll()
  }
  for (const step of steps) {
    await hide()
    await step()
    await sequenceAll()
  }
  await hide()
  const all = new Map<string, [string[], boolean][]>()
  for (const limit of [1, 2, 50])
    for (const types of [
      '',
      '&types=note.*',
      '&types=dice_roll.created',
      '&types=sight.changed,note.*',
      '&types=book.*',
      '&types=member.*,note.*',
    ]) {
      const query = `limit=${limit}${types}`
      all.set(query, await pagesAfter(player, cursor, query))
    }
  return all
}

test('the pages of a reader are the same, however many changes there are that they may not see', async () => {
  const alone = await pagesBeside(0)
  assert.deepEqual(alone.get('limit=2&types=dice_roll.created'), [
    [['dice_roll.created'], true],
    [['dice_roll.created'], false],
  ])
  assert.deepEqual(alone.get('limit=2&types=book.*'), [
    [[], true],
    [[], false],
  ])
  // Near the size of a scan, and beyond several.
  for (const hidden of [1, 99, 100, 250]) assert.deepEqual(await pagesBeside(hidden), alone, `with ${hidden} hidden changes before each`)
})

test('a page that is searched for too long says that there is more, and goes on from there', async () => {
  const { player, teller, company_id } = await newGameTable()
  const campaign_id = await teller.make('/campaigns', { name: 'Private', access: 'MEMBERS' })
  await sequenceAll()
  const [{ last } = { last: 0 }] = await db.query<{ last: number }>(sql`SELECT last FROM feed_heads WHERE company_id = ${company_id}`)
  await teller.make('/dice-rolls', { notation: '1d6', campaign_id, visibility: 'BLIND', repeat: 20 })
  await player.make('/notes', { title: 'One' })
  await sequenceAll()
  const viewer: Viewer = { company_id, permission: 'USER', actor: { id: player.id, company_id, name: '', role: 'PLAYER' } }
  const told: number[] = []
  let place: Place = { position: last, mark: NO_MARK }
  for (let more = true; more; ) {
    const scan = await readEvents(db, company_id, place, 5)
    const part = await tellScan(db, viewer, scan, { limit: 3 }, { items: 3, milliseconds: -1 })
    const page = pageOf(part, 1)
    told.push(page.told.length)
    place = page.end
    more = page.more
  }
  assert.deepEqual(told, [0, 0, 0, 0, 1])
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

test('events of secrets carry the visibility of the secret', async () => {
  const { teller, C, hidden, company_id, campaign_id, sheets, ruled } = (await sharedWorlds()).worlds[1]
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
  const created = await db.query(
    sql`SELECT DISTINCT visibility, author_id FROM events WHERE company_id = ${company_id} AND resource_id = ${hidden.creation_id}`,
  )
  assert.deepEqual(created, [{ visibility: 'STORYTELLER', author_id: null }], 'the creation of an NPC is for the storytellers')
  const ofTrackers = await db.query<{ type: string; visibility: string | null }>(sql`
    SELECT DISTINCT e.type, e.visibility FROM events e JOIN trackers t ON t.company_id = ${company_id} AND t.id = e.resource_id
    WHERE e.company_id = ${company_id} AND t.character_id = ANY (${[...ruled.ids.slice(2), ruled.hidden]}::uuid[]) ORDER BY e.type`)
  assert.deepEqual(
    ofTrackers,
    ['tracker.adjusted', 'tracker.created', 'tracker.updated'].map((type) => ({ type, visibility: 'STORYTELLER' })),
    'the trackers of a ruleset on hidden sheets, and on a hidden NPC',
  )
  const authors = await db.query(
    sql`SELECT 1 FROM events WHERE company_id = ${company_id} AND visibility = 'AUTHOR' AND author_id = ${teller.id}`,
  )
  assert.ok(authors.length >= 5)
  const outsideCampaign = await db.query<{ type: string }>(
    sql`SELECT DISTINCT type FROM events WHERE company_id = ${company_id} AND campaign_id IS DISTINCT FROM ${campaign_id} AND NOT ${isPrivate}
      AND campaign_id IS DISTINCT FROM ${sheets.perUser} AND campaign_id IS DISTINCT FROM ${ruled.campaign_id}`,
  )
  assert.deepEqual(outsideCampaign.map(({ type }) => type).sort(), [
    'campaign.created',
    'member.added',
    'note.created',
    'ruleset.created',
    'ruleset.updated',
    'ruleset_version.created',
    'ruleset_version.published',
    'term.created',
    'webhook.created',
  ])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { codeFor, sessionOf } from '../../test/console.ts'
import { sequenceAll } from '../../test/follower.ts'
import { newGameTable, type Person } from '../../test/game-table.ts'
import { assertProblem, call, clock, db, engine, newCompany, pooler, url, write } from '../../test/harness.ts'
import { newDelivery } from '../../test/scene.ts'
import { connect } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { companyTables } from '../resources/declarations.ts'
import { foldTallies } from '../resources/dice-rolls/fold.ts'
import { COUNTED } from '../resources/dice-rolls/tally-counts.ts'
import { countCompany } from './count-settled.ts'
import { runMaintenance } from './maintenance.ts'

const MONTH_MS = 30 * 86_400_000
/** Later than all clocks of this file: ids never go back. */
const LATER = new Date(Date.now() + 12 * MONTH_MS)

/** Returns the number of rows of a company, by table. */
async function rowsOf(company_id: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const { name } of companyTables()) {
    const [{ n } = { n: 0 }] = await db.query<{ n: number }>(
      sql`SELECT count(*) AS n FROM ${sql.id(name)} WHERE company_id = ${company_id}`,
    )
    if (n) counted[name] = n
  }
  return counted
}
const withClockAhead = async <T>(ahead: number, work: () => Promise<T>): Promise<T> => {
  clock.ahead = ahead
  return work()
}

/** Creates a company with rows in every table but the balances of characters. */
async function newFullCompany() {
  const table = await newGameTable()
  await sequenceAll()
  const { teller, player, campaign_id, C } = table
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  for (const [name, column, parent] of [
    ['books_spreads', 'campaign_id', campaign_id],
    ['chapters_spreads', 'book_id', book],
  ] as const)
    await write(sql`
      INSERT INTO ${sql.id(name)} (company_id, id, ${sql.id(column)}, number, positions)
      VALUES (${table.company_id}, ${randomUUID()}, ${parent}, 1, '{1}')`)
  const hero = await player.make(`${C}/characters`, {
    name: 'Hero',
    biography: 'A long story',
    traits: { wits: 2 },
    details: { clan: 'Toreador' },
  })
  const item = await player.make(`${C}/characters/${hero}/inventory`, { name: 'Lantern' })
  await player.put(`${C}/characters/${hero}/trackers/hit_points`, { value: 5 })
  await teller.put(`${C}/trackers/clock`, { value: 5 })
  for (const owner of [C, `${C}/characters/${hero}`]) await teller.patch(`${owner}/secret-metadata`, { metadata: { plot: 'The baker' } })
  await teller.make(`${C}/invites`, {})
  await player.make('/tokens', {})
  await player.make('/sign-in-links', {})
  await newWebhook(table.base, table.key)
  await call('POST', `${table.base}/terms`, { key: table.key, body: { term: 'Ghoul', definition: 'A servant' } })
  await newCreation(table)
  const note = await player.make(`${C}/books/${book}/chapters/${chapter}/notes`, { title: 'Note' })
  await player.make(`${C}/characters/${hero}/notes`, { title: 'Note' })
  await player.make('/notes', { title: 'Own note' })
  const quick = await player.make('/quick-rolls', { name: 'Quick', pool: { dice: 3 } })
  await player.make(`${C}/characters/${hero}/quick-rolls`, { name: 'Quick', notation: '1d6' })
  await teller.make(`${C}/quick-rolls`, { name: 'Quick', notation: '1d6' })
  for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND'])
    await player.make('/dice-rolls', { campaign_id, character_id: hero, visibility, pool: { traits: ['wits'], difficulty: 6 } })
  await player.make('/dice-rolls', { notation: '3d6' })
  const { items } = (await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'x', user_ids: [player.id] })).body
  await teller.post(`${C}/experience/entries/${items[0]?.id}/reverse`, { reason: 'x' })
  await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'x', user_ids: [player.id] }, { 'idempotency-key': randomUUID() })
  return { ...table, book, chapter, hero, item, note, quick }
}

/** Creates a ruleset, and a creation by it, as if the campaign had been played by it for a while. */
async function newCreation({ base, key, company_id, campaign_id, player }: Awaited<ReturnType<typeof newGameTable>>) {
  const { body } = await call('POST', `${base}/rulesets`, { key, body: { pack: 'd10-pool' } })
  const { published_version_id } = body as unknown as { published_version_id: string }
  const expiry = new Date(db.now().getTime() + 60_000)
  await write(sql`
    INSERT INTO creations (company_id, id, campaign_id, version_id, user_id, type, status, choices, answers, rolled, raised, date_expires, date_created, date_modified)
    VALUES (${company_id}, ${randomUUID()}, ${campaign_id}, ${published_version_id}, ${player.id}, 'PLAYER', 'OPEN', '{}', '{}', '{}', '{}',
      ${expiry}, ${db.now()}, ${db.now()})`)
}

test('a creation is deleted when it has expired', async () => {
  const table = await newGameTable()
  await newCreation(table)
  await withClockAhead(58_000, () => runMaintenance(db))
  assert.equal((await rowsOf(table.company_id)).creations, 1)
  await withClockAhead(61_000, () => runMaintenance(db))
  assert.equal((await rowsOf(table.company_id)).creations, undefined)
  clock.ahead = 0
})

/** Creates a webhook with a delivery, and an attempt at it. */
async function newWebhook(base: string, key: string, body: object = {}) {
  const { body: webhook } = await call('POST', `${base}/webhooks`, { key, body: { name: 'Bot', url: 'https://bot.example/', ...body } })
  const delivery_id = await newDelivery(base.slice(-36), webhook.id)
  await write(sql`
    INSERT INTO webhook_attempts (company_id, id, webhook_id, delivery_id, url, request_headers, request_bytes, response_body, duration_ms, date_created)
    VALUES (${base.slice(-36)}, ${randomUUID()}, ${webhook.id}, ${delivery_id}, 'https://bot.example/', '{}', 1, 'an echo', 1, ${db.now()})`)
  return { webhook, delivery_id, path: `${base}/webhooks/${webhook.id}` }
}

/** Creates a campaign in which experience belongs to characters, and awards some to one. */
async function newCharacterExperience(teller: Person, player: Person) {
  const C = `/campaigns/${await teller.make('/campaigns', { name: 'Per character', experience_per: 'CHARACTER' })}`
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const { items } = (await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'x', to: 'MEMBERS' })).body
  return { C, hero, entry: items[0]?.id }
}

test('a stored reply is deleted an hour after it was given, to the second', async () => {
  const { base, key, company_id } = await newCompany()
  const headers = { 'idempotency-key': randomUUID() }
  await call('POST', `${base}/users`, { key, headers, body: { name: 'A', role: 'PLAYER' } })
  await withClockAhead(3_598_000, () => runMaintenance(db))
  assert.equal((await rowsOf(company_id)).idempotency_keys, 1)
  await withClockAhead(3_601_000, () => runMaintenance(db))
  assert.equal((await rowsOf(company_id)).idempotency_keys, undefined)
  clock.ahead = 0
})

test('a key is deleted when it has expired', async () => {
  const { key, owner } = await newCompany()
  await call('POST', `/api/v1/developers/me/keys/${owner.key_id}/rotate`, { key, body: { overlap_seconds: 60 } })
  const keys = () => db.query(sql`SELECT id FROM api_keys WHERE developer_id = ${owner.id}`)
  await withClockAhead(58_000, () => runMaintenance(db))
  assert.equal((await keys()).length, 2)
  await withClockAhead(61_000, () => runMaintenance(db))
  assert.equal((await keys()).length, 1)
  clock.ahead = 0
})

test('a console session and a sign-in link are deleted when they have expired', async () => {
  const { key, owner, user, base } = await newCompany()
  await sessionOf(key)
  await codeFor(base, await user('PLAYER'), key)
  const sessions = () => db.query(sql`SELECT id FROM console_sessions WHERE developer_id = ${owner.id}`)
  const links = async () => (await rowsOf(base.slice(-36))).sign_in_links
  await withClockAhead(898_000, () => runMaintenance(db))
  assert.deepEqual([(await sessions()).length, await links()], [1, 1])
  await withClockAhead(901_000, () => runMaintenance(db))
  assert.deepEqual([(await sessions()).length, await links()], [1, undefined])
  await withClockAhead(43_201_000, () => runMaintenance(db))
  assert.equal((await sessions()).length, 0)
  clock.ahead = 0
})

test('deliveries and attempts are deleted after thirty days, a secret that was replaced when its overlap is over, and an archived webhook with everything', async () => {
  const { base, key, company_id } = await newCompany()
  const { path, delivery_id } = await newWebhook(base, key)
  await call('POST', `${path}/rotate`, { key, body: { overlap_seconds: 60 } })
  const counts = async () => {
    const { webhook_secrets, webhook_deliveries, webhook_attempts, webhooks } = await rowsOf(company_id)
    return [webhook_secrets, webhook_deliveries, webhook_attempts, webhooks]
  }
  await withClockAhead(58_000, () => runMaintenance(db))
  assert.deepEqual(await counts(), [2, 1, 1, 1])
  await withClockAhead(61_000, () => runMaintenance(db))
  assert.deepEqual(await counts(), [1, 1, 1, 1])
  // A delivery that waits is kept, and its old attempts are not.
  await withClockAhead(MONTH_MS + 2000, () => runMaintenance(db))
  assert.deepEqual(await counts(), [1, 1, undefined, 1])
  clock.ahead = 0
  await call('POST', `${path}/deliveries/${delivery_id}/skip`, { key })
  await withClockAhead(MONTH_MS + 2000, () => runMaintenance(db))
  assert.deepEqual(await counts(), [1, undefined, undefined, 1])
  clock.ahead = 0
  await newDelivery(company_id, path.slice(-36))
  await call('DELETE', path, { key })
  await withClockAhead(MONTH_MS + 2000, () => runMaintenance(db))
  assert.deepEqual(await counts(), [undefined, undefined, undefined, undefined])
  clock.ahead = 0
})

test('a token is deleted a day after it has expired', async () => {
  const { company_id, player } = await newGameTable()
  await player.make('/tokens', { expires_in: 60 })
  await withClockAhead(86_400_000 + 58_000, () => runMaintenance(db))
  assert.equal((await rowsOf(company_id)).user_tokens, 1)
  await withClockAhead(86_400_000 + 61_000, () => runMaintenance(db))
  assert.equal((await rowsOf(company_id)).user_tokens, undefined)
  clock.ahead = 0
})

test('archived rows can be restored for thirty days, and then are purged: most are deleted, characters and users are blanked', async () => {
  const { base, key, company_id, teller, player, other, campaign_id, C, book, chapter, hero, item, note, quick } = await newFullCompany()
  await other.make('/notes', { title: 'Own note of another' })
  await call('PATCH', `${base}/users/${other.id}`, {
    key,
    body: { email: 'other@example.com', external_id: 'discord:1', metadata: { phone: '555-0100' } },
  })
  await player.patch(`${C}/characters/${hero}`, { metadata: { sheet: 'external sheet' } })
  await write(sql`UPDATE characters SET external_id = 'app:hero' WHERE company_id = ${company_id} AND id = ${hero}`)
  const paths = {
    note: [player, `${C}/books/${book}/chapters/${chapter}/notes/${note}`],
    item: [player, `${C}/characters/${hero}/inventory/${item}`],
    quick: [player, `/quick-rolls/${quick}`],
    chapter: [teller, `${C}/books/${book}/chapters/${chapter}`],
    book: [teller, `${C}/books/${book}`],
    hero: [player, `${C}/characters/${hero}`],
  } as const
  for (const [person, path] of Object.values(paths)) assert.equal((await person.delete(path)).status, 204, path)
  assert.equal((await call('DELETE', `${base}/users/${other.id}`, { key })).status, 204)
  const before = await rowsOf(company_id)
  await withClockAhead(MONTH_MS - 60_000, () => runMaintenance(db))
  // The token, the link and the creation have expired long before.
  const { idempotency_keys, user_tokens, sign_in_links, creations, ...rest } = before
  assert.deepEqual(await rowsOf(company_id), rest, 'before that nothing is purged')
  assert.equal((await call('GET', `${base}/users?archived=true`, { key })).body.total, 1)

  await withClockAhead(MONTH_MS + 1000, () => runMaintenance(db))
  const { notes, inventory, trackers, chapters, books, quick_rolls, characters, users, dice_rolls, experience_entries } =
    await rowsOf(company_id)
  assert.deepEqual(
    { notes, inventory, trackers, chapters, books, quick_rolls },
    { notes: 1, inventory: undefined, trackers: 1, chapters: undefined, books: undefined, quick_rolls: 1 },
  )
  assert.deepEqual(
    [characters, users, dice_rolls, experience_entries],
    [before.characters, before.users, before.dice_rolls, before.experience_entries],
  )
  for (const [person, path] of Object.values(paths)) {
    assertProblem(await person.post(`${path}/restore`), 404)
    assertProblem(await person.delete(path), 404)
  }
  assertProblem(await call('POST', `${base}/users/${other.id}/restore`, { key }), 404, 'User not found')
  assert.equal((await call('GET', `${base}/users?archived=true`, { key })).body.total, 0)
  assert.equal((await player.get(`${C}/characters?archived=true`)).body.total, 0)
  const [user] = await db.query(sql`SELECT name, email, external_id, metadata FROM users WHERE id = ${other.id}`)
  assert.deepEqual(user, { name: 'Deleted user', email: null, external_id: null, metadata: {} })
  const [character] = await db.query(sql`SELECT name, biography, traits, details, external_id, metadata FROM characters WHERE id = ${hero}`)
  assert.deepEqual(character, {
    name: 'Deleted character',
    biography: null,
    traits: {},
    details: {},
    external_id: null,
    metadata: {},
  })
  assert.equal((await player.get(`/dice-rolls?campaign_id=${campaign_id}`)).body.total, 2, 'rolls stay')
  const log = (await call('GET', `${base}/audit-logs?type=user.purged`, { key })).body.items
  assert.deepEqual([log.length, log[0]?.resource_id, log[0]?.developer_id], [1, other.id, null])
  const history = (await call('GET', `${base}/audit-logs?limit=100`, { key })).text
  for (const secret of ['other@example.com', 'discord:1', '555-0100', 'external sheet', 'A long story', 'Own note of another'])
    assert.equal(history.includes(secret), false, `${secret} is still in the log`)
  assert.ok(history.includes('user.updated') && history.includes('character.created'), 'the events themselves stay')
  // The external_id is free again.
  assert.equal((await call('POST', `${base}/users`, { key, body: { name: 'New', role: 'PLAYER', external_id: 'discord:1' } })).status, 201)
  assert.deepEqual(await runMaintenance(db), {
    replies: 0,
    keys: 0,
    tokens: 0,
    sessions: 0,
    links: 0,
    creations: 0,
    secrets: 0,
    deliveries: 0,
    things: 0,
    characters: 0,
    users: 0,
    campaigns: 0,
    companies: 0,
    positions: 0,
  })
})

test('a purged character keeps its experience in the ledger, which is purged with its campaign', async () => {
  clock.ahead = 0
  const { company_id, teller, player } = await newGameTable()
  const { C, hero, entry } = await newCharacterExperience(teller, player)
  await countCompany(db, company_id, LATER)
  await player.delete(`${C}/characters/${hero}`)
  await withClockAhead(MONTH_MS + 1000, () => runMaintenance(db))
  assertProblem(await player.post(`${C}/characters/${hero}/restore`), 404)
  const { characters, experience_entries, experience_character_balances, experience_counts, history_counts } = await rowsOf(company_id)
  assert.deepEqual([characters, experience_entries, experience_character_balances], [1, 1, 1])
  assert.deepEqual([experience_counts, history_counts], [1, undefined], 'nobody reads the history of a purged character')
  assert.equal((await player.get(`${C}/experience`)).body.total, 0, 'the balance is no longer listed')
  assert.equal((await teller.get(`${C}/experience/entries/${entry}`)).body.character_id, hero)
  await teller.delete(C)
  await withClockAhead(2 * MONTH_MS + 5000, () => runMaintenance(db))
  const rows = await rowsOf(company_id)
  assert.deepEqual([rows.characters, rows.experience_entries, rows.experience_character_balances], [undefined, undefined, undefined])
  assert.equal(rows.experience_counts, undefined)
})

test('a campaign is purged with all its rows and from the statistics, even by two processes at once', async () => {
  clock.ahead = 0
  const { base, key, company_id, teller, player, C } = await newFullCompany()
  const statistics = async () => (await call('GET', `${base}/statistics`, { key })).body
  const elsewhere = await teller.make('/campaigns', { name: 'Elsewhere' })
  await player.make('/dice-rolls', { campaign_id: elsewhere, notation: '2d6' })
  const campaign_id = C.split('/').at(-1)
  for (const visibility of ['PUBLIC', 'STORYTELLER']) {
    await player.make('/dice-rolls', { campaign_id, visibility, notation: '1d20', manual: [20], target: 10 })
    await player.make('/dice-rolls', { campaign_id, visibility, notation: '1d20', target: 10 })
    const voided = await player.make('/dice-rolls', { campaign_id, visibility, notation: '1d20' })
    assert.equal((await teller.post(`/dice-rolls/${voided}/void`, { reason: 'Cocked die' })).status, 200)
  }
  // One roll of the campaign waits to be counted when it is purged, and so does the void of another.
  const voidedLate = await teller.make('/dice-rolls', { notation: '2d6', campaign_id })
  await foldTallies(db)
  await countCompany(db, company_id, LATER)
  assert.ok((await rowsOf(company_id)).history_counts)
  await teller.make('/dice-rolls', { notation: '2d6', campaign_id })
  assert.equal((await teller.post(`/dice-rolls/${voidedLate}/void`, { reason: 'Cocked die' })).status, 200)
  await teller.delete(C)
  await withClockAhead(MONTH_MS - 5000, () => runMaintenance(db))
  assert.equal((await teller.post(`${C}/restore`)).status, 200)
  await teller.delete(C)
  clock.ahead = 2 * MONTH_MS
  const hidden = await statistics()
  const second = connect(url, { clock: () => new Date(Date.now() + clock.ahead), readers: 1, writers: 2, pooler, engine })
  const removed = await Promise.all([runMaintenance(db), runMaintenance(second), runMaintenance(db)])
  assert.equal(
    removed.reduce((all, { campaigns }) => all + campaigns, 0),
    1,
  )
  await second.close()
  assertProblem(await teller.post(`${C}/restore`), 404, 'Campaign not found')
  const rows = await rowsOf(company_id)
  assert.deepEqual([rows.campaigns, rows.dice_rolls, rows.notes, rows.characters, rows.experience_entries], [1, 2, 1, undefined, undefined])
  assert.deepEqual([rows.trackers, rows.quick_rolls], [undefined, 1])
  assert.deepEqual(await statistics(), hidden)
  assert.deepEqual([rows.tally_queue, rows.experience_counts, rows.history_counts], [undefined, undefined, undefined])
  const totals = await db.query<Record<string, number>>(
    sql`SELECT ${sql.join(
      COUNTED.map((name) => sql`sum(${sql.id(name)})::int AS ${sql.id(name)}`),
      ', ',
    )}, user_id IS NULL AS "isOfCompany" FROM dice_tallies WHERE company_id = ${company_id} GROUP BY user_id IS NULL ORDER BY 1`,
  )
  const [ofUsers, ofCompany] = totals.map(({ isOfCompany, ...counts }) => counts)
  assert.deepEqual(ofCompany, ofUsers, 'the company counts what its users still have')
  assert.equal(ofCompany?.manual_rolls, 0)
  const log = (await call('GET', `${base}/audit-logs?type=campaign.purged`, { key })).body.items
  assert.equal(log.length, 1)
  const audited = async (query: string) => (await call('GET', `${base}/audit-logs${query}`, { key })).body.total
  assert.equal(await audited('?limit=0'), await audited('?limit=0&from=2020-01-01T00:00:00Z'), 'purged events are not counted')
  assert.equal(JSON.stringify((await call('GET', `${base}/audit-logs?limit=100`, { key })).body).includes('A long story'), false)
})

test('a company is purged with all its rows, and with nothing of another', async () => {
  clock.ahead = 0
  const { base, key, company_id, teller, player, C } = await newFullCompany()
  await newCharacterExperience(teller, player)
  const other = await newFullCompany()
  for (const table of [company_id, other.company_id]) await countCompany(db, table, LATER)
  // After the last event got its position, and the last roll was counted, so that outbox and queue have rows.
  await foldTallies(db)
  await teller.make(`${C}/invites`, {})
  await player.make('/dice-rolls', { notation: '2d6' })
  // A feed is kept for as long as an archived company.
  const { feed, ...untouched } = await rowsOf(other.company_id)
  assert.deepEqual(
    Object.keys(await rowsOf(company_id)).sort(),
    companyTables()
      .map(({ name }) => name)
      .sort(),
    'every table has rows',
  )
  await call('DELETE', base, { key })
  await withClockAhead(MONTH_MS - 5000, () => runMaintenance(db))
  assert.equal((await call('POST', `${base}/restore`, { key })).status, 200)
  await call('DELETE', base, { key })
  clock.ahead = 2 * MONTH_MS
  await runMaintenance(db)
  assert.deepEqual(await rowsOf(company_id), {})
  assert.deepEqual(await db.query(sql`SELECT id FROM companies WHERE id = ${company_id}`), [])
  assertProblem(await call('POST', `${base}/restore`, { key }), 403)
  const { idempotency_keys, user_tokens, sign_in_links, creations, webhook_attempts, ...rest } = untouched
  assert.deepEqual(await rowsOf(other.company_id), rest)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { newGameTable, type Person } from '../../test/game-table.ts'
import { call, clock, db, engine, pooler, url, write } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import { fold } from '../core/text.ts'
import { connect } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import type { MaintenanceDb } from './batches.ts'
import { runMaintenance } from './maintenance.ts'

const MONTH_MS = 30 * 86_400_000
const MINUTE_MS = 60_000
const second = connect(url, { clock: () => new Date(Date.now() + clock.ahead), readers: 1, writers: 2, pooler, engine })
after(() => second.close())
afterEach(() => {
  clock.ahead = 0
})

/** Returns the columns in which a text occurs, in any row of any table: as text, inside JSON, or as bytes. */
async function columnsWith(needle: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  const forms = [needle, fold(needle), Buffer.from(needle).toString('hex')]
  const columns: string[] = []
  for (const { name } of tables) {
    const rows = await db.query<{ row: Record<string, unknown> }>(sql`
      SELECT to_jsonb(t) AS row FROM ${sql.id(name)} t
      WHERE ${sql.join(
        forms.map((form) => sql`position(${form} IN to_jsonb(t)::text) > 0`),
        ' OR ',
      )}`)
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        if (forms.some((form) => (JSON.stringify(value) ?? '').includes(form))) columns.push(`${name}.${column} ${row.type ?? ''}`)
  }
  return columns
}

const strainedRoll = (user: Person, body: object) =>
  until(async () => {
    const roll = await user.post('/dice-rolls', { pool: { dice: 3, sides: 6, difficulty: 2, desperation_dice: 5 }, ...body })
    assert.equal(roll.status, 201, roll.text)
    return (await db.query(sql`SELECT FROM dice_rolls WHERE id = ${roll.body.id} AND strained`)).length > 0 && roll.body.id
  }, 'a strained roll')

/** Creates a user with unusual values who has rows in every table with users, was renamed, and is archived. */
async function archivedUser() {
  const table = await newGameTable()
  const { base, key, person, teller, campaign_id, C } = table
  const word = randomUUID().slice(0, 8)
  const secrets = {
    first: `Žofie${word}`,
    second: `Quizzaciously${word}`,
    email: `${word}@wonder.example`,
    external: `discord:${word}`,
    note: `Diary${word}`,
  }
  const user = await person('PLAYER', secrets.first)
  const keyed = () => ({ 'idempotency-key': randomUUID() })
  const patch = (body: object) => call('PATCH', `${base}/users/${user.id}`, { key, headers: keyed(), body })
  await patch({ email: secrets.email, external_id: secrets.external })
  assert.equal((await teller.put(`${C}/members/${user.id}`, { role: 'PLAYER' }, keyed())).status, 201)
  await teller.patch(C, { desperation: 5 })
  const hero = await user.make(`${C}/characters`, { name: 'Hero', traits: { wits: 3 } })
  const rolls: Record<string, string> = {
    plain: await user.make('/dice-rolls', { notation: '3d6' }),
    comment: await user.make('/dice-rolls', { notation: '4d6kh3>=4', comment: 'A (comment): with = signs' }),
    hero: await user.make('/dice-rolls', { character_id: hero, pool: { traits: ['wits'], difficulty: 4 } }),
  }
  await patch({ name: secrets.second })
  rolls.despair = await strainedRoll(user, { campaign_id })
  rolls.overreach = await strainedRoll(user, { campaign_id, visibility: 'STORYTELLER' })
  rolls.blind = await strainedRoll(user, { campaign_id, visibility: 'BLIND' })
  rolls.unsettled = await strainedRoll(user, { campaign_id })
  rolls.voided = await user.make('/dice-rolls', { notation: '2d6', campaign_id, comment: 'VOID' })
  rolls.settledAndVoided = await strainedRoll(user, { campaign_id })
  await user.make('/notes', { title: secrets.note })
  await user.make('/quick-rolls', { name: secrets.note, pool: { dice: 3 } })
  assert.equal((await call('DELETE', `${base}/users/${user.id}`, { key })).status, 204)
  return { ...table, user, secrets, rolls }
}

/** Writes the answers of an endpoint that repeats what it is sent: a delivery of each event of some resources, with one attempt. Returns the number of them. */
async function echoed(base: string, key: string, ids: string[]): Promise<number> {
  const company_id = base.slice(-36)
  const { body: webhook } = await call('POST', `${base}/webhooks`, { key, body: { name: randomUUID(), url: 'https://bot.example/' } })
  const events = await db.query<{ id: string; type: string; changes: object }>(sql`
    SELECT id, type, changes FROM events WHERE company_id = ${company_id} AND resource_id = ANY (${ids}::uuid[])`)
  for (const [i, { id, type, changes }] of events.entries()) {
    const delivery_id = randomUUID()
    await write(sql`
      INSERT INTO webhook_deliveries (company_id, id, webhook_id, number, event_id, position, change_id, type, status, is_replay, attempts, failures, date_done, date_created)
      VALUES (${company_id}, ${delivery_id}, ${webhook.id}, ${i + 1}, ${id}, ${i + 1}, ${randomUUID()}, ${type}, 'DELIVERED', false, 1, 0, ${db.now()}, ${db.now()})`)
    await write(sql`
      INSERT INTO webhook_attempts (company_id, id, webhook_id, delivery_id, url, request_headers, request_bytes, status, response_headers, response_body, duration_ms, date_created)
      VALUES (${company_id}, ${randomUUID()}, ${webhook.id}, ${delivery_id}, 'https://bot.example/', '{}', 1, 200, '{}', ${JSON.stringify(changes)}, 1, ${db.now()})`)
  }
  return events.length
}

const echoesIn = async (company_id: string) =>
  (await db.query(sql`SELECT FROM webhook_attempts WHERE company_id = ${company_id} AND response_body IS NOT NULL`)).length

const textOf = async (id: string) => (await db.query<{ text: string }>(sql`SELECT text FROM dice_rolls WHERE id = ${id}`))[0]?.text ?? ''

test('after a purge, name, e-mail and external id are found nowhere in the database', async () => {
  const { base, key, teller, user, secrets, rolls, campaign_id, company_id } = await archivedUser()
  const ofAnother = await teller.make('/dice-rolls', { notation: '1d6' })
  for (const secret of Object.values(secrets))
    assert.notDeepEqual(await columnsWith(secret), [], `${secret} does not occur before the purge`)
  clock.ahead = MONTH_MS - 20 * MINUTE_MS
  const settle = (id = '', choice = 'DESPAIR', headers = {}) => teller.post(`/dice-rolls/${id}/settle`, { choice }, headers)
  const headers = { 'idempotency-key': randomUUID() }
  // Settled so late that the reply is still stored when the user is purged.
  const settled = await settle(rolls.despair, 'DESPAIR', headers)
  assert.equal(settled.status, 200, settled.text)
  for (const [id, choice] of [
    [rolls.overreach, 'OVERREACH'],
    [rolls.blind, 'DESPAIR'],
  ])
    assert.equal((await settle(id, choice)).status, 200)
  const voiding = (id = '', headers = {}) => teller.post(`/dice-rolls/${id}/void`, { reason: 'Wrong\nline' }, headers)
  const keyed = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }] as const
  assert.equal((await settle(rolls.settledAndVoided, 'DESPAIR', keyed[0])).status, 200)
  assert.equal((await voiding(rolls.settledAndVoided, keyed[1])).status, 200)
  assert.equal((await voiding(rolls.voided)).status, 200)
  // A month after the user was archived, some of it is sent, and sent again.
  assert.ok((await echoed(base, key, [user.id, ...Object.values(rolls)])) > 10)
  const kept = await echoed(base, key, [ofAnother])
  for (const secret of [secrets.first, secrets.second, secrets.email])
    assert.ok(
      (await columnsWith(secret)).some((column) => column.startsWith('webhook_attempts.response_body')),
      secret,
    )
  const before = await Promise.all(Object.values(rolls).map(textOf))
  const structure = () =>
    db.query(sql`SELECT id, type, resource_id, user_id, date_created FROM events WHERE type <> 'user.purged' ORDER BY id`)
  const events = await structure()

  clock.ahead = MONTH_MS + MINUTE_MS
  await Promise.all([runMaintenance(db), runMaintenance(second), runMaintenance(db)])
  for (const secret of Object.values(secrets)) assert.deepEqual(await columnsWith(secret), [], secret)
  assert.equal(await echoesIn(company_id), kept, 'the answers to what was told of others are kept')
  const texts = before.map((text) => text.replace(secrets.first, 'Deleted user').replace(secrets.second, 'Deleted user'))
  assert.deepEqual(await Promise.all(Object.values(rolls).map(textOf)), texts)
  assert.match(await textOf(rolls.despair ?? ''), /^Deleted user: 3d6, .*; DESPAIR makes it a FAILURE$/)
  assert.match(await textOf(rolls.hero ?? ''), /^Hero: /)
  assert.deepEqual(await structure(), events, 'the audit log keeps types, resources, users and dates')
  const changes = async (id: string | undefined, type: string) =>
    (await call('GET', `${base}/audit-logs?resource_id=${id}&type=${type}&limit=100`, { key })).body.items.map((item) => item.changes)
  assert.deepEqual(await changes(user.id, 'user.updated'), [{}, {}])
  assert.deepEqual(await changes(user.id, 'member.added'), [
    { campaign_id: { old: null, new: campaign_id }, user_id: { old: null, new: user.id }, role: { old: null, new: 'PLAYER' } },
  ])
  const [created] = await changes(rolls.despair, 'dice_roll.created')
  const [despaired] = await changes(rolls.despair, 'dice_roll.settled')
  assert.deepEqual(despaired?.text, { old: created?.text?.new, new: await textOf(rolls.despair ?? '') })

  const twice = rolls.settledAndVoided ?? ''
  const [first] = await changes(twice, 'dice_roll.created')
  const [then] = await changes(twice, 'dice_roll.settled')
  const [last] = await changes(twice, 'dice_roll.voided')
  assert.match(await textOf(twice), /^VOID \(Wrong line\): Deleted user: 3d6, .*; DESPAIR makes it a FAILURE$/)
  assert.deepEqual(then?.text?.old, first?.text?.new)
  assert.deepEqual(last?.text, { old: then?.text?.new, new: await textOf(twice) })
  assert.equal((await settle(twice, 'DESPAIR', keyed[0])).body.text, then?.text?.new)
  assert.equal((await voiding(twice, keyed[1])).body.text, last?.text?.new)

  const replayed = await settle(rolls.despair, 'DESPAIR', headers)
  assert.deepEqual([replayed.status, replayed.headers['idempotent-replayed']], [200, 'true'])
  const read = await teller.get(`/dice-rolls/${rolls.despair}`)
  assert.deepEqual([replayed.text, replayed.headers.etag], [read.text, read.headers.etag])
})

test('a purge that is stopped after every transaction is continued until nothing is left', async () => {
  const { secrets } = await archivedUser()
  clock.ahead = MONTH_MS + MINUTE_MS
  let runs = 0
  for (let left = true; left; runs++) {
    let transactions = 0
    const short: MaintenanceDb = { ...db, isStopping: () => ++transactions > runs }
    await runMaintenance(short)
    left = (await db.query(sql`SELECT FROM users WHERE date_archived IS NOT NULL AND date_blanked IS NULL`)).length > 0
    assert.ok(runs < 100)
  }
  assert.ok(runs > 5, `${runs} runs`)
  for (const secret of Object.values(secrets)) assert.deepEqual(await columnsWith(secret), [], secret)
})

test('users that an earlier version purged are finished', async () => {
  const { user, secrets } = await archivedUser()
  clock.ahead = MONTH_MS + MINUTE_MS
  await write(sql`
    UPDATE users SET name = 'Deleted user', name_key = 'deleted user', email = NULL, external_id = NULL, date_purged = ${db.now()} WHERE id = ${user.id}`)
  await runMaintenance(db)
  for (const secret of Object.values(secrets)) assert.deepEqual(await columnsWith(secret), [], secret)
  const purged = await db.query(sql`SELECT FROM events WHERE type = 'user.purged' AND resource_id = ${user.id}`)
  assert.equal(purged.length, 0, 'the purge itself was recorded by that version')
})

/** Creates a character with unusual names and rolls of every form, some of them while its sheet was hidden, and archives it. */
async function archivedCharacter() {
  const table = await newGameTable()
  const { player, teller, campaign_id, C } = table
  const word = randomUUID().slice(0, 8)
  const secrets = { first: `Žofka ${word}`, second: `Quizzical ${word}` }
  await teller.patch(C, { desperation: 5 })
  const id = await player.make(`${C}/characters`, { name: secrets.first, traits: { wits: 3 } })
  const path = `${C}/characters/${id}`
  const pool = { traits: ['wits'], difficulty: 4 }
  const strained = { pool: { ...pool, desperation_dice: 5 }, campaign_id, character_id: id }
  const open = await player.make('/dice-rolls', { pool, character_id: id })
  const comment = await player.make('/dice-rolls', { notation: '1d20+{wits}', character_id: id, comment: `A (comment): with = signs` })
  assert.equal((await player.patch(path, { name: secrets.second, sheet_visibility: 'PLAYER' })).status, 200)
  const rolls: Record<string, string> = {
    open,
    comment,
    hidden: await player.make('/dice-rolls', { notation: '1d20+{wits}', character_id: id }),
    hiddenPool: await player.make('/dice-rolls', { pool, character_id: id }),
    settled: await strainedRoll(player, strained),
    blind: await strainedRoll(player, { ...strained, visibility: 'BLIND' }),
    voided: await strainedRoll(player, strained),
  }
  assert.equal((await player.delete(path)).status, 204)
  return { ...table, secrets, rolls, path, id }
}

const textsIn = async (ids: string[]) =>
  (
    await db.query<{ id: string; text: unknown }>(sql`
      SELECT id, changes->'text' AS text FROM events WHERE resource_id = ANY (${ids}::uuid[]) AND changes ? 'text' ORDER BY id`)
  ).map(({ text }) => JSON.stringify(text))

test('after a purge, the name of a character is found nowhere in the database', async () => {
  const { base, key, teller, player, other, secrets, rolls, id, company_id } = await archivedCharacter()
  const ofAnother = await other.make('/dice-rolls', { notation: '1d6' })
  clock.ahead = MONTH_MS - 20 * MINUTE_MS
  const settle = (roll = '', headers = {}) => teller.post(`/dice-rolls/${roll}/settle`, { choice: 'DESPAIR' }, headers)
  const voiding = (person: Person, headers = {}) => person.post(`/dice-rolls/${rolls.voided}/void`, { reason: 'Wrong' }, headers)
  for (const roll of [rolls.blind, rolls.voided]) assert.equal((await settle(roll)).status, 200)
  // So late that the replies are still stored when the character is purged.
  const keyed = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }] as const
  assert.equal((await settle(rolls.settled, keyed[0])).status, 200)
  assert.equal((await voiding(teller, keyed[1])).status, 200)
  await echoed(base, key, [id, ...Object.values(rolls)])
  const kept = await echoed(base, key, [ofAnother])
  const ids = Object.values(rolls)
  const before = await Promise.all(ids.map(textOf))
  const recorded = await textsIn(ids)
  assert.ok(recorded.length >= 10, String(recorded.length))
  const named = recorded.filter((text) => text.includes('wits 3'))
  assert.ok(named.length > 0 && named.length < recorded.length, 'some events show values of the sheet, and some do not')
  for (const secret of Object.values(secrets)) assert.notDeepEqual(await columnsWith(secret), [])

  clock.ahead = MONTH_MS + MINUTE_MS
  await Promise.all([runMaintenance(db), runMaintenance(second), runMaintenance(db)])
  for (const secret of Object.values(secrets)) assert.deepEqual(await columnsWith(secret), [], secret)
  const renamed = (text: string) => Object.values(secrets).reduce((all, name) => all.replaceAll(name, 'Deleted character'), text)
  assert.deepEqual(await Promise.all(ids.map(textOf)), before.map(renamed), 'the rolls keep the rest of their texts')
  assert.deepEqual(await textsIn(ids), recorded.map(renamed), 'and so do the events, with the sheet as hidden as it was')
  assert.match(await textOf(rolls.comment ?? ''), /^Deleted character \(A \(comment\): with = signs\): /)
  assert.match(await textOf(rolls.voided ?? ''), /^VOID \(Wrong\): Deleted character: /)
  assert.equal(await echoesIn(company_id), kept, 'the answers to what was told of others are kept')
  assert.equal((await settle(rolls.settled, keyed[0])).body.text, await textOf(rolls.settled ?? ''))
  assert.equal((await voiding(teller, keyed[1])).body.text, await textOf(rolls.voided ?? ''))
  assert.match((await player.get(`/dice-rolls/${rolls.open}`)).body.text as string, /^Deleted character: /)
})

test('a purge of a character that is stopped after every transaction, or was made by an earlier version, is finished', async () => {
  const isLeft = async () =>
    (await db.query(sql`SELECT FROM characters WHERE date_archived IS NOT NULL AND date_blanked IS NULL`)).length > 0
  const [stopped, earlier] = [await archivedCharacter(), await archivedCharacter()]
  clock.ahead = MONTH_MS + MINUTE_MS
  await write(sql`
    UPDATE characters SET name = 'Deleted character', name_key = 'deleted character', date_purged = ${db.now()} WHERE id = ${earlier.id}`)
  let runs = 0
  for (; await isLeft(); runs++) {
    let transactions = 0
    await runMaintenance({ ...db, isStopping: () => ++transactions > runs })
    assert.ok(runs < 100)
  }
  assert.ok(runs > 5, `${runs} runs`)
  // The event of the purge itself was recorded by that version, which left the values of the character in none.
  for (const secret of Object.values(stopped.secrets)) assert.deepEqual(await columnsWith(secret), [], secret)
  for (const secret of Object.values(earlier.secrets))
    assert.deepEqual(
      (await columnsWith(secret)).filter((column) => !column.startsWith('events.changes character.')),
      [],
      secret,
    )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyRoll } from '@guildhall/dice/verify'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, db } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { sql } from '../../db/sql.ts'
import type { Statistics } from '../statistics/schema.ts'
import type { DiceRoll } from './schema.ts'

const voidRoll = (user: Person, id: string, reason: unknown = 'Wrong character', on = twoApps[0]) =>
  user.post(`/dice-rolls/${id}/void`, { reason }, {}, on)
function assertDenied(reply: Answer, reason: string, needs?: object): void {
  assertProblem(reply, 403)
  assert.deepEqual([reply.body.reason, reply.body.needs], [reason, needs])
}
const statisticsOf = async (user: Person, path: string) => (await user.get(`${path}/statistics`)).body as unknown as Statistics

test('a storyteller voids a roll: it stays in lists, struck out and with its proof, and no longer counts', async () => {
  const { teller, player, other, campaign_id, C, company_id } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 3 } })
  await player.make('/dice-rolls', { notation: '2d6', campaign_id })
  const without = await statisticsOf(other, C)
  const body = { notation: '1d20+2d6+{wits}', target: 14, naturals: true, character_id: hero }
  const made = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  assert.notDeepEqual(await statisticsOf(other, C), without)

  const reply = await voidRoll(teller, made.id, ' Rolled for\nthe wrong one ')
  assert.equal(reply.status, 200, reply.text)
  const voided = reply.body as unknown as DiceRoll
  const reason = 'Rolled for\nthe wrong one'
  assert.deepEqual(voided, {
    ...made,
    date_voided: voided.date_voided,
    voided_by: teller.id,
    void_reason: reason,
    text: `VOID (Rolled for the wrong one): ${made.text}`,
    text_markdown: `VOID (Rolled for the wrong one)\\: ${made.text_markdown}`,
    date_modified: voided.date_voided,
    version: 2,
  })
  assert.ok(Date.now() - Date.parse(voided.date_voided ?? '') < 60_000)
  assert.deepEqual((await other.get(`/dice-rolls/${made.id}`)).body, reply.body)
  assert.deepEqual(await statisticsOf(other, C), without)
  assert.equal((await statisticsOf(player, '')).rolls, 1)
  for (const filter of ['', `?campaign_id=${campaign_id}`, `?user_id=${player.id}`]) {
    const list = (await other.get(`/dice-rolls${filter}`)).body
    assert.deepEqual([list.total, list.items.length], [2, 2], filter)
  }
  const ofHero = (await other.get(`/dice-rolls?character_id=${hero}`)).body
  assert.deepEqual([ofHero.total, ofHero.items], [1, [{ ...reply.body, truncated: false }]])

  await teller.post(`${C}/dice-seed/rotate`)
  const proof = await other.get(`/dice-rolls/${made.id}/proof`)
  assert.deepEqual((await verifyRoll(proof.body, voided)).faults, [])

  const events = await db.query<{ type: string; user_id: string; changes: object; visibility: string | null }>(
    sql`SELECT type, user_id, changes, visibility FROM events WHERE company_id = ${company_id} AND resource_id = ${made.id} ORDER BY id`,
  )
  assert.deepEqual(events[1], {
    type: 'dice_roll.voided',
    user_id: teller.id,
    visibility: null,
    changes: {
      date_voided: { old: null, new: voided.date_voided },
      voided_by: { old: null, new: teller.id },
      void_reason: { old: null, new: reason },
      text: { old: made.text, new: voided.text },
    },
  })
  assertProblem(await voidRoll(teller, made.id), 409, /was voided at .* A roll can be voided once/)
})

test('only storytellers of the campaign and ADMINs void a roll, and only ADMINs one outside of campaigns', async () => {
  const { teller, player, other, stranger, admin, campaign_id, C, base, key } = await newGameTable()
  const open = await player.make('/dice-rolls', { notation: '3', campaign_id })
  const own = await player.make('/dice-rolls', { notation: '3' })
  const secret = await teller.make('/dice-rolls', { notation: '3', campaign_id, visibility: 'STORYTELLER' })
  const blind = await player.make('/dice-rolls', { notation: '3', campaign_id, visibility: 'BLIND' })
  for (const user of [player, other]) assertDenied(await voidRoll(user, open), 'role', { role: 'STORYTELLER' })
  assertDenied(await voidRoll(stranger, open), 'not_a_storyteller')
  for (const user of [player, teller, stranger]) assertDenied(await voidRoll(user, own), 'role', { role: 'ADMIN' })
  for (const id of [secret, blind, teller.id]) for (const user of [player, other, stranger]) assertProblem(await voidRoll(user, id), 404)
  for (const reason of [null, '', ' \n ', 7, ['x'], 'x'.repeat(501)]) assertProblem(await voidRoll(teller, open, reason), 400)
  for (const body of [undefined, {}, [], { reason: 'x', why: 'y' }]) assertProblem(await teller.post(`/dice-rolls/${open}/void`, body), 400)
  for (const id of [open, blind]) assert.equal((await voidRoll(teller, id, 'ß'.repeat(500))).status, 200)
  for (const id of [own, secret]) assert.equal((await voidRoll(admin, id)).status, 200)
  assert.equal((await voidRoll(admin, open)).body.code, 'already_voided')
  const { body: elsewhere } = await call('POST', `${base}/users/${stranger.id}/campaigns`, { key, body: { name: 'Elsewhere' } })
  const theirs = await stranger.make('/dice-rolls', { notation: '3', campaign_id: elsewhere.id })
  await stranger.delete(`/campaigns/${elsewhere.id}`)
  assertProblem(await voidRoll(stranger, theirs), 404)
  assert.equal((await teller.get(C)).status, 200)
})

test('of many requests on two processes that void or settle a roll, one voids it, and it leaves the statistics once', async () => {
  const { teller, admin, player, campaign_id, C } = await newGameTable()
  await teller.patch(C, { desperation: 5 })
  await player.make('/dice-rolls', { notation: '4d6', campaign_id })
  const before = await statisticsOf(teller, C)
  const strained = { pool: { dice: 2, difficulty: 6, desperation_dice: 5 }, campaign_id }
  const rolled: string[] = []
  const roll = await until(async () => {
    const made = (await player.post('/dice-rolls', strained)).body as unknown as DiceRoll
    rolled.push(made.id)
    return made.strained && made
  }, 'a strained roll')
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      i % 3 === 2
        ? player.post(`/dice-rolls/${roll.id}/settle`, { choice: 'DESPAIR' }, {}, twoApps[i % 2])
        : voidRoll(i % 3 ? teller : admin, roll.id, `Reason ${i}`, twoApps[i % 2]),
    ),
  )
  const voids = replies.filter((_, i) => i % 3 !== 2)
  assert.deepEqual(voids.map(({ status, body }) => (status === 200 ? 200 : body.code)).sort(), [200, ...Array(7).fill('already_voided')])
  for (const { status, body } of replies.filter((_, i) => i % 3 === 2))
    assert.ok(status === 200 || body.code === 'voided' || body.code === 'already_settled', body.code)
  const final = (await player.get(`/dice-rolls/${roll.id}`)).body as unknown as DiceRoll
  assert.deepEqual(final.void_reason, voids.find(({ status }) => status === 200)?.body.void_reason)
  assertProblem(await player.post(`/dice-rolls/${roll.id}/settle`, { choice: 'OVERREACH' }), 409, /was voided/)
  for (const id of rolled.slice(0, -1)) assert.equal((await voidRoll(teller, id)).status, 200)
  assert.deepEqual(await statisticsOf(teller, C), before)
})

test('a voided roll of a hidden sheet shows no trait, neither to others nor in its event', async () => {
  const { teller, player, other, C, company_id } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 41 }, sheet_visibility: 'PLAYER' })
  for (const body of [{ pool: { traits: ['wits'], difficulty: 6 } }, { notation: '1d6+{wits}' }]) {
    const made = (await player.post('/dice-rolls', { ...body, character_id: hero })).body as unknown as DiceRoll
    const seen = (await other.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll
    const voided = (await voidRoll(teller, made.id, 'Not: this')).body as unknown as DiceRoll
    assert.equal(voided.text, `VOID (Not: this): ${made.text}`)
    const now = (await other.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll
    const { date_voided, voided_by, void_reason, date_modified, version } = voided
    const text = `VOID (Not: this): ${seen.text}`
    const text_markdown = `VOID (Not\\: this)\\: ${seen.text_markdown}`
    assert.deepEqual(now, { ...seen, date_voided, voided_by, void_reason, date_modified, version, text, text_markdown })
    const [event] = await db.query<{ changes: { text: { old: string; new: string } } }>(
      sql`SELECT changes FROM events WHERE company_id = ${company_id} AND resource_id = ${made.id} AND type = 'dice_roll.voided'`,
    )
    assert.deepEqual(event?.changes.text, { old: seen.text, new: text })
  }
})

test('the event of a voided secret roll is as secret as the roll', async () => {
  const { teller, player, campaign_id, company_id } = await newGameTable()
  for (const [visibility, author_id] of [
    ['STORYTELLER', player.id],
    ['BLIND', null],
  ]) {
    const { body } = await player.post('/dice-rolls', { notation: '1d6', campaign_id, visibility })
    assert.equal((await voidRoll(teller, body.id)).status, 200)
    const events = await db.query<{ visibility: string; author_id: string | null }>(
      sql`SELECT visibility, author_id FROM events WHERE company_id = ${company_id} AND resource_id = ${body.id} AND type = 'dice_roll.voided'`,
    )
    assert.deepEqual(events, [{ visibility: 'STORYTELLER', author_id }])
  }
})

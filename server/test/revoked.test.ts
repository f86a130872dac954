import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect as dial } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from '../src/db/sql.ts'
import { assertProblem, call, db, newApp, newCompany, write } from './harness.ts'
import { newTable, type Person, twoApps } from './table.ts'

// Rights that are lost while a request is under way, or between a request and its replay.

const listening = async (): Promise<FastifyInstance> => {
  const app = await newApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}
const live = await listening()

interface Late {
  method: string
  path: string
  key: string
  body: object
  headers?: Record<string, string>
}

/** Sends the head of a request and half of its body; the rest follows when `finish` is called, which gives the status. */
async function withheld({ method, path, key, body, headers = {} }: Late) {
  const text = JSON.stringify(body)
  const given = { host: 'x', 'x-api-key': key, 'content-type': 'application/json', 'content-length': String(text.length), ...headers }
  const socket = dial((live.server.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data))
  const head = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text.slice(0, 5)}`)
  await sleep(150)
  assert.equal(heard, '', 'it is waited for')
  return async () => {
    socket.write(text.slice(5))
    for (const end = Date.now() + 5000; !heard && Date.now() < end; ) await sleep(10)
    socket.destroy()
    return Number(heard.slice(9, 12))
  }
}

const LOSSES: [
  what: string,
  status: number,
  lose: (at: { company_id: string; developer_id: string; admin: string }) => Promise<unknown>,
][] = [
  ['the key', 401, ({ developer_id }) => write(sql`DELETE FROM api_keys WHERE developer_id = ${developer_id}`)],
  ['the grant', 403, ({ developer_id }) => write(sql`DELETE FROM grants WHERE id = ${developer_id}`)],
  ['the permission', 403, ({ developer_id }) => write(sql`UPDATE grants SET permission = 'ADMIN' WHERE id = ${developer_id}`)],
  ['the role', 403, ({ admin }) => write(sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`)],
  ['the actor', 404, ({ admin }) => write(sql`UPDATE users SET date_archived = now() WHERE id = ${admin}`)],
  ['the company', 403, ({ company_id }) => write(sql`UPDATE companies SET date_archived = now() WHERE id = ${company_id}`)],
]

for (const [what, status, lose] of LOSSES) {
  for (const recalled of [true, false]) {
    test(`a body that arrives after ${what} was lost changes nothing${recalled ? ', nor of a caller known before' : ''}`, async () => {
      const { base, company_id, developer, user, events } = await newCompany()
      const [owner, friend, admin] = [await developer('OWNER'), await developer('USER'), await user('ADMIN')]
      await user('ADMIN')
      const headers = { 'on-behalf-of': admin }
      if (recalled) assert.equal((await call('GET', `${base}/users`, { key: owner.key, headers, on: live })).status, 200)
      const put = { method: 'PUT', path: `${base}/developers/${friend.id}`, key: owner.key, body: { permission: 'OWNER' }, headers }
      const finish = await withheld(put)
      await lose({ company_id, developer_id: owner.id, admin })
      assert.equal(await finish(), status)
      const [grant] = await db.query<{ permission: string }>(sql`SELECT permission FROM grants WHERE id = ${friend.id}`)
      assert.equal(grant?.permission, 'USER')
      assert.deepEqual(await events(), [])
    })
  }
}

for (const [what, status, lose] of LOSSES.slice(0, 5)) {
  test(`a late body is no way to a replay after ${what} was lost`, async () => {
    const { base, company_id, developer, user } = await newCompany()
    const [owner, friend, admin] = [await developer('OWNER'), await developer('USER'), await user('ADMIN')]
    await user('ADMIN')
    const headers = { 'on-behalf-of': admin, 'idempotency-key': randomUUID() }
    const body = { permission: 'OWNER' }
    const path = `${base}/developers/${friend.id}`
    for (const on of [live, undefined])
      assert.equal((await call('PUT', path, { key: owner.key, headers, body, ...(on && { on }) })).status, 200)
    const finish = await withheld({ method: 'PUT', path, key: owner.key, body, headers })
    await lose({ company_id, developer_id: owner.id, admin })
    assert.equal(await finish(), status)
  })
}

test('a change of the caller that takes no right does not refuse the late body', async () => {
  const { base, key, user } = await newCompany()
  const admin = await user('ADMIN', 'Before')
  const post = { method: 'POST', path: `${base}/users`, key, body: { name: 'A', role: 'PLAYER' }, headers: { 'on-behalf-of': admin } }
  const finish = await withheld(post)
  await write(sql`UPDATE users SET name = 'After' WHERE id = ${admin}`)
  assert.equal(await finish(), 201)
})

test('a user who renames themselves sixty times at once, on two processes, is never refused', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const rename = (i: number) =>
    call('PATCH', `${base}/users/${id}`, { key, body: { name: `Name ${i}` }, headers: { 'on-behalf-of': id }, on: twoApps[i % 2] as never })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => rename(i)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await call('GET', `${base}/users/${id}`, { key })).body.version, 61)
})

/** Does something with a key, changes the caller's standing, and asks for the same again. */
async function replayed(who: Person, ask: (headers: Record<string, string>) => ReturnType<Person['post']>, change: () => Promise<unknown>) {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await ask(headers)
  assert.ok(first.status === 200 || first.status === 201, first.text)
  assert.equal((await ask(headers)).text, first.text, who.id)
  await change()
  const again = await ask(headers)
  if (again.status < 300) assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  return again
}

/** A table with a second storyteller, who can be taken out of the campaign. */
async function tableOfTwo() {
  const table = await newTable()
  const { teller, stranger: second, C } = table
  await teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const dismiss = async () => assert.equal((await teller.delete(`${C}/members/${second.id}`)).status, 204)
  return { ...table, second, dismiss }
}

test('a storyteller taken out of the campaign gets no replay of what only storytellers are told', async () => {
  const { second, teller, player, campaign_id, C, dismiss } = await tableOfTwo()
  const npc = await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'For all', user_ids: [player.id] })
  const spent = await player.make(`${C}/experience/spends`, { amount: 1, reason: 'Mine' })
  const roll = (body: object) => (headers: Record<string, string>) => second.post('/dice-rolls', { notation: '3d6', ...body }, headers)
  const back = () => teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const cases: [number, Parameters<typeof replayed>[1]][] = [
    [404, (headers) => second.post(`${C}/secret-dice-seed/rotate`, undefined, headers)],
    [403, roll({ campaign_id, visibility: 'BLIND' })],
    [404, roll({ campaign_id, character_id: npc, visibility: 'STORYTELLER' })],
    [403, (headers) => second.post(`${C}/experience/entries/${spent}/reverse`, { reason: 'A mistake' }, headers)],
    [403, (headers) => second.patch(C, { description: 'Told by two' }, headers)],
    [404, (headers) => second.patch(`${C}/characters/${npc}`, { name: 'Renamed' }, headers)],
    [200, (headers) => second.patch(C, { danger: 3 }, headers)],
    [201, roll({ campaign_id })],
    [201, roll({ campaign_id, visibility: 'STORYTELLER' })],
  ]
  for (const [i, [status, ask]] of cases.entries()) {
    const again = await replayed(second, ask, dismiss)
    assert.equal(again.status, status, `${i}: ${again.text}`)
    await back()
  }
})

test('a quick roll and a settled roll are replayed to those who may still see them', async () => {
  const { second, teller, C, campaign_id, dismiss } = await tableOfTwo()
  await teller.patch(C, { desperation: 5 })
  const npc = await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const quick = await second.make('/quick-rolls', { name: 'Quick', pool: { dice: 3 } })
  const body = { campaign_id, character_id: npc, visibility: 'STORYTELLER' }
  assertProblem(await replayed(second, (headers) => second.post(`/quick-rolls/${quick}/roll`, body, headers), dismiss), 404)
  await teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const strained = async () => {
    for (;;) {
      const roll = { pool: { dice: 1, desperation_dice: 5 }, campaign_id, visibility: 'STORYTELLER' }
      const { body } = await teller.post('/dice-rolls', roll)
      if (body.strained) return body.id
    }
  }
  const id = await strained()
  assertProblem(await replayed(second, (headers) => second.post(`/dice-rolls/${id}/settle`, { choice: 'DESPAIR' }, headers), dismiss), 404)
})

test('a player who rolled blind gets the blind reply again', async () => {
  const { player, campaign_id } = await newTable()
  const body = { notation: '3d6', campaign_id, visibility: 'BLIND' }
  const again = await replayed(
    player,
    (headers) => player.post('/dice-rolls', body, headers),
    async () => {},
  )
  assert.deepEqual([again.status, again.body.dice], [201, []])
})

test('whoever gives a campaign away gets the reply to that again, until something else changes', async () => {
  const { teller, player, other, C, admin } = await newTable()
  const give = (headers: Record<string, string>) => teller.put(`${C}/owner`, { user_id: player.id }, headers)
  const headers = { 'idempotency-key': randomUUID() }
  const first = await give(headers)
  assert.equal(first.status, 200)
  assert.equal((await give(headers)).text, first.text)
  assert.equal((await admin.put(`${C}/owner`, { user_id: other.id })).status, 200)
  assertProblem(await give(headers), 403)
})

test('what was archived since is no reason to refuse a replay', async () => {
  const { teller, player, C, admin } = await newTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const archive = (path: string) => async () => assert.equal((await admin.delete(path)).status, 204)
  const rename = (headers: Record<string, string>) => player.patch(`${C}/characters/${hero}`, { name: 'Heroine' }, headers)
  assert.equal((await replayed(player, rename, archive(`${C}/characters/${hero}`))).status, 200)
  const roll = (headers: Record<string, string>) => teller.post('/dice-rolls', { notation: 'd6', campaign_id: C.split('/')[2] }, headers)
  assert.equal((await replayed(teller, roll, archive(C))).status, 201)
})

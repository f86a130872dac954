import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect as dial } from 'node:net'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { sql } from '../src/db/sql.ts'
import { newGameTable, type Person, twoApps } from './game-table.ts'
import { assertProblem, call, db, newApp, newCompany, write } from './harness.ts'
import { until } from './until.ts'

// Rights that are lost while a request is in progress, or between a request and its replay.

const newListeningApp = async (): Promise<FastifyInstance> => {
  const app = await newApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}
const live = await newListeningApp()

interface RawRequest {
  method: string
  path: string
  key: string
  body: object
  headers?: Record<string, string>
}

/** Sends the head of a request and the beginning of its body. The returned function sends the rest and returns the status. */
async function sendPartly({ method, path, key, body, headers = {} }: RawRequest) {
  const text = JSON.stringify(body)
  const allHeaders = { host: 'x', 'x-api-key': key, 'content-type': 'application/json', 'content-length': String(text.length), ...headers }
  const socket = dial((live.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data))
  const head = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text.slice(0, 5)}`)
  await once(live.server, 'request')
  assert.equal((await call('GET', '/health/ready', { on: live })).status, 200)
  assert.equal(received, '', 'the service waits for the body')
  return async () => {
    socket.write(text.slice(5))
    await until(() => received, 'the reply')
    socket.destroy()
    return Number(received.slice(9, 12))
  }
}

const LOSSES: [
  right: string,
  status: number,
  lose: (ids: { company_id: string; developer_id: string; admin: string }) => Promise<unknown>,
][] = [
  ['the key', 401, ({ developer_id }) => write(sql`DELETE FROM api_keys WHERE developer_id = ${developer_id}`)],
  ['the grant', 403, ({ developer_id }) => write(sql`DELETE FROM grants WHERE id = ${developer_id}`)],
  ['the permission', 403, ({ developer_id }) => write(sql`UPDATE grants SET permission = 'ADMIN' WHERE id = ${developer_id}`)],
  ['the role', 403, ({ admin }) => write(sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`)],
  ['the actor', 404, ({ admin }) => write(sql`UPDATE users SET date_archived = now() WHERE id = ${admin}`)],
  ['the company', 403, ({ company_id }) => write(sql`UPDATE companies SET date_archived = now() WHERE id = ${company_id}`)],
]

for (const [right, status, lose] of LOSSES) {
  for (const recalled of [true, false]) {
    test(`a body that arrives after ${right} was lost changes nothing${recalled ? ', even of a recalled caller' : ''}`, async () => {
      const { base, company_id, developer, user, events } = await newCompany()
      const [owner, friend, admin] = [await developer('OWNER'), await developer('USER'), await user('ADMIN')]
      await user('ADMIN')
      const headers = { 'on-behalf-of': admin }
      if (recalled) assert.equal((await call('GET', `${base}/users`, { key: owner.key, headers, on: live })).status, 200)
      const put = { method: 'PUT', path: `${base}/developers/${friend.id}`, key: owner.key, body: { permission: 'OWNER' }, headers }
      const finish = await sendPartly(put)
      await lose({ company_id, developer_id: owner.id, admin })
      assert.equal(await finish(), status)
      const [grant] = await db.query<{ permission: string }>(sql`SELECT permission FROM grants WHERE id = ${friend.id}`)
      assert.equal(grant?.permission, 'USER')
      assert.deepEqual(await events(), [])
    })
  }
}

for (const [right, status, lose] of LOSSES.slice(0, 5)) {
  test(`a body that arrives after ${right} was lost gets no replay`, async () => {
    const { base, company_id, developer, user } = await newCompany()
    const [owner, friend, admin] = [await developer('OWNER'), await developer('USER'), await user('ADMIN')]
    await user('ADMIN')
    const headers = { 'on-behalf-of': admin, 'idempotency-key': randomUUID() }
    const body = { permission: 'OWNER' }
    const path = `${base}/developers/${friend.id}`
    for (const on of [live, undefined])
      assert.equal((await call('PUT', path, { key: owner.key, headers, body, ...(on && { on }) })).status, 200)
    const finish = await sendPartly({ method: 'PUT', path, key: owner.key, body, headers })
    await lose({ company_id, developer_id: owner.id, admin })
    assert.equal(await finish(), status)
  })
}

test('accepts a late body if the caller changed but kept its rights', async () => {
  const { base, key, user } = await newCompany()
  const admin = await user('ADMIN', 'Before')
  const post = { method: 'POST', path: `${base}/users`, key, body: { name: 'A', role: 'PLAYER' }, headers: { 'on-behalf-of': admin } }
  const finish = await sendPartly(post)
  await write(sql`UPDATE users SET name = 'After' WHERE id = ${admin}`)
  assert.equal(await finish(), 201)
})

test('accepts sixty concurrent requests of a user to rename themselves, on two processes', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const rename = (i: number) =>
    call('PATCH', `${base}/users/${id}`, { key, body: { name: `Name ${i}` }, headers: { 'on-behalf-of': id }, on: twoApps[i % 2] as never })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => rename(i)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await call('GET', `${base}/users/${id}`, { key })).body.version, 61)
})

/** Sends a request with an Idempotency-Key, changes the rights of the caller, and returns the answer to the same request. */
async function replayAfter(
  user: Person,
  send: (headers: Record<string, string>) => ReturnType<Person['post']>,
  change: () => Promise<unknown>,
) {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await send(headers)
  assert.ok(first.status === 200 || first.status === 201, first.text)
  assert.equal((await send(headers)).text, first.text, user.id)
  await change()
  const again = await send(headers)
  if (again.status < 300) assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  return again
}

/** Creates a game table with a second storyteller, who can be removed from the campaign. */
async function newTableWithTwoStorytellers() {
  const table = await newGameTable()
  const { teller, stranger: second, C } = table
  await teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const removeSecond = async () => assert.equal((await teller.delete(`${C}/members/${second.id}`)).status, 204)
  return { ...table, second, removeSecond }
}

test('a storyteller removed from the campaign gets no replay that only storytellers may see', async () => {
  const { second, teller, player, campaign_id, C, removeSecond } = await newTableWithTwoStorytellers()
  const npc = await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'For all', user_ids: [player.id] })
  const spent = await player.make(`${C}/experience/spends`, { amount: 1, reason: 'Mine' })
  const roll = (body: object) => (headers: Record<string, string>) => second.post('/dice-rolls', { notation: '3d6', ...body }, headers)
  const addSecond = () => teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const cases: [status: number, send: Parameters<typeof replayAfter>[1]][] = [
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
  for (const [i, [status, send]] of cases.entries()) {
    const again = await replayAfter(second, send, removeSecond)
    assert.equal(again.status, status, `${i}: ${again.text}`)
    await addSecond()
  }
})

test('a quick roll and a settled roll are not replayed to a user who may no longer see them', async () => {
  const { second, teller, C, campaign_id, removeSecond } = await newTableWithTwoStorytellers()
  await teller.patch(C, { desperation: 5 })
  const npc = await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const quick = await second.make('/quick-rolls', { name: 'Quick', pool: { dice: 3 } })
  const body = { campaign_id, character_id: npc, visibility: 'STORYTELLER' }
  assertProblem(await replayAfter(second, (headers) => second.post(`/quick-rolls/${quick}/roll`, body, headers), removeSecond), 404)
  await teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  const strained = async () => {
    for (let tries = 0; tries < 200; tries++) {
      const roll = { pool: { dice: 1, desperation_dice: 5 }, campaign_id, visibility: 'STORYTELLER' }
      const { body } = await teller.post('/dice-rolls', roll)
      if (body.strained) return body.id
    }
    throw new Error('no roll is strained')
  }
  const id = await strained()
  assertProblem(
    await replayAfter(second, (headers) => second.post(`/dice-rolls/${id}/settle`, { choice: 'DESPAIR' }, headers), removeSecond),
    404,
  )
})

test('a voided roll is not replayed to a user who may no longer void or see it', async () => {
  const { second, teller, player, C, campaign_id, removeSecond } = await newTableWithTwoStorytellers()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', sheet_visibility: 'PLAYER', traits: { wits: 3 } })
  const voiding = async (body: object) => {
    const id = await teller.make('/dice-rolls', { campaign_id, ...body })
    return (headers: Record<string, string>) => second.post(`/dice-rolls/${id}/void`, { reason: 'Wrong' }, headers)
  }
  const addSecond = () => teller.put(`${C}/members/${second.id}`, { role: 'STORYTELLER' })
  for (const [body, status] of [
    [{ notation: '3' }, 403],
    [{ notation: '{wits}', character_id: hero }, 403],
    [{ notation: '3', visibility: 'STORYTELLER' }, 404],
    [{ notation: '3', visibility: 'BLIND' }, 404],
  ] as const) {
    assertProblem(await replayAfter(second, await voiding(body), removeSecond), status)
    await addSecond()
  }
  assert.equal((await replayAfter(second, await voiding({ notation: '3' }), async () => {})).status, 200)
})

test('replays a blind roll without its dice', async () => {
  const { player, campaign_id } = await newGameTable()
  const body = { notation: '3d6', campaign_id, visibility: 'BLIND' }
  const again = await replayAfter(
    player,
    (headers) => player.post('/dice-rolls', body, headers),
    async () => {},
  )
  assert.deepEqual([again.status, again.body.dice], [201, []])
})

test('replays the transfer of a campaign to its former owner, until the campaign changes again', async () => {
  const { teller, player, other, C, admin } = await newGameTable()
  const transfer = (headers: Record<string, string>) => teller.put(`${C}/owner`, { user_id: player.id }, headers)
  const headers = { 'idempotency-key': randomUUID() }
  const first = await transfer(headers)
  assert.equal(first.status, 200)
  assert.equal((await transfer(headers)).text, first.text)
  assert.equal((await admin.put(`${C}/owner`, { user_id: other.id })).status, 200)
  assertProblem(await transfer(headers), 403)
})

test('replays requests for resources that were archived since', async () => {
  const { teller, player, C, admin } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const archive = (path: string) => async () => assert.equal((await admin.delete(path)).status, 204)
  const rename = (headers: Record<string, string>) => player.patch(`${C}/characters/${hero}`, { name: 'Heroine' }, headers)
  assert.equal((await replayAfter(player, rename, archive(`${C}/characters/${hero}`))).status, 200)
  const roll = (headers: Record<string, string>) => teller.post('/dice-rolls', { notation: 'd6', campaign_id: C.split('/')[2] }, headers)
  assert.equal((await replayAfter(teller, roll, archive(C))).status, 201)
})

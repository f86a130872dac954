import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

const url = 'https://bot.example/'
const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

test('of many webhooks that are created at once, a company gets twenty; a live one can be restored all the same', async () => {
  const { base, key } = await newGameTable()
  const create = (i: number) => call('POST', `${base}/webhooks`, { key, body: { name: `Bot ${i}`, url }, on: twoApps[i % 2] as never })
  const replies = await times(30, create)
  assert.deepEqual(statusesOf(replies), [...Array(20).fill(201), ...Array(10).fill(409)])
  const live = replies.find(({ status }) => status === 201)?.body.id
  assert.equal((await call('POST', `${base}/webhooks/${live}/restore`, { key })).status, 200)
})

test('of many rotations at once, one replaces the secret', async () => {
  const { base, key } = await newGameTable()
  const { id } = (await call('POST', `${base}/webhooks`, { key, body: { name: 'Bot', url } })).body
  const rotate = (overlap_seconds: number, i = 0) =>
    call('POST', `${base}/webhooks/${id}/rotate`, { key, body: { overlap_seconds }, on: twoApps[i % 2] as never })
  assert.deepEqual(statusesOf(await times(10, (i) => rotate(60, i))), [200, ...Array(9).fill(409)])
  assert.deepEqual(statusesOf(await times(10, (i) => rotate(0, i))), Array(10).fill(200))
  const { secrets } = (await call('GET', `${base}/webhooks/${id}/progress`, { key })).body as unknown as { secrets: object[] }
  assert.equal(secrets.length, 1)
})

test('a URL leads to a public address, and the refusal names the setting that opens others', async () => {
  const { base, key } = await newGameTable()
  const create = (endpoint: string) => call('POST', `${base}/webhooks`, { key, body: { name: 'Bot', url: endpoint } })
  for (const closed of ['https://10.0.0.1/', 'https://[::1]/', 'https://3232235777/', 'https://169.254.169.254/']) {
    const reply = await create(closed)
    assertProblem(reply, 400)
    assert.match(reply.body.invalid_parameters[0]?.message ?? '', /WEBHOOK_ALLOW/, closed)
  }
  for (const invalid of [
    'ftp://bot.example/',
    'https://me:secret@bot.example/',
    'https://bot.example/#a',
    'https://bot.example:25/',
    'bot',
    '',
  ])
    assertProblem(await create(invalid), 400)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { purgeFeed } from '../src/events/retention.ts'
import type { ChangesReply } from '../src/resources/changes/schema.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { db, pooler, url, write } from './harness.ts'
import { ask, guildhall, startService } from './service.ts'

test('a waiting reader gets a change of another process within a second, and nothing when the time is over', async () => {
  const { base, key, player, C } = await newGameTable()
  const env = { DATABASE_URL: url, ...(pooler && { DATABASE_POOLER: 'transaction' }) }
  const processes = [await startService(env), await startService(env)] as const
  const get = async (on: number, path: string) => {
    const { status, body, text } = await ask(processes[on === 0 ? 0 : 1], 'GET', `${base}/users/${player.id}${path}`, key)
    assert.equal(status, 200, text)
    return body as unknown as ChangesReply
  }
  const { cursor } = await get(0, '/changes')
  const nothing = await get(0, `/changes?after=${cursor}&wait=1`)
  const made = async (on: number, name: string) => {
    const path = `${base}/users/${player.id}${C}/characters`
    const { status, text } = await ask(processes[on === 0 ? 0 : 1], 'POST', path, key, { name })
    assert.equal(status, 201, text)
  }
  let after = nothing.cursor
  const seen: string[] = nothing.items.map(({ type }) => type)
  for (let i = 0; i < 6; i++) {
    const waiting = get(i % 2, `/changes?after=${after}&wait=30`)
    await made((i + 1) % 2, `Hero ${i}`)
    const reply = await waiting
    for (const { type, data } of reply.items) if (type === 'character.created') seen.push(String(data.resource?.name))
    after = reply.cursor
  }
  const rest = await get(0, `/changes?after=${after}`)
  for (const { type, data } of rest.items) if (type === 'character.created') seen.push(String(data.resource?.name))
  assert.deepEqual(
    seen.filter((name) => name.startsWith('Hero')),
    [0, 1, 2, 3, 4, 5].map((i) => `Hero ${i}`),
  )
  for (const { kill } of processes) await kill('SIGTERM')
})

test('a cursor older than the feed, beyond it, or of another epoch gets one feed.reset, and then goes on', async () => {
  const { player, C, company_id } = await newGameTable()
  await sequenceAll()
  const { cursor: old } = (await player.get('/changes')).body as unknown as ChangesReply
  for (let i = 0; i < 3; i++) await player.make(`${C}/characters`, { name: `Hero ${i}` })
  await sequenceAll()
  const { cursor: fresh } = (await player.get('/changes')).body as unknown as ChangesReply
  const reset = async (after: string) => {
    const { items, cursor, more } = (await player.get(`/changes?after=${after}`)).body as unknown as ChangesReply
    assert.deepEqual(
      items.map(({ type, data }) => [type, data.change, data.resource_type, data.id]),
      [['feed.reset', 'RESYNC', 'company', company_id]],
    )
    assert.deepEqual([more, (await player.get(`/changes?after=${cursor}`)).status], [false, 200])
  }
  await write(
    sql`UPDATE feed SET date_created = '2020-01-01' WHERE company_id = ${company_id} AND position <= (SELECT last - 1 FROM feed_heads WHERE company_id = ${company_id})`,
  )
  assert.ok((await purgeFeed(db, new Date('2021-01-01'))) > 0)
  await reset(old)
  assert.deepEqual(((await player.get(`/changes?after=${fresh}`)).body as unknown as ChangesReply).items, [])
  await write(sql`UPDATE feed_heads SET last = last - 1 WHERE company_id = ${company_id}`)
  await reset(fresh)
  await write(sql`UPDATE feed_heads SET last = last + 1 WHERE company_id = ${company_id}`)
  await write(sql`UPDATE feed_state SET epoch = ${randomUUID()}`)
  await reset(fresh)
})

test('doctor reports the lag of the feed', async () => {
  const { player, C, company_id } = await newGameTable()
  await sequenceAll()
  const fine = await guildhall(['doctor'], { DATABASE_URL: url })
  assert.match(fine.output, /changes feed +every event has its position|changes feed: every event has its position/)
  await player.make(`${C}/characters`, { name: 'Unseen' })
  await write(
    sql`UPDATE outbox SET id = '01900000-0000-7000-8000-000000000000' WHERE company_id = ${company_id} AND id = (SELECT min(id::text)::uuid FROM outbox)`,
  )
  const late = await guildhall(['doctor'], { DATABASE_URL: url })
  assert.match(late.output, /the oldest event without a position is \d+/)
  await write(sql`DELETE FROM outbox WHERE company_id = ${company_id}`)
})

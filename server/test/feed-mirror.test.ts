import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { KINDS } from '../src/resources/changes/kinds.ts'
import { stepsIn, succeeded } from './feed-steps.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { call, newApp, newDeveloper } from './harness.ts'
import { Mirror, type Table, toldKinds } from './mirror.ts'
import { randomOf } from './random.ts'
import { StreamFollower } from './stream-follower.ts'

const SEEDS = Number(process.env.FEED_SEEDS ?? 4)
const STEPS = Number(process.env.FEED_STEPS ?? 200)
const STREAM_SEEDS = Number(process.env.FEED_STREAM_SEEDS ?? 1)
const STEPS_PER_READ = 20

async function newTable(): Promise<Table> {
  return { ...(await newGameTable()), guest: (await newDeveloper()).id }
}

for (let seed = 1; seed <= SEEDS; seed++)
  test(`whoever lists once and then follows the feed has exactly what the lists show, and is shown nothing else (seed ${seed})`, async () => {
    const table = await newTable()
    const people = [table.player, table.other, table.teller, table.stranger, table.admin]
    const mirrors = people.map((person) => new Mirror(person, table))
    for (const mirror of mirrors) await mirror.start()
    const { step, hasRead } = stepsIn(table, people, seed)
    for (let i = 1; i <= STEPS; i++) {
      await step()
      if (i % STEPS_PER_READ !== 0) continue
      for (const mirror of mirrors) await mirror.follow()
      hasRead()
    }
    for (const mirror of mirrors) await mirror.follow()
    for (const [i, mirror] of mirrors.entries()) await mirror.compare(`reader ${i}, seed ${seed}`)
  })

for (let seed = 1; seed <= STREAM_SEEDS; seed++)
  test(`whoever lists once and then follows a stream that is cut now and then has exactly what the lists show (seed ${seed})`, async () => {
    const app = await newApp()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const host = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const table = await newTable()
    const people = [table.player, table.other, table.teller, table.stranger, table.admin]
    // They only watch, and so are told the same. Those of a second kind are members.
    const audience = [await table.person('PLAYER'), await table.person('PLAYER'), await table.person('STORYTELLER')]
    const members = [await table.person('PLAYER'), await table.person('PLAYER')]
    for (const { id } of members) assert.equal((await table.teller.put(`${table.C}/members/${id}`, { role: 'PLAYER' })).status, 201)
    audience.push(...members)
    await sequenceAll()
    const { next } = randomOf(seed)
    let mark = ''
    const readers = await Promise.all(
      [...people, ...audience].map(async (person) => {
        const stream = await new StreamFollower(`${host}${table.base}/users/${person.id}/stream`, { 'x-api-key': table.key }).open()
        const mirror = new Mirror(person, table)
        const follower = await Follower.start(person)
        const read = async () => {
          const items = await stream.until(({ data }) => data.changes?.name?.new === mark)
          assert.deepEqual(items, await follower.read(), 'the stream tells the same as the changes')
          return items
        }
        await mirror.start({ read })
        return { stream, mirror }
      }),
    )
    const { step, hasRead } = stepsIn(table, people, seed)
    for (let round = 1; round <= STEPS / STEPS_PER_READ; round++) {
      for (let i = 0; i < STEPS_PER_READ; i++) await step()
      mark = `Mark ${round}`
      await call('PATCH', `${table.base}/users/${table.admin.id}`, { key: table.key, body: { name: mark } })
      const cut = readers.filter(() => next() < 0.3)
      for (const { stream } of cut.slice(0, 2)) stream.close()
      const sequenced = sequenceAll()
      for (const [i, { stream }] of cut.entries()) {
        if (i > 1) stream.close()
        await stream.open()
      }
      await sequenced
      for (const { mirror } of readers) await mirror.follow()
      hasRead()
    }
    for (const [i, { mirror, stream }] of readers.entries()) {
      await mirror.compare(`reader ${i}`)
      stream.close()
    }
  })

test('a reader who is behind has the rolls of a character that was archived, and not the experience that its hidden sheet hides', async () => {
  for (const change of [{ name: 'Renamed' }, { sheet_visibility: 'STORYTELLER' }]) {
    const table = await newTable()
    const { player, other, teller, C } = table
    const id = await other.make(`${C}/characters`, { name: 'Hero' })
    await teller.make(`${C}/experience/awards`, { amount: 9, user_ids: [other.id], reason: 'Play' })
    await other.make('/dice-rolls', { notation: '1d6', character_id: id })
    const mirror = new Mirror(player, table)
    await mirror.start()
    await teller.patch(`${C}/characters/${id}`, change)
    await teller.delete(`${C}/characters/${id}`)
    await mirror.follow()
    await mirror.compare(JSON.stringify(change))
  }
})

test('whoever hides a sheet takes the experience of its player from the copies of others, and whoever shows it brings it back', async () => {
  for (const experience_per of ['USER', 'CHARACTER']) {
    const table = await newTable()
    const { player, other, teller, C } = table
    await teller.patch(C, { experience_per })
    const id = await other.make(`${C}/characters`, { name: 'Hero' })
    const award = experience_per === 'USER' ? { user_ids: [other.id] } : { awards: [{ character_id: id, amount: 9 }] }
    const made = await teller.post(`${C}/experience/awards`, { ...(experience_per === 'USER' && { amount: 9 }), ...award, reason: 'Play' })
    assert.equal(made.status, 201, made.text)
    const readers = [player, other, teller].map((person) => new Mirror(person, table))
    for (const mirror of readers) await mirror.start()
    const entries = () => readers.map(({ copies }) => [...copies.keys()].filter((key) => key.startsWith('experience ')).length)
    assert.deepEqual(entries(), [1, 1, 1])
    for (const [sheet_visibility, expected] of [
      ['PLAYER', [0, 1, 1]],
      ['STORYTELLER', [0, experience_per === 'USER' ? 1 : 0, 1]],
      ['EVERYONE', [1, 1, 1]],
    ] as const) {
      assert.equal((await teller.patch(`${C}/characters/${id}`, { sheet_visibility })).status, 200)
      for (const mirror of readers) await mirror.follow()
      assert.deepEqual(entries(), expected, `${experience_per} ${sheet_visibility}`)
      for (const mirror of readers) await mirror.compare(`${experience_per} ${sheet_visibility}`)
    }
    // A hidden sheet that is given away takes the experience of its new player, too.
    await teller.patch(`${C}/characters/${id}`, { sheet_visibility: 'PLAYER' })
    await teller.patch(`${C}/characters/${id}`, { user_id: player.id })
    for (const mirror of readers) await mirror.follow()
    for (const mirror of readers) await mirror.compare(`${experience_per}, given away`)
  }
})

test('every step of the walks has succeeded, and every kind of resource was told', () => {
  assert.deepEqual(
    [...succeeded].filter(([, times]) => times === 0).map(([name]) => name),
    [],
  )
  assert.deepEqual(
    Object.keys(KINDS).filter((kind) => !toldKinds.has(kind)),
    [],
  )
})

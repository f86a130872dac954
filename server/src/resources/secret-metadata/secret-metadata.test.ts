import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

const TEXTS = { zeal: 'The landlord is the ghoul', plot: 'p'.repeat(10_000) }

async function newSecrets() {
  const table = await newGameTable()
  const hero = `${table.C}/characters/${await table.player.make(`${table.C}/characters`, { name: 'Crane' })}`
  return { ...table, hero, owners: [table.C, hero] }
}

test('storytellers keep long texts on a campaign and on a character, in their order', async () => {
  const { teller, admin, owners } = await newSecrets()
  for (const owner of owners) {
    const path = `${owner}/secret-metadata`
    const empty = await teller.get(path)
    assert.deepEqual([empty.status, empty.body.metadata, empty.body.version, empty.body.date_modified], [200, {}, 1, null])
    const written = await teller.patch(path, { metadata: TEXTS }, { 'if-match': empty.headers.etag ?? '' })
    assert.deepEqual(
      [written.status, Object.entries(written.body.metadata as object), written.body.version],
      [200, Object.entries(TEXTS), 2],
    )
    assert.equal((await admin.get(path)).text, written.text)
    assertProblem(await teller.patch(path, { metadata: { plot: 'Late' } }, { 'if-match': empty.headers.etag ?? '' }), 412)
    const merged = await teller.patch(
      path,
      { metadata: { zeal: null, ally: 'Mina', plot: 'None' } },
      { 'if-match': written.headers.etag ?? '' },
    )
    assert.deepEqual([merged.body.metadata, merged.body.version], [{ plot: 'None', ally: 'Mina' }, 3])
    assert.deepEqual((await teller.get(path)).body, merged.body)
    assert.equal((await teller.patch(path, { metadata: { ally: 'Mina' } })).body.version, 3, 'the same again changes nothing')
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, 'x'.repeat(6000)]))
    assert.equal((await teller.patch(path, { metadata: many })).status, 200)
    const more = Object.fromEntries(Object.entries(many).map(([key, text]) => [`more_${key}`, text]))
    assertProblem(await teller.patch(path, { metadata: more }), 400)
    assertProblem(await teller.patch(path, { metadata: { plot: 'x'.repeat(10_001) } }), 400)
    assertProblem(await teller.patch(path, {}), 400)
  }
})

test('players learn nothing of it: not by reading, nor from the version, the date, the ETag or the events of what has it', async () => {
  const { teller, player, stranger, hero, owners, base, key } = await newSecrets()
  await player.patch(hero, { concept: 'Keeper' })
  const [reader, told] = [await Follower.start(player), await Follower.start(teller)]
  const includes = 'include=secret_metadata'
  const shown = async (user: Person) => {
    const paths = [...owners, ...owners.map((owner) => `${owner}?${includes}`), `${hero}/history`, '/search?q=ghoul', '/characters']
    const seen: unknown[] = []
    for (const path of paths) {
      const { status, text, headers } = await user.get(path)
      assert.equal(status, 200, text)
      seen.push([text, headers.etag])
    }
    return seen
  }
  const before = [await shown(player), await shown(stranger)]
  const headers = { 'idempotency-key': randomUUID() }
  for (const owner of owners) {
    for (const text of ['The landlord is the ghoul', 'No, the baker'])
      assert.equal((await teller.patch(`${owner}/secret-metadata`, { metadata: { plot: text } })).status, 200)
    for (const user of [player, stranger]) {
      assertProblem(await user.get(`${owner}/secret-metadata`), 403)
      assertProblem(await user.patch(`${owner}/secret-metadata`, { metadata: { plot: 'x' } }), 403)
      assert.equal((await user.get(`${owner}?${includes}`)).body.secret_metadata, null)
    }
    assert.deepEqual((await teller.get(`${owner}?${includes}`)).body.secret_metadata, { plot: 'No, the baker' })
  }
  assert.deepEqual([await shown(player), await shown(stranger)], before)
  assert.deepEqual(await reader.read(), [])
  const items = (await told.read()).map(({ type, data }) => [
    type,
    data.version,
    data.path,
    data.resource?.metadata,
    data.changes?.metadata,
  ])
  assert.equal(items.length, 4)
  assert.deepEqual(items[3]?.slice(0, 2), ['secret_metadata.updated', 3])
  assert.ok(String(items[3]?.[2]).endsWith(`${hero}/secret-metadata`))
  assert.deepEqual(items[3]?.slice(3), [
    { plot: 'No, the baker' },
    { old: { plot: 'The landlord is the ghoul' }, new: { plot: 'No, the baker' } },
  ])
  // A stored reply is not given to somebody who tells no longer.
  const replay = () => teller.patch(`${hero}/secret-metadata`, { metadata: { plot: 'Again' } }, headers)
  assert.equal((await replay()).text, (await replay()).text)
  assert.equal((await call('PATCH', `${base}/users/${teller.id}`, { key, body: { role: 'PLAYER' } })).status, 200)
  assertProblem(await replay(), 403)
  assert.equal((await teller.get(`${hero}?${includes}`)).body.secret_metadata, null)
})

test('of parallel first writes, every text counts', async () => {
  const { teller, owners } = await newSecrets()
  for (const owner of owners) {
    const path = `${owner}/secret-metadata`
    const keys = Array.from({ length: 12 }, (_, i) => `k${i}`)
    const replies = await Promise.all(
      keys.map((key, i) => teller.patch(path, { metadata: { [key]: key } }, {}, twoApps[i % 2] as (typeof twoApps)[0])),
    )
    for (const { status, text } of replies) assert.equal(status, 200, text)
    const { metadata, version } = (await teller.get(path)).body
    assert.deepEqual([Object.keys(metadata as object).sort(), version], [keys.sort(), 13])
  }
})

test('it goes with its character, and comes back with it', async () => {
  const { teller, hero } = await newSecrets()
  await teller.patch(`${hero}/secret-metadata`, { metadata: { plot: 'x' } })
  await teller.delete(hero)
  assertProblem(await teller.get(`${hero}/secret-metadata`), 404, 'Character not found')
  await teller.post(`${hero}/restore`)
  assert.deepEqual((await teller.get(`${hero}/secret-metadata`)).body.metadata, { plot: 'x' })
})

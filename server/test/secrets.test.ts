import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { fillPath, type Operation } from '../src/http/operation.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import { operations } from '../src/resources/index.ts'
import { type Answer, assertProblem, call, db } from './harness.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { isNested } from './scene.ts'
import { newTable } from './table.ts'

// What somebody may not see does not exist for them. Two worlds are built, alike but for the secrets; whoever is not told
// them finds no difference, wherever they look.

const WORD = 'zzyzx'

async function world(secret: boolean) {
  const table = await newTable()
  const { teller, player, stranger, C } = table
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC' })
  const pegs = [C, `${C}/books/${book}`, `${C}/books/${book}/chapters/${chapter}`, `${C}/characters/${hero}`, `${C}/characters/${npc}`]
  for (const peg of pegs) await player.make(`${peg}/notes`, { title: 'Open note', body: 'Known to all' })
  await player.make('/notes', { title: 'Own note' })
  // A roll without dice comes to the same in both worlds.
  const open = await player.make('/dice-rolls', { notation: '7', campaign_id: table.campaign_id })
  await stranger.make('/campaigns', { name: 'Elsewhere' })
  const params: Record<string, string> = {
    company_id: table.company_id,
    campaign_id: table.campaign_id,
    book_id: book,
    chapter_id: chapter,
    character_id: hero,
    member_id: teller.id,
    roll_id: open,
  }
  const hidden: Record<string, string> = {}
  if (secret) {
    hidden.character_id = await teller.make(`${C}/characters`, {
      name: `Mister ${WORD}`,
      type: 'NPC',
      visibility: 'STORYTELLER',
      biography: `The ${WORD} is a ghoul`,
      concept: WORD,
      traits: { [WORD]: 5 },
    })
    await teller.make(`${C}/characters/${hidden.character_id}/inventory`, { name: `Cup of ${WORD}` })
    await teller.make(`${C}/characters/${hidden.character_id}/notes`, { title: `Note on ${WORD}`, body: WORD })
    const gone = await teller.make(`${C}/characters`, { name: `Gone ${WORD}`, type: 'NPC', visibility: 'STORYTELLER' })
    await teller.delete(`${C}/characters/${gone}`)
    for (const peg of pegs) {
      hidden.note_id = await teller.make(`${peg}/notes`, { title: `For tellers: ${WORD}`, body: WORD, visibility: 'STORYTELLER' })
      await teller.make(`${peg}/notes`, { title: `For me: ${WORD}`, body: WORD, visibility: 'AUTHOR' })
      await teller.delete(`${peg}/notes/${await teller.make(`${peg}/notes`, { title: `Gone ${WORD}`, visibility: 'STORYTELLER' })}`)
    }
    await teller.make('/notes', { title: `My own ${WORD}`, body: WORD })
    const asked = { notation: '3d6', campaign_id: table.campaign_id, comment: WORD }
    hidden.roll_id = await teller.make('/dice-rolls', { ...asked, visibility: 'STORYTELLER' })
    await teller.make('/dice-rolls', { ...asked, visibility: 'BLIND', character_id: hidden.character_id })
    await player.make('/dice-rolls', { ...asked, visibility: 'BLIND' })
  }
  return { ...table, params, hidden, npc }
}

/** A reply without what differs from one company to another. */
const plain = ({ status, text }: Answer) =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*')
    .replaceAll(/req_[\w-]+/g, '*')
    .replaceAll(/[0-9a-f]{64}/g, '*')}`

const reads = operations.filter(({ method, path }) => method === 'GET' && path.includes('{company_id}'))
const QUERIES = [
  '',
  'limit=0',
  'limit=1',
  'sort=-date_created',
  'sort=name',
  'sort=-number',
  `q=${WORD}`,
  'q=mister',
  'q=ghoul',
  'archived=true',
  'include=inventory,notes',
  'type=NPC',
  'status=ACTIVE',
  `q=${WORD}&type=character,note`,
  `q=${WORD}x`,
  'q=zzyzy',
]

test('every list, count, include, filter and search shows the same whether there are secrets or not', async () => {
  const [open, secret] = [await world(false), await world(true)]
  const weak = [(await open.developer('USER')).key, (await secret.developer('USER')).key] as const
  const whos = ['player', 'other', 'stranger', 'nobody'] as const
  let found = 0
  for (const op of reads) {
    for (const query of QUERIES) {
      for (const who of whos) {
        if (who === 'nobody' && isNested(op)) continue
        const replies = await Promise.all(
          [open, secret].map((world, i) => {
            const user = who === 'nobody' ? world.player : world[who]
            const params = { ...world.params, user_id: user.id, note_id: randomUUID(), item_id: randomUUID(), developer_id: randomUUID() }
            const headers: Record<string, string> = who === 'nobody' ? {} : { 'on-behalf-of': user.id }
            return call('GET', `/api/v1${fillPath(op.path, (name) => params[name as 'user_id'])}${query && `?${query}`}`, {
              key: weak[i as 0 | 1],
              headers,
            })
          }),
        )
        const [without, withSecrets] = replies as [Answer, Answer]
        assert.equal(plain(withSecrets), plain(without), `${op.id}?${query} as ${who}`)
        assert.ok(!withSecrets.text.includes(`Mister ${WORD}`) && !withSecrets.text.includes('ghoul'), `${op.id}?${query} as ${who}`)
        if (withSecrets.status === 200) found++
      }
    }
  }
  assert.ok(found > 150, `only ${found} replies were compared`)
})

test('whoever tells the campaign sees them all, and an admin too', async () => {
  const { teller, admin, stranger, C, base, key } = await world(true)
  for (const who of [teller, admin]) {
    assert.deepEqual((await who.get(C)).body.counts, { members: 2, player_characters: 1, npcs: 2, books: 1 })
    assert.equal((await who.get(`${C}/characters`)).body.total, 3)
    assert.ok((await who.get(`/search?q=${WORD}`)).body.total >= 7)
  }
  assert.deepEqual(((await stranger.get(C)).body.counts as { npcs: number }).npcs, 1)
  const elsewhere = (await stranger.get('/campaigns?q=elsewhere')).body.items[0]?.id
  await stranger.make(`/campaigns/${elsewhere}/characters`, { name: `Other ${WORD}`, type: 'NPC', visibility: 'STORYTELLER' })
  assert.equal((await stranger.get(`/search?q=${WORD}`)).body.total, 1, 'their own')
  const all = (await call('GET', `${base}/search?q=${WORD}&limit=100`, { key })).body
  assert.equal(all.total, (await admin.get(`/search?q=${WORD}`)).body.total, 'an ADMIN key without an actor sees everything')
})

/** What every reply has of its own, besides the data. */
const said = ({ status, text }: Answer) => `${status} ${text.replaceAll(/req_[\w-]+/g, '*')}`

/** Operations of a company that take more than a USER key, and so administer it. */
const administering = operations.filter(({ needs, path }) => path.includes('{company_id}') && needs.key !== 'USER')

test('an ADMIN named by a USER key reads what an ADMIN reads, named in the path or in On-Behalf-Of', async () => {
  const { admin, params, hidden, base, key, developer, user } = await world(true)
  const weak = (await developer('USER')).key
  await call('DELETE', `${base}/users/${await user('PLAYER', 'Archived')}`, { key })
  const ids: Record<string, string> = { ...params, ...hidden, user_id: admin.id, item_id: randomUUID(), developer_id: randomUUID() }
  let told = 0
  for (const op of reads.filter((op) => !administering.includes(op))) {
    for (const query of QUERIES) {
      const path = `/api/v1${fillPath(op.path, (name) => ids[name] ?? randomUUID())}${query && `?${query}`}`
      const headers = { 'on-behalf-of': admin.id }
      const expected = await call('GET', path, { key, headers })
      const byHeader = await call('GET', path, { key: weak, headers })
      // Archived users are listed for whoever may restore them, and that is administering.
      if (op.id === 'users.list' && query === 'archived=true') {
        assert.deepEqual([expected.body.total, byHeader.body.total], [1, 0])
        continue
      }
      assert.equal(said(byHeader), said(expected), `${op.id}?${query} by the header`)
      if (isNested(op)) assert.equal(said(await call('GET', path, { key: weak })), said(expected), `${op.id}?${query} by the path`)
      if (byHeader.text.includes(WORD)) told++
    }
  }
  assert.ok(told > 50, `only ${told} replies had a secret in them`)
  const [inPath, inHeader] = await Promise.all([
    call('GET', `${base}/users/${admin.id}/search?q=${WORD}&limit=100`, { key: weak }),
    call('GET', `${base}/search?q=${WORD}&limit=100`, { key: weak, headers: { 'on-behalf-of': admin.id } }),
  ])
  assert.ok(inPath.body.total >= 7)
  assert.deepEqual(inHeader.body, inPath.body)
  const counted = (on: string, headers = {}) => call('GET', `${base}${on}/statistics`, { key: weak, headers })
  assert.equal((await counted('', { 'on-behalf-of': admin.id })).body.rolls, 4)
})

test('an ADMIN named by a USER key administers nothing', async () => {
  const { admin, player, params, base, developer, events } = await world(true)
  const { key, id: developer_id } = await developer('USER')
  const before = await events()
  const headers = { 'on-behalf-of': admin.id }
  assert.ok(administering.length >= 10)
  for (const op of administering) {
    assert.equal(op.needs.role, 'ADMIN', op.id)
    const path = `/api/v1${fillPath(op.path, (name) => ({ ...params, user_id: player.id, developer_id })[name as 'user_id'])}`
    const reply = await call(op.method, path, { key, headers, ...(op.body && { body: sampleOf(op.body) }) })
    assertProblem(reply, 403, 'No rights to access this resource')
  }
  for (const role of ['STORYTELLER', 'ADMIN'])
    assertProblem(await call('POST', `${base}/users`, { key, headers, body: { name: 'Promoted', role } }), 403)
  for (const [user_id, body] of [
    [player.id, { role: 'ADMIN' }],
    [player.id, { name: 'Renamed' }],
    [admin.id, { role: 'PLAYER' }],
    [admin.id, { external_id: 'mine' }],
  ] as const)
    assertProblem(await call('PATCH', `${base}/users/${user_id}`, { key, headers, body }), 403)
  assert.deepEqual(await events(), before)
})

/** Every request that could name something hidden. */
const names = (op: Operation, param: string) => op.path.includes(`{${param}}`) && isNested(op)

for (const param of ['character_id', 'note_id', 'roll_id']) {
  test(`a hidden ${param} is answered as a missing one, by the same statements`, async () => {
    const { player, params, hidden, key, C, teller } = await world(true)
    const other = { ...params, user_id: player.id, item_id: randomUUID(), note_id: hidden.note_id as string }
    const landlord = (await teller.get(`${C}/characters?q=landlord`)).body.items[0]?.id as string
    let compared = 0
    for (const op of operations.filter((op) => names(op, param))) {
      // The hidden note hangs on the landlord.
      const at = param === 'note_id' ? { character_id: landlord } : {}
      const ask = (id: string) =>
        statementsOf(() =>
          call(op.method, `/api/v1${fillPath(op.path, (name) => ({ ...other, ...at, [param]: id })[name as 'user_id'])}`, {
            key,
            on: recordedApp,
            ...(op.body && { body: example(op.body) }),
          }),
        )
      // Each once before: then what is remembered of the caller is the same for both.
      const lost = randomUUID()
      await ask(lost)
      await ask(hidden[param] as string)
      const [missing, secret] = [await ask(lost), await ask(hidden[param] as string)]
      assert.equal(plain(secret.answer), plain(missing.answer), op.id)
      assert.deepEqual(secret.asked, missing.asked, op.id)
      assert.equal(secret.answer.status, 404, op.id)
      compared++
    }
    assert.ok(compared >= 3, `${compared}`)
  })
}

test('what happened to a secret is marked for whom it was', async () => {
  const { teller, C, hidden, company_id, campaign_id } = await world(true)
  await teller.patch(`${C}/characters/${hidden.character_id}`, { visibility: 'OPEN', name: `Revealed ${WORD}` })
  const leaks = await db.query<{ type: string; visibility: string | null }>(
    sql`SELECT type, visibility FROM events WHERE company_id = ${company_id} AND changes::text LIKE ${`%${WORD}%`} AND visibility IS NULL`,
  )
  assert.deepEqual(leaks, [])
  const authors = await db.query(
    sql`SELECT 1 FROM events WHERE company_id = ${company_id} AND visibility = 'AUTHOR' AND author_id = ${teller.id}`,
  )
  assert.ok(authors.length >= 5)
  const outside = await db.query<{ type: string }>(
    sql`SELECT DISTINCT type FROM events WHERE company_id = ${company_id} AND campaign_id IS DISTINCT FROM ${campaign_id}`,
  )
  assert.deepEqual(outside.map(({ type }) => type).sort(), ['campaign.created', 'member.added', 'note.created'])
})

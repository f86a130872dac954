import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFrom } from '@guildhall/dice/draw'
import { commitmentOf, wordsOf } from '@guildhall/dice/node-crypto'
import { verifyRoll } from '@guildhall/dice/verify'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call, db, engine } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'
import { sql } from '../../db/sql.ts'
import { foldTallies } from './fold.ts'
import { isHeavy } from './request-rules.ts'
import { withoutTraits } from './text.ts'

interface Roll {
  id: string
  dice: { kind: string; sides: number; value: number; flags: string[] }[]
  pool: { dice: number; traits: { name: string; value: number }[] } | null
  net: number | null
  total: number | null
  outcome: string | null
  strained: boolean
  settlement: string | null
  text: string
  version: number
}
const roll = async (user: Person, body: unknown) => {
  const reply = await user.post('/dice-rolls', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body as unknown as Roll
}

test('notation and pools are rolled with all their dice', async () => {
  const { player, campaign_id, C, company_id } = await newGameTable()
  const plain = await player.post('/dice-rolls', { notation: '4d6kh3+2', comment: 'Stats' })
  const { dice, total, net } = plain.body as unknown as Roll
  assert.equal(dice.length, 4)
  const kept = dice.filter(({ flags }) => flags.includes('kept')).map(({ value }) => value)
  assert.deepEqual([kept.length, total, net], [3, kept.reduce((a, b) => a + b, 2), null])
  assert.match(String(plain.body.text), /^Player \(Stats\): 4d6kh3\+2: .*~~\d~~.* = \d+$/)
  assert.deepEqual((await player.get(`/dice-rolls/${plain.body.id}`)).body, plain.body, 'the stored roll equals the reply')
  assert.equal(plain.headers.location, `/api/v1/companies/${company_id}/users/${player.id}/dice-rolls/${plain.body.id}`)

  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { strength: 3, brawl: 2 } })
  const pool = { traits: ['strength', 'brawl', 'magic'], difficulty: 7, modifier: -1 }
  const pooled = await roll(player, { pool, missing: 'ZERO', character_id: hero })
  assert.deepEqual(pooled.pool, {
    sides: 10,
    dice: 5,
    traits: [
      { name: 'strength', value: 3 },
      { name: 'brawl', value: 2 },
      { name: 'magic', value: 0 },
    ],
    modifier: -1,
    difficulty: 7,
    desperation_dice: 0,
  })
  assert.equal(pooled.dice.length, 4)
  assert.match(pooled.text, /^Crane: 4d10 \(strength 3 \+ brawl 2 \+ magic 0 - 1\) against 7: /)
  assert.equal((await player.get(`/dice-rolls?campaign_id=${campaign_id}`)).body.total, 1, 'the roll is in the campaign of the character')
})

test('a name or comment cannot begin another line in the text of a roll, or reverse its direction', async () => {
  const { person, C, campaign_id } = await newGameTable()
  for (const [separator, shown] of [
    ['\n', ' '],
    ['\r', ' '],
    ['\r\n', ' '],
    ['\t', ' '],
    ['\u000b', ' '],
    ['\u001b', ' '],
    ['\u0085', ' '],
    ['\u2028', ' '],
    ['\u2029', ' '],
    ['\u202e', ' '],
    ['\u2066', ' '],
    ['\u200d', '\u200d'],
  ] as const) {
    const forged = (name: string) => `${name}${separator}Teller: d20: 20 = 20`
    const line = (name: string) => `${name}${shown}Teller: d20: 20 = 20`
    const player = await person('PLAYER', forged('Player'))
    const { text, comment } = (await player.post('/dice-rolls', { notation: '7', comment: forged('Why') })).body
    assert.equal(text, `${line('Player')} (${line('Why')}): 7: 7`)
    assert.equal(comment, forged('Why'), 'the field keeps the text that was sent')
    const hero = await player.make(`${C}/characters`, { name: forged('Crane') })
    const quick = await player.make('/quick-rolls', { name: forged('Sneak'), pool: { dice: 1 } })
    const { body } = await player.post(`/quick-rolls/${quick}/roll`, { character_id: hero, campaign_id })
    assert.match(String(body.text), /^Crane\P{Cc}*Sneak\P{Cc}* = \d+$/u)
    assert.ok(String(body.text).startsWith(`${line('Crane')} (${line('Sneak')}): `), JSON.stringify(body.text))
  }
  assertProblem(await (await person('PLAYER')).post('/dice-rolls', { notation: '3\n+ 4' }), 400)
})

test('an invalid roll is rejected with the position and the reason, and uses no nonce', async () => {
  const { player, other, stranger, teller, C, campaign_id } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { strength: 3 } })
  const elsewhere = await stranger.make('/campaigns', { name: 'Elsewhere' })
  const assertRejected = async (user: Person, body: unknown, status: number, detail?: RegExp) => {
    const reply = await user.post('/dice-rolls', body)
    assertProblem(reply, status)
    if (detail) assert.match(JSON.stringify(reply.body.invalid_parameters ?? reply.body.detail), detail)
  }
  await assertRejected(player, {}, 400, /either notation or pool/)
  await assertRejected(player, { notation: 'd6', pool: { dice: 1 } }, 400, /either notation or pool/)
  await assertRejected(player, { notation: '4d6d1' }, 400, /at position 4: drop needs a direction: dl drops the lowest/)
  await assertRejected(player, { notation: '99999999d99999999' }, 400)
  await assertRejected(player, { notation: '' }, 400)
  await assertRejected(player, { pool: {} }, 400, /either dice or traits/)
  await assertRejected(player, { pool: { dice: 1, traits: ['strength'] }, character_id: hero }, 400)
  await assertRejected(player, { pool: { traits: ['strength'] } }, 400, /is required for strength/)
  await assertRejected(player, { pool: { dice: 3, modifier: -3 } }, 400, /1 to 100 dice/)
  await assertRejected(player, { pool: { dice: 100, modifier: 1 } }, 400, /1 to 100 dice/)
  await assertRejected(player, { pool: { dice: 3, sides: 6, difficulty: 7 } }, 400, /at most 6/)
  await assertRejected(player, { pool: { dice: 3, sides: 1 } }, 400)
  await assertRejected(player, { pool: { dice: 3, nonsense: 1 } }, 400)
  await assertRejected(player, { notation: 'd6', visibility: 'BLIND' }, 400, /required for a BLIND roll/)
  await assertRejected(player, { notation: 'd6', client_seed: 'with space' }, 400)
  await assertRejected(player, { pool: { dice: 3, desperation_dice: 1 } }, 400)
  await assertRejected(player, { pool: { dice: 3, desperation_dice: 1 }, campaign_id }, 409, /desperation of the campaign is 0/)
  await assertRejected(player, { notation: 'd6', campaign_id: crypto.randomUUID() }, 404)
  await assertRejected(player, { notation: 'd6', character_id: crypto.randomUUID() }, 404)
  await assertRejected(player, { notation: 'd6', character_id: hero, campaign_id: elsewhere }, 404)
  await assertRejected(other, { notation: 'd6', character_id: hero }, 403)
  const hidden = await teller.make(`${C}/characters`, { name: 'Dagon', type: 'NPC', visibility: 'STORYTELLER' })
  await assertRejected(player, { notation: 'd6', character_id: hidden }, 404)
  await assertRejected(teller, { notation: 'd6', character_id: hidden }, 400, /this NPC is hidden/)
  assert.equal((await teller.post('/dice-rolls', { notation: 'd6', character_id: hidden, visibility: 'STORYTELLER' })).status, 201)
  assert.equal((await player.get(`${C}/dice-seed`)).body.next_nonce, 1)
  assert.equal((await teller.get(`${C}/secret-dice-seed`)).body.next_nonce, 2)
})

test('a secret roll is visible to the roller and the storytellers, a blind one to the storytellers only', async () => {
  const { base, key, player, other, teller, stranger, admin, campaign_id, C } = await newGameTable()
  const once = { 'idempotency-key': crypto.randomUUID() }
  const secret = await roll(player, { notation: '3d6', campaign_id, visibility: 'STORYTELLER' })
  const blindRoll = { notation: '3d6', campaign_id, visibility: 'BLIND' }
  const blind = await player.post('/dice-rolls', blindRoll, once)
  assert.deepEqual([blind.status, blind.body.dice, blind.body.total, blind.body.notation], [201, [], null, '3d6'])
  assert.equal((await player.post('/dice-rolls', blindRoll, once)).text, blind.text, 'a replay does not reveal the result either')
  const countSeenBy = async (user: Person) => {
    const { items, total } = (await user.get('/dice-rolls')).body
    for (const { id } of [secret, blind.body as { id: string }])
      assert.equal((await user.get(`/dice-rolls/${id}`)).status, items.some((item) => item.id === id) ? 200 : 404)
    return total
  }
  assert.deepEqual(
    [await countSeenBy(player), await countSeenBy(other), await countSeenBy(stranger), await countSeenBy(teller), await countSeenBy(admin)],
    [1, 0, 0, 2, 2],
  )
  assert.equal(((await teller.get(`/dice-rolls/${blind.body.id}`)).body as unknown as Roll).dice.length, 3)
  assertProblem(await player.get(`/dice-rolls/${secret.id}/proof`), 404, 'Proof not found')
  assert.equal((await teller.get(`/dice-rolls/${secret.id}/proof`)).body.nonce, 1)
  for (const user of [player, other, stranger]) {
    assertProblem(await user.get(`${C}/secret-dice-seed`), 404, 'Dice seed not found')
    assertProblem(await user.post(`${C}/secret-dice-seed/rotate`), 404, 'Dice seed not found')
  }
  const log = (await call('GET', `${base}/audit-logs?type=dice_roll.created&sort=-date_created`, { key })).body.items
  assert.equal(log[0]?.resource_id, blind.body.id)
  assert.equal(JSON.stringify(log[0]?.changes).includes('"value"'), false)
  const events = await db.query<{ visibility: string; author_id: string | null }>(
    sql`SELECT visibility, author_id FROM events WHERE resource_id IN (${secret.id}, ${blind.body.id}) ORDER BY id`,
  )
  assert.deepEqual(events, [
    { visibility: 'STORYTELLER', author_id: player.id },
    { visibility: 'STORYTELLER', author_id: null },
  ])
})

test('two hundred concurrent rolls on two processes are numbered 1 to 200', async () => {
  const { player, campaign_id, C } = await newGameTable()
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, i) => player.post('/dice-rolls', { notation: 'd20', campaign_id }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const rows = await db.query<{ nonce: number }>(sql`SELECT nonce FROM dice_rolls WHERE campaign_id = ${campaign_id} ORDER BY nonce`)
  assert.deepEqual(
    rows.map(({ nonce }) => nonce),
    Array.from({ length: 200 }, (_, i) => i + 1),
  )
  assert.equal((await player.get(`${C}/dice-seed`)).body.next_nonce, 201)
})

test('a roll can be verified once its seed is revealed, and no reply contains the seed before', async () => {
  const { base, key, player, teller, campaign_id, C } = await newGameTable()
  const seed = (await player.get(`${C}/dice-seed`)).body
  const [first, second] = [
    await roll(player, { notation: '6d10', campaign_id }),
    await roll(player, { pool: { dice: 5, difficulty: 6 }, campaign_id, client_seed: 'my-own_1' }),
  ]
  const before = (await player.get(`/dice-rolls/${first.id}/proof`)).body
  assert.deepEqual(
    [before.seed_id, before.commitment, before.client_seed, before.nonce, before.server_seed],
    [seed.id, seed.commitment, seed.id, 1, null],
  )
  assertProblem(await player.post(`${C}/dice-seed/rotate`), 403)
  const [{ secret } = { secret: '' }] = await db.query<{ secret: string }>(
    sql`SELECT encode(server_seed, 'hex') AS secret FROM dice_seeds WHERE id = ${seed.id}`,
  )
  for (const path of ['/dice-rolls', `/dice-rolls/${first.id}`, `/dice-rolls/${first.id}/proof`, `${C}/dice-seed`])
    assert.equal((await teller.get(path)).text.includes(secret), false)
  assert.equal((await call('GET', `${base}/audit-logs?limit=100`, { key })).text.includes(secret), false)

  const rotated = await teller.post(`${C}/dice-seed/rotate`)
  const revealed = rotated.body.revealed as { server_seed: string; rolls: number; commitment: string }
  assert.deepEqual([revealed.server_seed, revealed.rolls, revealed.commitment], [secret, 2, seed.commitment])
  assert.notEqual(rotated.body.commitment, seed.commitment)
  assert.deepEqual((await player.get(`${C}/dice-seed`)).body, { id: rotated.body.id, commitment: rotated.body.commitment, next_nonce: 1 })
  for (const made of [first, second]) {
    const proof = (await player.get(`/dice-rolls/${made.id}/proof`)).body
    const server_seed = Buffer.from(String(proof.server_seed), 'hex')
    assert.equal(commitmentOf(server_seed), proof.commitment)
    const draw = drawFrom(wordsOf({ server_seed, client_seed: String(proof.client_seed), nonce: Number(proof.nonce) }))
    assert.deepEqual(
      made.dice.map(({ sides }) => draw(sides) + 1),
      made.dice.map(({ value }) => value),
    )
    assert.equal((proof.words as number[]).length, draw.used)
  }
})

test('concurrent rotations and rolls lose nothing: every seed counts its rolls', async () => {
  const { player, teller, campaign_id, C } = await newGameTable()
  const work = Array.from({ length: 60 }, (_, i) =>
    i % 10 === 5
      ? teller.post(`${C}/dice-seed/rotate`, undefined, {}, twoApps[i % 2])
      : player.post('/dice-rolls', { notation: 'd6', campaign_id }, {}, twoApps[i % 2]),
  )
  for (const { status, text } of await Promise.all(work)) assert.ok(status === 200 || status === 201 || status === 409, text)
  const miscounted = await db.query(sql`
    SELECT seed.id FROM dice_seeds seed LEFT JOIN dice_rolls x ON x.company_id = seed.company_id AND x.seed_id = seed.id WHERE seed.campaign_id = ${campaign_id}
    GROUP BY seed.id, seed.nonce HAVING seed.nonce <> count(x.id) OR seed.nonce <> coalesce(max(x.nonce), 0)`)
  assert.deepEqual(miscounted, [])
})

test('a strained roll is settled once, by the roller or a storyteller', async () => {
  const { player, other, teller, campaign_id, C, events } = await newGameTable()
  await teller.patch(C, { desperation: 5, danger: 4 })
  const strained = async (): Promise<Roll> => {
    for (let tries = 0; tries < 200; tries++) {
      const made = await roll(player, { pool: { dice: 3, difficulty: 2, desperation_dice: 5 }, campaign_id })
      assert.deepEqual(
        made.dice.slice(3).map(({ kind }) => kind),
        Array(5).fill('DESPERATION'),
      )
      assert.equal(
        made.strained,
        made.dice.slice(3).some(({ value }) => value === 1),
      )
      if (made.strained) return made
      assertProblem(
        await player.post(`/dice-rolls/${made.id}/settle`, { choice: 'DESPAIR' }),
        409,
        /No desperation die of this roll shows 1/,
      )
    }
    assert.fail('no roll is strained')
  }
  const danger = async () => (await teller.get(C)).body.danger
  const first = await strained()
  assertProblem(await other.post(`/dice-rolls/${first.id}/settle`, { choice: 'DESPAIR' }), 403)
  const settled = await player.post(`/dice-rolls/${first.id}/settle`, { choice: 'OVERREACH' })
  assert.deepEqual(
    [settled.body.settlement, settled.body.outcome, settled.body.version, await danger()],
    ['OVERREACH', first.outcome, 2, 5],
  )
  assert.equal(settled.body.text, `${first.text}; OVERREACH`)
  assertProblem(await player.post(`/dice-rolls/${first.id}/settle`, { choice: 'DESPAIR' }), 409, /already settled with OVERREACH/)
  const second = await strained()
  assert.equal((await teller.post(`/dice-rolls/${second.id}/settle`, { choice: 'OVERREACH' })).status, 200)
  assert.equal(await danger(), 5, 'danger stays at its maximum')
  const third = await strained()
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) => player.post(`/dice-rolls/${third.id}/settle`, { choice: 'DESPAIR' }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  assert.equal((await player.get(`/dice-rolls/${third.id}`)).body.outcome, 'FAILURE')
  assert.equal((await events()).filter((type) => type === 'campaign.adjusted').length, 1)
})

test('rolls are hidden with their campaign, filtered, and listed newest first', async () => {
  const { player, other, teller, campaign_id, C } = await newGameTable()
  const own = await roll(player, { notation: '1' })
  const inside = await roll(player, { pool: { dice: 1, difficulty: 10 }, campaign_id })
  const theirs = await roll(other, { notation: 'd%', campaign_id })
  const ids = async (query: string) => (await player.get(`/dice-rolls?${query}`)).body.items.map(({ id }) => id)
  assert.deepEqual(await ids('sort=-date_created'), [theirs.id, inside.id, own.id])
  assert.deepEqual(await ids(`user_id=${other.id}`), [theirs.id])
  assert.deepEqual(await ids(`campaign_id=${campaign_id}`), [inside.id, theirs.id])
  assert.deepEqual(await ids(`outcome=${inside.outcome}`), [inside.id])
  assert.deepEqual(await ids('to=2001-01-01T00:00:00Z'), [])
  await teller.delete(C)
  assert.deepEqual(await ids(''), [own.id])
  assertProblem(await player.get(`/dice-rolls/${inside.id}`), 404, 'Roll not found')
  await teller.post(`${C}/restore`)
  assert.equal((await ids('')).length, 3)
})

test('a roll is one transaction of few statements', async () => {
  const { player, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'x', traits: { wits: 3 } })
  const body = { pool: { traits: ['wits'], difficulty: 6 }, character_id: hero }
  await player.post('/dice-rolls', body, {}, recordedApp)
  const { answer, sent } = await statementsOf(() => player.post('/dice-rolls', body, {}, recordedApp))
  assert.equal(answer.status, 201)
  // Citus writes to the queue of the tallies, and to the outbox, with a statement of its own.
  assert.equal(sent.length, engine === 'citus' ? 6 : 4)
})

test('the total equals the number of listed rolls with every filter', async () => {
  const { player, teller, other, campaign_id } = await newGameTable()
  const rollAll = async () => {
    for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND']) await roll(player, { notation: 'd6', campaign_id, visibility })
    for (const user of [player, teller, other]) await roll(user, { pool: { dice: 3, difficulty: 6 } })
  }
  await rollAll()
  // From here on the tallies have these rolls, and the queue has the next ones.
  await foldTallies(db)
  await rollAll()
  const [first, last] = ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z']
  for (const user of [player, teller, other]) {
    for (const query of ['', `campaign_id=${campaign_id}`, `user_id=${player.id}`, `campaign_id=${campaign_id}&user_id=${player.id}`]) {
      for (const filter of ['', `from=${first}`, `to=${last}`, 'outcome=FAILURE', `from=${first}&outcome=SUCCESS`]) {
        const { items, total } = (await user.get(`/dice-rolls?limit=100&${query}&${filter}`.replace(/&+/g, '&').replace(/&$/, ''))).body
        assert.equal(total, items.length, `${query} ${filter}`)
      }
    }
  }
})

test('a list leaves out the dice of a roll with more than a hundred, and the roll itself has them', async () => {
  const { player } = await newGameTable()
  const [few, many] = [await player.make('/dice-rolls', { notation: '100d6' }), await player.make('/dice-rolls', { notation: '101d6' })]
  const { items } = (await player.get('/dice-rolls')).body as unknown as { items: (Roll & { truncated: boolean })[] }
  assert.deepEqual(
    items.map(({ id, dice, truncated }) => [id, dice.length, truncated]),
    [
      [few, 100, false],
      [many, 0, true],
    ],
  )
  const { body } = await player.get(`/dice-rolls/${many}`)
  assert.deepEqual([(body.dice as unknown[]).length, body.total], [101, items[1]?.total])
  // A text of more than 1,000 characters takes names and comments as long as they may be, and dice of many sides.
  const name = 'n'.repeat(100)
  const long = await (await newGameTable()).person('PLAYER', name)
  const id = await long.make('/dice-rolls', { notation: '100d10000', comment: 'c'.repeat(500) })
  const text = String((await long.get(`/dice-rolls/${id}`)).body.text)
  const [shown] = (await long.get('/dice-rolls')).body.items
  assert.ok(text.length > 1000)
  assert.deepEqual([shown?.text, shown?.truncated, (shown as unknown as Roll).dice.length], [text.slice(0, 1000), true, 100])
})

test('the event of a roll records its text and result without the dice, and the proof is valid for any number of them', async () => {
  const { base, key, player } = await newGameTable()
  const made = await Promise.all(['3d6', '100d6', '101d6', '1000d10!'].map((notation) => roll(player, { notation })))
  const logs = (await call('GET', `${base}/audit-logs?type=dice_roll.created&limit=100`, { key })).body.items
  for (const { id, total, notation, text } of made as (Roll & { notation: string })[]) {
    const changes = logs.find(({ resource_id }) => resource_id === id)?.changes
    assert.deepEqual(
      [changes?.dice, changes?.total?.new, changes?.notation?.new, changes?.text?.new],
      [undefined, total, notation, text.slice(0, 500)],
    )
  }
  await player.post('/dice-seed/rotate')
  for (const { id } of made) {
    const [proof, stored] = [await player.get(`/dice-rolls/${id}/proof`), await player.get(`/dice-rolls/${id}`)]
    assert.deepEqual((await verifyRoll(proof.body, stored.body)).faults, [])
  }
})

test('only rolls of more than a hundred dice are heavy, and invalid notation is not', () => {
  for (const [notation, heavy] of [
    ['3d6', false],
    ['100d6', false],
    ['101d6', true],
    ['60d6+41d8', true],
    ['51d6!o', true],
    ['1000d6', true],
    ['10', false],
    ['1000d', false],
    [undefined, false],
  ] as const)
    assert.equal(isHeavy({ ...(notation && { notation }) }), heavy, notation)
})

test('traits of any size add up to a pool of 1 to 100 dice, or the roll is rejected with the sum', async () => {
  const { player, C } = await newGameTable()
  const traits = { wits: 4, dex_mod: -1, curse: -1_000_000, hp: 546, gold: 1_000_000 }
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits })
  const made = await roll(player, { pool: { traits: ['wits', 'dex_mod'], difficulty: 7 }, character_id: hero })
  assert.deepEqual([made.pool?.dice, made.dice.length], [3, 3])
  assert.match(made.text, /^Crane: 3d10 \(wits 4 \+ dex_mod -1\) against 7: /)
  const saved = await roll(player, { pool: { traits: ['dex_mod'], modifier: 2 }, character_id: hero })
  assert.deepEqual([saved.pool?.dice, saved.dice.length], [-1, 1])
  const cancelled = await roll(player, { pool: { traits: ['curse', 'gold', 'wits'] }, character_id: hero })
  assert.deepEqual([cancelled.pool?.dice, cancelled.dice.length], [4, 4])
  for (const [names, sum] of [
    [['dex_mod'], -1],
    [['hp'], 546],
    [Array(10).fill('gold'), 10_000_000],
    [Array(10).fill('curse'), -10_000_000],
    [['curse', 'gold'], 0],
  ] as const) {
    const answer = await player.post('/dice-rolls', { pool: { traits: names }, character_id: hero })
    assertProblem(answer, 400)
    const hint = sum < 1 ? '. Send chance: true to roll a chance die instead' : ''
    assert.deepEqual(answer.body.invalid_parameters, [
      { field: 'pool', message: `must have 1 to 100 dice: ${sum} with a modifier of 0 is ${sum}${hint}` },
    ])
  }
})

test('a roll without its traits names none of them, even if its text was cut in the middle of them', () => {
  const pool = { sides: 10, dice: 5, traits: [{ name: 'wits', value: 5 }], modifier: -1, difficulty: 7, desperation_dice: 0 }
  const aim = { target: null, compare: null }
  const empty = { notation: null, formula: null, values: [], dice: [], terms: [] }
  const made = { ...empty, ...aim, pool, net: 2, total: null, outcome: 'SUCCESS' as const }
  const text = 'Crane (: 4d10 (wits 5 - 1) against 7: ): 4d10 (wits 5 - 1) against 7: 8 10 2 1: net 2, SUCCESS'
  const anonymous = { ...pool, traits: [] }
  assert.deepEqual(withoutTraits({ ...made, text }), {
    ...made,
    pool: anonymous,
    text: 'Crane (: 4d10 (wits 5 - 1) against 7: ): 4d10 (5 - 1) against 7: 8 10 2 1: net 2, SUCCESS',
  })
  for (const cut of ['Crane: 4d10 (wits 5 - 1) aga', 'Crane: wi', ''])
    assert.deepEqual(withoutTraits({ ...made, text: cut }), { ...made, pool: anonymous, text: '4d10 (5 - 1) against 7: net 2, SUCCESS' })
  for (const roll of [
    { ...made, pool: anonymous, text },
    { ...made, pool: null, text },
  ])
    assert.equal(withoutTraits(roll), roll)
})

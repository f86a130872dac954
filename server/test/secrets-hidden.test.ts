import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Plan } from '../src/http/plan.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import { assertProblem, call } from './harness.ts'
import { plans } from './plans.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { masked, sharedWorlds, VIEWERS, WORD, type World } from './worlds.ts'

// A hidden resource that is named by its id, key or name gets the same reply as a missing one.

/** Returns true if the path of the operation has the parameter and names the acting user. */
const hasParam = (op: Plan, param: string) => op.params.some(({ name }) => name === param) && op.actor === 'path'

for (const param of ['campaign_id', 'character_id', 'note_id', 'roll_id']) {
  test(`a hidden ${param} gets the same reply as a missing one, with the same statements`, async () => {
    const { player, params, hidden, key, C, teller } = (await sharedWorlds()).worlds[1]
    const ids = { ...params, user_id: player.id, item_id: randomUUID(), note_id: hidden.note_id as string }
    const landlord = (await teller.get(`${C}/characters?q=landlord`)).body.items[0]?.id as string
    let compared = 0
    for (const op of plans.filter((op) => hasParam(op, param))) {
      // The hidden note belongs to the landlord.
      const parent = param === 'note_id' ? { character_id: landlord } : {}
      const send = (id: string) =>
        statementsOf(() =>
          call(op.method, `/api/v1${op.fill((name) => ({ ...ids, ...parent, [param]: id })[name as 'user_id'])}`, {
            key,
            on: recordedApp,
            ...(op.body && { body: example(op.body) }),
          }),
        )
      // Send each once before, so that both have a recalled caller.
      const unknownId = randomUUID()
      await send(unknownId)
      const hiddenId = (param === 'campaign_id' ? hidden.private_id : hidden[param]) as string
      await send(hiddenId)
      const [missing, secret] = [await send(unknownId), await send(hiddenId)]
      assert.equal(masked(secret.answer), masked(missing.answer), op.id)
      assert.deepEqual(secret.sent, missing.sent, op.id)
      // A role that is too low is refused before the path is looked up.
      assert.equal(secret.answer.status, op.needs.role ? 403 : 404, op.id)
      compared++
    }
    assert.ok(compared >= 3, `${compared}`)
  })
}

test('odds reveal nothing of a hidden character, sheet, tracker or campaign', async () => {
  const { worlds, keys } = await sharedWorlds()
  const [, { hidden, C, teller }] = worlds
  const ask = (i: 0 | 1, viewer: (typeof VIEWERS)[number], body: object) =>
    statementsOf(() =>
      call('POST', `${worlds[i].base}/dice/odds`, {
        key: keys[i],
        on: recordedApp,
        body,
        headers: viewer === 'nobody' ? {} : { 'on-behalf-of': worlds[i][viewer].id },
      }),
    )
  const named = [
    { notation: `1d6+{${WORD}}` },
    { pool: { traits: [WORD, 'hp'], difficulty: 6 } },
    { notation: '{doom}+1d6', missing: 'ZERO' },
  ]
  for (const viewer of VIEWERS) {
    await ask(1, viewer, { notation: '1' })
    for (const body of named) {
      // In the same world, a hidden row and a missing one.
      for (const [field, id] of [
        ['character_id', hidden.character_id],
        ['campaign_id', hidden.private_id],
      ] as const) {
        const [missing, secret] = [await ask(1, viewer, { ...body, [field]: randomUUID() }), await ask(1, viewer, { ...body, [field]: id })]
        assert.equal(masked(secret.answer), masked(missing.answer), `${field} as ${viewer}`)
        assert.deepEqual([secret.sent, secret.answer.status], [missing.sent, 404], `${field} as ${viewer}`)
      }
      // In two worlds, a sheet with and without secrets, and the trackers of the campaign.
      for (const place of [
        (world: World) => ({ campaign_id: world.campaign_id }),
        ...[0, 1, 2].map((i) => (world: World) => ({ character_id: world.sheets.ids[i] })),
      ]) {
        const [without, withSecrets] = [
          await ask(0, viewer, { ...body, ...place(worlds[0]) }),
          await ask(1, viewer, { ...body, ...place(worlds[1]) }),
        ]
        assert.equal(masked(withSecrets.answer), masked(without.answer), `${JSON.stringify(body)} as ${viewer}`)
      }
    }
    for (const character_id of worlds[1].sheets.ids) {
      const { answer } = await ask(1, viewer, { ...named[0], character_id })
      assert.deepEqual([answer.status, answer.body.reason], [403, 'hidden_sheet'], `${viewer}: ${answer.text}`)
    }
  }
  const [headers, body] = [{ 'on-behalf-of': teller.id }, { ...named[0], character_id: worlds[1].sheets.ids[0] }]
  assert.equal((await call('POST', `${worlds[1].base}/dice/odds`, { key: keys[1], headers, body })).status, 200, C)
})

test('a name of a quick roll gets the same reply with and without secrets, and with the same statements', async () => {
  const { worlds } = await sharedWorlds()
  const [without, withSecrets] = worlds
  const send = async ({ player }: World, body: object) => {
    const { answer, sent } = await statementsOf(() => player.post('/quick-rolls/roll', body, {}, recordedApp))
    return [masked(answer), sent.length]
  }
  const { hidden } = withSecrets
  // The first request of a caller identifies it with statements of its own.
  for (const world of worlds) assert.match(String((await send(world, { name: WORD }))[0]), /^404 .*Quick roll not found/)
  for (const [where, elsewhere] of [
    ...withSecrets.sheets.ids.map((id, i) => [{ character_id: id }, { character_id: without.sheets.ids[i] }]),
    [{ character_id: hidden.character_id }, { character_id: randomUUID() }],
    [{ campaign_id: hidden.private_id }, { campaign_id: randomUUID() }],
  ] as const)
    for (const name of [WORD, `Lost ${WORD}`])
      assert.deepEqual(await send(withSecrets, { name, ...where }), await send(without, { name, ...elsewhere }))
})

test('a hidden tracker gets the same reply as a missing one, with the same statements', async () => {
  const { player, params, key, npc } = (await sharedWorlds()).worlds[1]
  for (const op of plans.filter((op) => hasParam(op, 'key'))) {
    const ids: Record<string, string> = { ...params, user_id: player.id, character_id: npc }
    const send = (tracker: string) =>
      statementsOf(() =>
        call(op.method, `/api/v1${op.fill((name) => (name === 'key' ? tracker : (ids[name] as string)))}`, {
          key,
          on: recordedApp,
          ...(op.body && { body: sampleOf(op.body) }),
        }),
      )
    await send('missing')
    const [missing, secret] = [await send('missing'), await send(WORD)]
    assert.equal(masked(secret.answer).replaceAll(WORD, 'missing'), masked(missing.answer), op.id)
    assert.deepEqual(secret.sent, missing.sent, op.id)
    // Players define no trackers of a campaign or NPC, whatever their keys.
    assert.equal(secret.answer.status, ['PUT', 'PATCH', 'DELETE'].includes(op.method) ? 403 : 404, op.id)
  }
})

test('players see, move and reset no value of a NAME_ONLY tracker, and no hidden tracker by naming it with others', async () => {
  const { player, teller, params, npc, C } = (await sharedWorlds()).worlds[1]
  const hero = `${C}/characters/${params.character_id}`
  for (const owner of [C, hero, `${C}/characters/${npc}`]) {
    const shown = (await player.get(`${owner}/trackers/doom`)).body
    assert.deepEqual([shown.label, shown.value, shown.start, shown.version, shown.maximum], ['Doom', null, null, 1, 8])
    assert.deepEqual(
      (await player.get(`${owner}/trackers`)).body.items.map((item) => [item.key, item.value]),
      [
        ['doom', null],
        ['morale', 3],
      ],
    )
    const all = (await teller.get(`${owner}/trackers/doom`)).body
    assert.deepEqual([all.value, all.start, all.version], [2, 2, 4])
    assert.deepEqual([shown.date_modified, all.date_modified], [shown.date_created, shown.date_created], 'players cannot watch it move')
    for (const body of [{ by: 1 }, { to: 99 }, { by: 0 }]) assertProblem(await player.post(`${owner}/trackers/doom/adjust`, body), 403)
    assertProblem(await player.post(`${owner}/trackers/reset`, { keys: ['morale', 'doom'] }), 403)
    assert.deepEqual(
      (await player.post(`${owner}/trackers/reset`)).body.items.map((item) => item.key),
      ['morale'],
    )
  }
  const several = (trackers: object) => player.post(`${C}/characters/${npc}/adjust`, { trackers })
  assertProblem(await several({ morale: 1, [WORD]: 1 }), 404, 'Tracker not found')
  assertProblem(await several({ morale: 1, missing: 1 }), 404, 'Tracker not found')
  assertProblem(await several({ morale: 1, doom: 1 }), 403)
  // On their own character too, what is hidden from players is not theirs to define.
  for (const refused of [
    player.put(`${hero}/trackers/doom`, { value: 1 }),
    player.patch(`${hero}/trackers/doom`, { visibility: 'OPEN' }),
    player.delete(`${hero}/trackers/doom`),
    player.post(`${hero}/adjust`, { trackers: { doom: 1 } }),
  ])
    assertProblem(await refused, 403)
})

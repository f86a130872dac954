import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call } from '../../../test/harness.ts'
import { assertConflict } from '../../../test/problems.ts'

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))

const faultsOf = ({ body }: Answer) => (body.invalid_parameters ?? []).map(({ field, message }) => `${field} ${message}`)

const game = (changes: object = {}) => ({
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 5 } },
  traits: { nerve: { group: 'stats' }, body: { group: 'stats', default: 1 } },
  derived: { grit: { formula: 'nerve + body + campaign.danger + xp.earned - wounded * 2' } },
  choices: { job: { required: true, values: { pay: 1 }, options: { sailor: { values: { pay: 3 } }, cook: {} } } },
  trackers: { health: { max: 'body + 5' }, tide: { scope: 'campaign', max: 10, start: 0 } },
  conditions: { wounded: { most: 3 } },
  experience: { raise: [{ of: 'stats', cost: 1 }] },
  checks: [
    { that: 'nerve + body <= 6', message: 'Nerve and body together are at most six.' },
    { that: 'nerve < 4', message: 'That is a lot of nerve.', level: 'WARNING' },
  ],
  ...changes,
})

async function newRuledTable(document: object = game()) {
  const table = await newGameTable()
  const { base, key, teller, C } = table
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    call(method, `${base}${path}`, { key, headers: { 'on-behalf-of': teller.id }, ...(body !== undefined && { body }) })
  /** Publishes a document as the next version of a ruleset, or of a new one. */
  const publish = async (next: object, ruleset_id?: string): Promise<{ ruleset_id: string; id: string }> => {
    const created = ruleset_id
      ? await send('POST', `/rulesets/${ruleset_id}/versions`, { document: next })
      : await send('POST', '/rulesets', { document: next })
    assert.equal(created.status, 201, created.text)
    const body = created.body as never as Record<string, string>
    const ids = { ruleset_id: ruleset_id ?? (body.id as string), id: (ruleset_id ? body.id : body.draft_version_id) as string }
    const published = await send('POST', `/rulesets/${ids.ruleset_id}/versions/${ids.id}/publish`)
    assert.equal(published.status, 200, published.text)
    return ids
  }
  const version = await publish(document)
  const pin = (version_id: string, rest: object = {}, i = 0) =>
    teller.put(`${C}/ruleset`, { version_id, ...rest }, {}, twoApps[i % 2] as never)
  return { ...table, send, publish, version, pin }
}

type Reply = {
  campaign: Record<string, unknown>
  report: { characters: number; changed: number; unfit: number; faults: { name: string; faults: object[] }[] }
}
const replyOf = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body as never as Reply
}
type Sheet = {
  traits: object
  derived: { grit: number }
  trackers: Record<string, object>
  choices: object
  faults: { field: string; level: string }[]
}

test('a sheet has what follows from traits, choices, conditions, trackers, experience and the campaign', async () => {
  const { pin, version, player, teller, C, campaign_id } = await newRuledTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { nerve: 2 }, choices: { job: 'sailor' } })
  const sheetOf = async () => {
    const { body } = await player.get(`${C}/characters/${hero}?include=sheet`)
    return (body as never as { sheet: Sheet | null }).sheet
  }
  assert.equal(await sheetOf(), null)
  const { campaign, report } = replyOf(await pin(version.id))
  assert.deepEqual([campaign.id, campaign.ruleset_version_id, campaign.ruleset_mode], [campaign_id, version.id, 'STRICT'])
  assert.deepEqual(report, { characters: 1, changed: 0, unfit: 0, faults: [] })
  assert.deepEqual(await sheetOf(), {
    version_id: version.id,
    traits: { nerve: 2, body: 1 },
    derived: { grit: 3 },
    trackers: { health: { value: 6, min: 0, max: 6 }, tide: { value: 0, min: 0, max: 10 } },
    conditions: { wounded: 0 },
    choices: { job: 'sailor' },
    faults: [],
  })
  await teller.post(`${C}/adjust`, { danger: 2 })
  await teller.make(`${C}/experience/awards`, { amount: 10, reason: 'Play', user_ids: [player.id] })
  assert.equal((await player.put(`${C}/characters/${hero}/conditions/wounded`, { level: 2 })).status, 200)
  assert.equal((await sheetOf())?.derived.grit, 3 + 2 + 10 - 4)
  assert.equal((await player.delete(`${C}/characters/${hero}/conditions/wounded`)).status, 204)
  assert.equal((await sheetOf())?.derived.grit, 15)
  assertProblem(await player.put(`${C}/characters/${hero}/conditions/wounded`, { level: 4 }), 400)
  assertProblem(await player.put(`${C}/characters/${hero}/conditions/prone`, { level: 1 }), 404)
  const shown = (await player.get(`${C}/ruleset`)).body as never as { version: { id: string }; document: object }
  assert.deepEqual([shown.version.id, JSON.stringify(shown.document)], [version.id, JSON.stringify(game())])
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  assert.equal(await sheetOf(), null)
  assertProblem(await player.get(`${C}/ruleset`), 404)
  assertConflict(await player.put(`${C}/characters/${hero}/conditions/wounded`, { level: 1 }), 'no_ruleset')
})

test('a strict campaign rejects only the faults that a change adds, and an advisory one none', async () => {
  const { pin, version, player, teller, C } = await newRuledTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { nerve: 9, luck: 3 } })
  assertConflict(await pin(version.id), 'characters_unfit')
  const dry = replyOf(await pin(version.id, { dry_run: true }))
  assert.equal(dry.campaign.ruleset_version_id, null)
  assert.deepEqual(
    dry.report.faults.map(({ name, faults }) => [name, faults.length]),
    [['Hero', 4]],
  )
  assert.equal(replyOf(await pin(version.id, { accept_faults: true })).report.unfit, 1)

  const change = (body: object) => player.patch(`${C}/characters/${hero}`, body)
  assert.equal((await change({ biography: 'Was here first.', traits: { body: 2 } })).status, 200)
  assert.deepEqual(faultsOf(await change({ traits: { body: 9 } })), ['traits.body must be 0 to 5'])
  assert.deepEqual(faultsOf(await change({ traits: { wits: 1 } })), ['traits.wits is no trait of the ruleset'])
  assert.deepEqual(faultsOf(await change({ traits: { bodi: 1 } })), ['traits.bodi is no trait of the ruleset: did you mean body?'])
  assert.deepEqual(faultsOf(await change({ choices: { job: 'king' } })), ['choices.job must be one of sailor, cook'])
  assert.equal((await change({ traits: { luck: null, nerve: 4 } })).status, 200)
  assert.deepEqual(faultsOf(await change({ traits: { body: 3 } })), ['sheet Nerve and body together are at most six.'])
  assertProblem(await player.post(`${C}/characters/${hero}/adjust`, { traits: { body: 1 } }), 400)
  assertProblem(await player.post(`${C}/characters`, { name: 'Other', traits: { nerve: 6 } }), 400)
  assert.equal((await player.post(`${C}/characters`, { name: 'Beginner' })).status, 201)
  await teller.make(`${C}/experience/awards`, { amount: 10, reason: 'Play', user_ids: [player.id] })
  assertProblem(
    await player.post(`${C}/experience/spends`, { amount: 1, reason: 'x', character_id: hero, trait: { name: 'body', to: 3 } }),
    400,
  )
  const { body } = await player.get(`${C}/characters/${hero}?include=sheet`)
  assert.deepEqual(
    (body as never as { sheet: Sheet }).sheet.faults.map(({ field, level }) => [field, level]),
    [
      ['choices.job', 'ERROR'],
      ['sheet', 'WARNING'],
    ],
  )
  replyOf(await pin(version.id, { mode: 'ADVISORY', accept_faults: true }))
  assert.equal((await change({ traits: { body: 9, wits: 1 } })).status, 200)
})

test('a newer version carries sheets over, one version at a time, and another ruleset changes nothing', async () => {
  const { pin, version, publish, player, base, key, C } = await newRuledTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { nerve: 2, body: 2 }, choices: { job: 'cook' } })
  const other = await player.make(`${C}/characters`, { name: 'Other', choices: { job: 'cook' } })
  replyOf(await pin(version.id))
  await player.put(`${C}/characters/${hero}/conditions/wounded`, { level: 1 })
  const renamed = game({
    traits: { courage: { group: 'stats' }, body: { group: 'stats', default: 1 } },
    derived: {},
    conditions: { hurt: { most: 3 } },
    checks: [],
    upgrade: { rename: { nerve: 'courage', wounded: 'hurt', 'job.cook': 'job.chef' } },
    choices: { job: { options: { sailor: {}, chef: {} } } },
  })
  const second = await publish(renamed, version.ruleset_id)
  const third = await publish({ ...renamed, upgrade: { convert: { courage: 'courage * 2' } } }, version.ruleset_id)
  assert.equal(replyOf(await pin(third.id, { dry_run: true })).report.changed, 2)
  const before = (await player.get(`${C}/characters/${other}`)).body.version
  const { report } = replyOf(await pin(third.id))
  assert.deepEqual([report.characters, report.changed, report.unfit], [2, 2, 0])
  const row = (await player.get(`${C}/characters/${hero}`)).body as never as Record<string, unknown>
  assert.deepEqual([row.traits, row.choices, row.conditions], [{ courage: 4, body: 2 }, { job: 'chef' }, { hurt: 1 }])
  assert.equal((await player.get(`${C}/characters/${other}`)).body.version, before + 1)
  const types = ((await call('GET', `${base}/audit-logs?limit=100`, { key })).body.items as never as { type: string }[]).map(
    ({ type }) => type,
  )
  assert.equal(types.filter((type) => type === 'character.migrated').length, 2)
  // Back to an earlier version: everything stays, and what does not fit is shown.
  const back = replyOf(await pin(second.id))
  assert.deepEqual([back.report.changed, back.report.unfit], [0, 0])
  assertConflict(await pin(version.id), 'characters_unfit')
})

test('a campaign chooses a published version of its own company, and keeps it whatever becomes of it', async () => {
  const { pin, version, send, teller, player, C } = await newRuledTable()
  const draft = (await send('POST', `/rulesets/${version.ruleset_id}/versions`, { document: game() })).body.id
  assertConflict(await pin(draft), 'version_not_published')
  const elsewhere = await newRuledTable()
  assertProblem(await pin(elsewhere.version.id), 404)
  assertProblem(await player.put(`${C}/ruleset`, { version_id: version.id }), 403)
  replyOf(await pin(version.id))
  assertConflict(await send('DELETE', `/rulesets/${version.ruleset_id}`), 'ruleset_in_use')
  await send('POST', `/rulesets/${version.ruleset_id}/versions/${version.id}/retire`)
  replyOf(await pin(version.id, { mode: 'ADVISORY' }))
  await teller.delete(`${C}/ruleset`)
  assertConflict(await pin(version.id), 'version_not_published')
  assert.equal((await send('DELETE', `/rulesets/${version.ruleset_id}`)).status, 204)
  assertProblem(await pin(version.id), 404)
})

test('while the ruleset changes, every other write comes before or after it', async () => {
  const { pin, version, publish, player, C } = await newRuledTable()
  const heroes = await times(5, (i) =>
    player.make(`${C}/characters`, { name: `Hero ${i}`, traits: { nerve: 1 }, choices: { job: 'cook' } }),
  )
  const second = await publish(
    game({
      traits: { courage: { group: 'stats' }, body: { group: 'stats' } },
      derived: {},
      checks: [],
      upgrade: { rename: { nerve: 'courage' } },
    }),
    version.ruleset_id,
  )
  replyOf(await pin(version.id))
  const replies = await Promise.all([
    times(8, (i) => pin(i % 2 ? second.id : version.id, { accept_faults: true }, i)),
    times(30, (i) => player.patch(`${C}/characters/${heroes[i % 5]}`, { traits: { nerve: 2 } }, {}, twoApps[i % 2] as never)),
    times(10, (i) => player.post(`${C}/characters`, { name: `New ${i}`, traits: { nerve: 1 } }, {}, twoApps[i % 2] as never)),
  ])
  for (const reply of replies.flat()) assert.ok([200, 201, 400].includes(reply.status), reply.text)
  replyOf(await pin(version.id, { accept_faults: true }))
  replyOf(await pin(second.id, { accept_faults: true }))
  const { items } = (await player.get(`${C}/characters?limit=100`)).body as never as { items: { traits: Record<string, number> }[] }
  for (const { traits } of items) assert.ok(!('nerve' in traits), JSON.stringify(traits))
})

test('the sheet of another reader has only what they see', async () => {
  const { pin, version, teller, player, other, C } = await newRuledTable(game({ derived: { both: { formula: 'health + tide' } } }))
  replyOf(await pin(version.id))
  const npc = await teller.make(`${C}/characters`, { name: 'NPC', type: 'NPC' })
  for (const [path, value, visibility] of [
    [`${C}/characters/${npc}/trackers/health`, 1, 'NAME_ONLY'],
    [`${C}/trackers/tide`, 7, 'STORYTELLER'],
  ] as const) {
    assert.equal((await teller.patch(path, { visibility })).status, 200)
    assert.equal((await teller.post(`${path}/adjust`, { to: value })).status, 200)
  }
  const sumFor = async (person: typeof player, id: string) => {
    const { body } = await person.get(`${C}/characters/${id}?include=sheet`)
    return (body as never as { sheet: { derived: { both: number } } | null }).sheet?.derived.both
  }
  assert.equal(await sumFor(teller, npc), 8)
  assert.equal(await sumFor(player, npc), 6)
  const mine = await player.make(`${C}/characters`, { name: 'Mine', sheet_visibility: 'PLAYER', choices: { job: 'cook' } })
  assert.equal(await sumFor(other, mine), undefined)
  assert.equal(await sumFor(player, mine), 6)
  const hidden = (await other.get(`${C}/characters/${mine}`)).body as never as Record<string, unknown>
  assert.deepEqual([hidden.traits, hidden.choices, hidden.conditions], [null, null, null])
  assertProblem(await other.put(`${C}/characters/${mine}/conditions/wounded`, { level: 1 }), 404)
})

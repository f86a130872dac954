import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Die } from '@guildhall/dice/evaluate'
import { compileRuleset, type Ruleset } from '@guildhall/rules/ruleset/compile'
import { judgeOf } from '@guildhall/rules/ruleset/judge'
import { twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, db } from '../../../test/harness.ts'
import { assertConflict } from '../../../test/problems.ts'
import { newRuledTable, ruledOf } from '../../../test/ruled-table.ts'
import { sql } from '../../db/sql.ts'

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const rulesetOf = (pack: string) =>
  compileRuleset(JSON.parse(readFileSync(new URL(`../../../../packs/${pack}.json`, import.meta.url), 'utf8'))).ruleset as Ruleset

/** Judges the dice of a reply with the values that it states. */
function judgedAgain(pack: string, { body }: Answer) {
  const { ruleset, dice, total } = body as unknown as { ruleset: ReturnType<typeof ruledOf>; dice: Die[]; total: number }
  const again = judgeOf(rulesetOf(pack), ruleset) ?? assert.fail()
  return { notation: again.notation, ...again.judge(dice, total) }
}

const GAMES: [pack: string, roll: string, sheet: object, inputs: object, notation: string][] = [
  ['d10-pool', 'test', { traits: { might: 3, fighting: 2 } }, { attribute: 'might', skill: 'fighting', difficulty: 7 }, '5d10'],
  ['srd-5.2', 'check', { traits: { strength: 16 }, choices: { class: 'fighter' } }, { difficulty: 12 }, '1d20'],
  ['srd-5.2', 'attack', { traits: { strength: 16 }, choices: { class: 'fighter' } }, { armor: 15, mode: 'advantage' }, '2d20kh1'],
  ['srd-5.2', 'attack', { traits: { strength: 16 }, choices: { class: 'fighter' } }, { armor: 15, mode: 'disadvantage' }, '2d20kl1'],
  ['srd-5.2', 'hit_die', { traits: { constitution: 14 }, choices: { class: 'fighter' } }, {}, '1d10'],
  ['fate-core', 'action', { traits: { fight: 3 } }, { skill: 'fight', opposition: 2 }, '4dF'],
  ['action-dice', 'action', { traits: { prowl: 2 } }, { action: 'prowl', extra: 1 }, '3d6'],
  ['action-dice', 'resist', {}, {}, '2d6'],
]

test('every pack can be rolled, and the result is that of its ruleset for the dice that fell', async () => {
  for (const [pack, roll, sheet, inputs, notation] of GAMES) {
    const { player, H, version_id } = await newRuledTable(pack, sheet)
    for (let i = 0; i < 4; i++) {
      const rolled = await player.post(`${H}/rolls/${roll}`, { inputs, comment: 'Try' })
      assert.equal(rolled.status, 201, rolled.text)
      const { body } = rolled
      assert.match(String(rolled.headers.location), new RegExp(`/users/${player.id}/dice-rolls/${body.id}$`))
      const ruled = ruledOf(rolled)
      const { score, margin, code, label, outcome, isStrained, notation: again } = judgedAgain(pack, rolled)
      assert.deepEqual([ruled.score, ruled.margin, ruled.code, ruled.label], [score, margin, code, label])
      assert.deepEqual([body.margin, body.outcome, body.strained, body.notation], [margin, outcome, isStrained, notation])
      assert.deepEqual([ruled.version_id, ruled.roll, again], [version_id, roll, notation])
      assert.ok(String(body.text).endsWith(`, ${label ?? code}`), String(body.text))
      assert.deepEqual((await player.get(`/dice-rolls/${body.id}`)).body, body)
    }
  }
})

test('the roll keeps the answers with defaults, every value that was read, and its traits for statistics', async () => {
  const { player, C, H } = await newRuledTable('d10-pool', { traits: { might: 3, fighting: 2 } })
  const rolled = await player.post(`${H}/rolls/test`, { inputs: { attribute: 'might', skill: 'fighting' } })
  assert.deepEqual(ruledOf(rolled).inputs, { attribute: 'might', skill: 'fighting', modifier: 0, difficulty: 6, desperate: 0 })
  assert.deepEqual(ruledOf(rolled).values, {
    ...{ might: 3, fighting: 2, wound_penalty: 0, shaken: 0, 'campaign.desperation': 0 },
    ...{ effort: 0, pool: 5, dread: 0 },
  })
  assert.deepEqual(rolled.body.values, [
    { name: 'might', value: 3, source: 'TRAIT' },
    { name: 'fighting', value: 2, source: 'TRAIT' },
  ])
  await player.post(`${H}/rolls/test`, { inputs: { attribute: 'might' }, visibility: 'STORYTELLER' })
  const { code } = ruledOf(rolled)
  const found = await player.get(`/dice-rolls?code=${code}`)
  assert.ok(found.body.items.length > 0 && found.body.items.every((one) => ruledOf({ body: one } as never).code === code))
  assert.equal((await player.get('/dice-rolls?code=nothing')).body.total, 0)
  const plain = await player.post('/dice-rolls', { notation: '1d6', campaign_id: C.slice('/campaigns/'.length) })
  assert.equal((plain.body as unknown as { ruleset: null }).ruleset, null)
})

test('spends move trackers with the roll, or nothing happens', async () => {
  const { player, H, track, trackerValue, nonceOf } = await newRuledTable('fate-core', { traits: { fight: 3 } })
  await track('fate_points', 3)
  const invoke = (invokes: number) => player.post(`${H}/rolls/action`, { inputs: { skill: 'fight' }, spends: { invokes } })
  const rolled = await invoke(2)
  assert.equal(rolled.status, 201, rolled.text)
  assert.equal(ruledOf(rolled).values.invokes, 2)
  assert.equal(ruledOf(rolled).score, (rolled.body.total as number) + 3 + 4)
  assert.equal(await trackerValue('fate_points'), 1)
  const nonce = await nonceOf()
  assertConflict(await invoke(2), 'tracker_exhausted')
  assert.deepEqual([await trackerValue('fate_points'), await nonceOf()], [1, nonce])
  assert.equal((await invoke(1)).status, 201)
  assertConflict(await invoke(1), 'tracker_exhausted')
  assert.deepEqual([await trackerValue('fate_points'), await nonceOf()], [0, nonce + 1])
  assert.equal((await invoke(0)).status, 201)
})

test('of many rolls at once that pay with the same tracker, exactly as many succeed as it can pay', async () => {
  const { player, H, track, trackerValue, nonceOf } = await newRuledTable('fate-core', { traits: { fight: 3 } })
  await track('fate_points', 7)
  const before = await nonceOf()
  const body = { inputs: { skill: 'fight' }, spends: { invokes: 1 } }
  const replies = await times(30, (i) => player.post(`${H}/rolls/action`, body, {}, twoApps[i % 2] as never))
  assert.equal(replies.filter(({ status }) => status === 201).length, 7)
  for (const reply of replies.filter(({ status }) => status !== 201)) assertConflict(reply, 'tracker_exhausted')
  assert.deepEqual([await trackerValue('fate_points'), await nonceOf()], [0, before + 7])
})

test('a payment may also raise a tracker, up to its maximum', async () => {
  const { player, H, track, trackerValue } = await newRuledTable('action-dice', { traits: { prowl: 1 } })
  await track('stress', 7)
  const push = () => player.post(`${H}/rolls/action`, { inputs: { action: 'prowl' }, spends: { push: 1 } })
  const pushed = await push()
  assert.equal(pushed.body.notation, '2d6')
  const request_id = pushed.headers['x-request-id'] as string
  const events = await db.query<{ type: string }>(sql`SELECT type FROM events WHERE request_id = ${request_id} ORDER BY id`)
  assert.deepEqual(events.map(({ type }) => type).sort(), ['dice_roll.created', 'tracker.adjusted', 'tracker.filled'])
  assertConflict(await push(), 'tracker_exhausted')
  assert.equal(await trackerValue('stress'), 9)
})

test('answers that do not fit are rejected with their field, and nothing is rolled', async () => {
  const { player, H, nonceOf } = await newRuledTable('d10-pool', { traits: { might: 3 } })
  const before = await nonceOf()
  const attribute = 'might'
  const cases: [body: unknown, field: RegExp][] = [
    [{}, /^inputs\.attribute$/],
    [{ inputs: {} }, /^inputs\.attribute$/],
    [{ inputs: { attribute: 'fighting' } }, /^inputs\.attribute$/],
    [{ inputs: { attribute: 7 } }, /^inputs\.attribute$/],
    [{ inputs: { attribute: ['might'] } }, /^inputs\.attribute$/],
    [{ inputs: { attribute: null } }, /^inputs/],
    [{ inputs: { attribute, skill: 'might' } }, /^inputs\.skill$/],
    [{ inputs: { attribute, difficulty: 'six' } }, /^inputs\.difficulty$/],
    [{ inputs: { attribute, difficulty: 1 } }, /^inputs\.difficulty$/],
    [{ inputs: { attribute, difficulty: 11 } }, /^inputs\.difficulty$/],
    [{ inputs: { attribute, difficulty: 6.5 } }, /^inputs\.difficulty$/],
    [{ inputs: { attribute, luck: 1 } }, /^inputs\.luck$/],
    [{ inputs: { attribute, constructor: 1 } }, /^inputs\.constructor$/],
    [{ inputs: { attribute: 'constructor' } }, /^inputs\.attribute$/],
    [{ inputs: { attribute: 'toString' } }, /^inputs\.attribute$/],
    ['{"inputs":{"attribute":"might","__proto__":1}}', /^inputs/],
    [{ inputs: { attribute }, spends: { effort: 4 } }, /^spends\.effort$/],
    [{ inputs: { attribute }, spends: { effort: -1 } }, /^spends\.effort$/],
    [{ inputs: { attribute }, spends: { effort: 'one' } }, /^spends\.effort$/],
    [{ inputs: { attribute }, spends: { constructor: 1 } }, /^spends\.constructor$/],
    [{ inputs: { attribute }, spends: { health: 1 } }, /^spends\.health$/],
    [{ inputs: 'might' }, /^inputs$/],
    [{ inputs: { attribute }, visibility: 'OPEN' }, /^visibility$/],
  ]
  for (const [body, field] of cases) {
    const sent = typeof body === 'string' ? JSON.parse(body) : body
    for (const path of [`${H}/rolls/test`, ...('visibility' in sent ? [] : [`${H}/rolls/test/odds`])]) {
      const reply = await player.post(path, sent)
      assertProblem(reply, 400)
      assert.ok(
        reply.body.invalid_parameters?.some((fault) => field.test(fault.field)),
        `${JSON.stringify(body)}: ${reply.text}`,
      )
    }
  }
  assert.equal(await nonceOf(), before)
})

const game = (rolls: object, rest: object = {}) => ({
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 2000 } },
  traits: { nerve: { group: 'stats' } },
  rolls,
  ...rest,
})
const ANY = [{ code: 'done' }]

test('too many dice, no dice, and names that are no rolls', async () => {
  const rolls = {
    swarm: { dice: { all: '{nerve}d6' }, outcomes: ANY },
    luck: { dice: { all: '2d6!' }, outcomes: ANY },
    crowd: { dice: { all: '60d10' }, outcomes: ANY },
  }
  const { player, teller, other, H, C, nonceOf } = await newRuledTable(game(rolls))
  const before = await nonceOf()
  assertProblem(await player.post(`${H}/rolls/swarm`, {}), 400)
  await player.patch(H, { traits: { nerve: 1500 } })
  const many = await player.post(`${H}/rolls/swarm`, {})
  assertProblem(many, 400)
  assert.deepEqual(
    many.body.invalid_parameters?.map(({ field }) => field),
    ['inputs'],
  )
  assert.equal(await nonceOf(), before)
  for (const path of ['rolls/nothing', 'rolls/constructor', 'rolls/nothing/odds', 'rolls/No', 'rolls/__proto__']) {
    const missing = await player.post(`${H}/${path}`, {})
    assertProblem(missing, 404)
    assert.equal(missing.body.detail, 'Roll not found')
  }
  for (const [roll, reason] of [
    ['luck', /explode/],
    ['crowd', /100,000 combinations/],
  ] as const) {
    const refused = await player.post(`${H}/rolls/${roll}/odds`, {})
    assertProblem(refused, 400)
    assert.match(refused.text, reason)
    assert.equal((await player.post(`${H}/rolls/${roll}`, {})).status, 201)
  }
  for (const path of ['rolls/luck', 'rolls/luck/odds']) {
    const denied = await other.post(`${H}/${path}`, {})
    assertProblem(denied, 403)
    assert.equal((denied.body as unknown as { reason: string }).reason, 'not_your_character')
  }
  assert.equal((await teller.post(`${H}/rolls/luck`, {})).status, 201)
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  for (const reply of [
    await player.post(`${H}/rolls/luck`, {}),
    await player.post(`${H}/rolls/luck/odds`, {}),
    await player.get(`${H}/rolls`),
  ])
    assertConflict(reply, 'no_ruleset')
})

test('the rolls of the ruleset are listed with what they ask for', async () => {
  const { other, H } = await newRuledTable('srd-5.2', { traits: { constitution: 14 }, choices: { class: 'fighter' } })
  const { body, status } = await other.get(`${H}/rolls`)
  assert.equal(status, 200)
  const items = body.items as unknown as { id: string; label: string; inputs: object; spends: object; notation: string | null }[]
  assert.deepEqual(
    items.map(({ id, label, notation }) => [id, label, notation]),
    [
      ['check', 'Ability check', '1d20'],
      ['attack', 'Attack roll', null],
      ['hit_die', 'Spend a Hit Point Die', '1d10'],
    ],
  )
  const { document } = rulesetOf('srd-5.2')
  assert.deepEqual(items[1]?.inputs, document.rolls?.attack?.inputs)
  assert.deepEqual(items[2]?.spends, document.rolls?.hit_die?.spends)
})

interface Odds {
  notation: string
  outcomes: { code: string; probability: number }[]
  scores: { score: number; probability: number }[]
}

test('odds are exact, add up to 1, and those of a d10 pool equal those of the pool engine', async () => {
  const { player, H, base, key } = await newRuledTable('d10-pool', { traits: { might: 3, fighting: 3 } })
  const inputs = { attribute: 'might', skill: 'fighting', difficulty: 6 }
  const { status, body, text } = await player.post(`${H}/rolls/test/odds`, { inputs })
  assert.equal(status, 200, text)
  const { notation, outcomes, scores } = body as unknown as Odds
  assert.equal(notation, '6d10')
  for (const all of [outcomes, scores]) assert.ok(Math.abs(all.reduce((sum: number, { probability }) => sum + probability, 0) - 1) < 1e-9)
  const pool = await call('POST', `${base}/dice/odds`, { key, body: { pool: { dice: 6, difficulty: 6 } } })
  const expected = pool.body as unknown as {
    outcomes: { outcome: string; probability: number }[]
    results: { value: number; probability: number }[]
  }
  const codeOf: Record<string, string> = { BOTCH: 'botch', FAILURE: 'failure', SUCCESS: 'success', CRITICAL: 'triumph' }
  for (const { outcome, probability } of expected.outcomes) {
    const found = outcomes.find(({ code }) => code === codeOf[outcome])
    assert.ok(Math.abs((found?.probability ?? 0) - probability) < 1e-9, outcome)
  }
  assert.deepEqual(
    scores.map(({ score }) => score),
    expected.results.map(({ value }) => value),
  )
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DiceRoll, Proof } from '../src/resources/dice-rolls/schema.ts'
import { call } from './harness.ts'
import { root } from './markdown.ts'
import { newRuledTable, type Ruled } from './ruled-table.ts'
import { newFolder } from './service.ts'

const script = join(root, 'examples/verify-roll/verify_named_roll.py')
const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on this machine'
const folder = newFolder()
mkdirSync(folder, { recursive: true })

interface NamedRoll {
  document: object
  roll: DiceRoll & { ruleset: Ruled }
  proof: Proof
}

/** Runs the script as a stranger does, with three files. */
function verify({ document, roll, proof }: NamedRoll) {
  const files = Object.entries({ document, roll, proof }).map(([name, value]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(value))
    return file
  })
  return spawnSync('python3', ['-B', script, ...files], { encoding: 'utf8' })
}

type Request = [roll: string, inputs?: object, spends?: object]
const lamplight: object = JSON.parse(readFileSync(join(root, 'examples/rulesets/lamplight.json'), 'utf8'))
const fighter = { traits: { strength: 16, dexterity: 9, athletics: 1, level: 5 }, choices: { class: 'fighter' } }
const GAMES: [game: string | object, sheet: object, requests: Request[]][] = [
  [
    'd10-pool',
    { traits: { might: 4, fighting: 3, focus: 3, poise: 2 } },
    [
      ['test', { attribute: 'might', skill: 'fighting' }],
      ['test', { attribute: 'might', difficulty: 9, modifier: -3 }],
      ['test', { attribute: 'focus', skill: 'fighting', desperate: 2 }, { effort: 1 }],
    ],
  ],
  [
    'srd-5.2',
    fighter,
    [
      ['check', { skill: 'athletics', difficulty: 15 }],
      ['check', { ability: 'dex', mode: 'advantage' }],
      ['check', { ability: 'wis', mode: 'disadvantage', bonus: -2 }],
      ['attack', { armor: 13, mode: 'advantage' }],
      ['attack', { armor: 18, ability: 'dex' }],
      ['hit_die', {}, { dice: 2 }],
    ],
  ],
  [
    'fate-core',
    { traits: { fight: 3, will: 1 } },
    [
      ['action', { skill: 'fight', opposition: 2 }, { invokes: 1 }],
      ['action', { bonus: 1 }],
    ],
  ],
  [
    'action-dice',
    { traits: { prowl: 2, wreck: 1 } },
    [
      ['action', { action: 'prowl' }, { push: 1 }],
      ['action', { action: 'sway' }],
      ['resist', {}],
    ],
  ],
  [
    lamplight,
    { traits: { brawling: 60, vigor: 70, fortune: 40 }, choices: { calling: 'constable' } },
    [
      ['test', { ability: 'brawling', grade: 'hard' }, { fortunate: 1 }],
      ['test', { ability: 'vigor', footing: 'favorable' }],
      ['nerve'],
      ['blow', { weapon: 'blade' }],
    ],
  ],
]

/** Rolls everything, changes the sheet, and reveals the seed. */
async function provenRolls(game: string | object, sheet: object, requests: Request[]): Promise<NamedRoll[]> {
  const { base, key, player, teller, C, H, ruleset_id, version_id } = await newRuledTable(game, sheet)
  assert.equal((await teller.patch(C, { desperation: 3 })).status, 200)
  const ids: string[] = []
  for (const [roll, inputs = {}, spends = {}] of requests) {
    const rolled = await player.post(`${H}/rolls/${roll}`, { inputs, spends })
    assert.equal(rolled.status, 201, rolled.text)
    ids.push(rolled.body.id)
  }
  const [trait = ''] = Object.keys((sheet as { traits: object }).traits)
  assert.equal((await teller.patch(H, { traits: { [trait]: 1 } })).status, 200)
  assert.equal((await teller.post(`${C}/dice-seed/rotate`)).status, 200)
  const document = (await call('GET', `${base}/rulesets/${ruleset_id}/versions/${version_id}/document`, { key })).body
  const read = async (id: string) => ({
    roll: (await player.get(`/dice-rolls/${id}`)).body as unknown as NamedRoll['roll'],
    proof: (await player.get(`/dice-rolls/${id}/proof`)).body as unknown as Proof,
  })
  return Promise.all(ids.map(async (id) => ({ document, ...(await read(id)) })))
}

test('a script of another language derives dice, score, margin and code of named rolls from document, roll and proof', {
  skip,
}, async () => {
  assert.ok(readFileSync(script, 'utf8').trimEnd().split('\n').length < 150)
  for (const [game, sheet, requests] of GAMES)
    for (const named of await provenRolls(game, sheet, requests)) {
      const { status, stdout, stderr } = verify(named)
      assert.equal(status, 0, stderr)
      const { score, margin, code } = named.roll.ruleset
      const dice = named.roll.dice.map(({ value }) => value)
      assert.deepEqual(JSON.parse(stdout), { dice, score, margin, code })
    }
})

test('the script finds every part of a roll that is not true', { skip }, async () => {
  const [game, sheet, [request]] = GAMES[0] as (typeof GAMES)[0]
  const [named] = await provenRolls(game, sheet, [request as Request])
  const { document, roll, proof } = named ?? assert.fail()
  const ruled = (changes: Partial<Ruled>) => ({ document, proof, roll: { ...roll, ruleset: { ...roll.ruleset, ...changes } } })
  const { values, inputs, score, margin } = roll.ruleset
  const wrong: Record<string, NamedRoll> = {
    score: ruled({ score: (score ?? 0) + 1 }),
    margin: ruled({ margin: (margin ?? 0) + 1 }),
    code: ruled({ code: 'nothing' }),
    'a value of the sheet': ruled({ values: { ...values, might: 5 } }),
    'a value of the roll': ruled({ values: { ...values, pool: 8 } }),
    input: ruled({ inputs: { ...inputs, modifier: 1 } }),
    dice: { document, proof, roll: { ...roll, dice: roll.dice.map((die, i) => (i ? die : { ...die, value: (die.value % 10) + 1 })) } },
    notation: { document, proof, roll: { ...roll, notation: '8d10' } },
    seed: { document, roll, proof: { ...proof, server_seed: '00'.repeat(32) } },
    nonce: { document, roll, proof: { ...proof, nonce: proof.nonce + 1 } },
    'another roll': { document, roll, proof: { ...proof, roll_id: '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01' } },
  }
  assert.equal(verify({ document, roll, proof }).status, 0)
  for (const [name, changed] of Object.entries(wrong)) {
    const { status, stderr } = verify(changed)
    assert.deepEqual([status, /AssertionError/.test(stderr)], [1, true], `${name}: ${stderr}`)
  }
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { drawFrom } from '@guildhall/dice/draw'
import { type Die, evaluate, type Flag } from '@guildhall/dice/evaluate'
import { commitmentOf, wordsOf } from '@guildhall/dice/node-crypto'
import { countsSuccesses, parse } from '@guildhall/dice/notation'
import { verifyRoll } from '@guildhall/dice/verify'
import type { DiceRoll, Proof } from '../src/resources/dice-rolls/schema.ts'
import { newGameTable } from './game-table.ts'
import { guildhall, newFolder } from './service.ts'

const NOTATIONS = [
  '4d6kh3+2',
  '12d10>=7f1',
  '5d6!',
  '3d6!o',
  '8d6r<=2',
  '2d6ro=1',
  '(2d6+3)*2',
  '5d10 + 2d8',
  '20d%',
  '9dF',
  '3d10000',
  '7',
  '4d6dl1 - 2dF + d%',
  '6dF>=0f=-1',
  '2d6[cold fire] - 1d4[ a - b ] + (3+d8)[x]*2',
  'floor(3d6/2) - ceil((2d6-20)/3) + round(-5d4/2)',
  '5d20mi10kh2 + 4d6ma4dl1 - 3d6!mi2',
  '12d10>=7f2mi2ma9ro<=3',
  '8d6>=5!o',
  '3d20kl1 + 5',
  '2d20dl1mi15[attack] - d4',
]

/** Creates rolls, reveals their seed, and returns them with their proofs. */
async function proven() {
  const { player, teller, campaign_id, C } = await newGameTable()
  await teller.patch(C, { desperation: 3 })
  const character_id = await player.make(`${C}/characters`, { name: 'Hero', traits: { strength: 3, dex_mod: -1, gone: -9 } })
  await player.put(`${C}/characters/${character_id}/trackers/hunger`, { value: 2, maximum: 5 })
  const pool = { dice: 6, difficulty: 6 }
  const bodies = [
    ...NOTATIONS.map((notation) => ({ notation })),
    { pool: { dice: 7, difficulty: 6, modifier: -2, desperation_dice: 3 } },
    { pool: { dice: 40, sides: 1000 }, client_seed: 'my-own_SEED' },
    { notation: '1d20+5', target: 15 },
    { notation: '3d6', target: 10, compare: 'AT_MOST' },
    { notation: '6d10>=7f1', target: 2 },
    ...Array.from({ length: 4 }, () => ({ notation: '2d20kh1+{dex_mod}', target: 12, naturals: true, character_id })),
    { notation: '{strength}d6[blade]-{dex_mod}+{bonus}', values: { bonus: 2 }, character_id },
    { notation: '1d8+{hunger.max}-{nothing}', missing: 'ZERO', character_id },
    { pool: { traits: ['strength', 'hunger'], difficulty: 7 }, character_id },
    { pool: { dice: 5, sides: 6 }, target: 15 },
    { pool: { ...pool, difficulty: undefined, success: 8 } },
    { pool: { ...pool, double: [] } },
    { pool: { ...pool, double: [8, 9, 10] } },
    { pool: { ...pool, ones: 'IGNORE' } },
    { pool: { ...pool, again: [8, 9, 10] } },
    { pool: { ...pool, needed: 3 } },
    { pool: { ...pool, special: { count: 'hunger', label: 'Hunger' } }, character_id },
    { pool: { ...pool, special: { count: 9 }, desperation_dice: 2, again: [1] } },
    { pool: { traits: ['gone'], difficulty: 7, chance: true }, character_id },
    { pool: { dice: 1, modifier: -3, difficulty: 7, chance: true, desperation_dice: 1 } },
    { notation: '4d6kh3', repeat: 6 },
    {
      rolls: [
        { label: 'Hit', notation: '1d20+{strength}', target: 14, naturals: true },
        { label: 'Damage', notation: '2d6[fire]' },
      ],
      character_id,
    },
    { rolls: [{ pool: { ...pool, needed: 2 } }, { notation: 'd%', target: 40, compare: 'AT_MOST' }], repeat: 2 },
  ]
  const rolls = []
  for (const body of bodies) {
    const reply = await player.post('/dice-rolls', { ...body, campaign_id })
    assert.equal(reply.status, 201, `${JSON.stringify(body)}: ${reply.text}`)
    rolls.push(...(reply.body.items ?? [reply.body]))
  }
  await teller.post(`${C}/dice-seed/rotate`)
  const pairs = []
  for (const roll of rolls) pairs.push({ roll, proof: (await player.get(`/dice-rolls/${roll.id}/proof`)).body })
  return pairs as unknown as { roll: DiceRoll; proof: Proof }[]
}

const pairs = await proven()
const faultsOf = async (proof: unknown, roll?: unknown) => (await verifyRoll(proof, roll)).faults

test('every kind of roll can be recomputed from its proof', async () => {
  for (const { roll, proof } of pairs) assert.deepEqual(await faultsOf(proof, roll), [], JSON.stringify(roll))
})

test('tampering is detected', async () => {
  // Other seeds cannot happen to give the same faces of these dice.
  const { roll, proof } = pairs.find((pair) => pair.roll?.notation === '20d%') ?? assert.fail()
  const other = '00'.repeat(32)
  assert.deepEqual(await faultsOf({ ...proof, server_seed: null }), ['The seed is not revealed yet. Rotate it, and get the proof again.'])
  assert.match((await faultsOf({ ...proof, server_seed: other })).join(), /does not match the commitment.*words do not follow/)
  assert.match((await faultsOf({ ...proof, nonce: proof.nonce + 1 })).join(), /words do not follow/)
  assert.match((await faultsOf({ ...proof, client_seed: 'another' }, roll)).join(), /dice do not follow/)
  const dice = roll?.dice.map((die, i) => (i === 0 ? { ...die, value: (die.value % 6) + 1 } : die)) ?? []
  assert.deepEqual(await faultsOf(proof, roll && { ...roll, dice }), ['The dice do not follow from the words.'])
  assert.deepEqual(await faultsOf(proof, pairs[0]?.roll), ['The proof belongs to another roll.'])
  assert.match((await faultsOf({ ...proof, words: [] }, roll)).join(), /dice do not follow/)
  assert.deepEqual(await faultsOf(proof, roll && { ...roll, total: 99 }), ['The result does not follow from the dice.'])
  const sorted = roll && { ...roll, dice: roll.dice.map(({ value, sides, kind, flags }) => ({ flags, kind, sides, value })) }
  assert.deepEqual(await faultsOf(proof, sorted), [], 'whatever the order of the keys')
})

/** Runs the verifier in Python with all rolls at once, because starting it is slow. Returns one line for each, or throws with its reason. */
function verifyInPython(...given: { proof: unknown; roll?: unknown }[]): string[] {
  const script = new URL('./verify_roll.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync('python3', ['-B', script], { input: JSON.stringify(given), encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim().split('\n')
}
const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on this machine'

test('an independent verifier, written in Python from docs/fairness.md, agrees', { skip }, () => {
  assert.deepEqual(
    verifyInPython(...pairs),
    pairs.map((pair) => `holds ${pair.roll?.dice.length}`),
  )
  const [{ roll, proof } = assert.fail()] = pairs
  assert.throws(() => verifyInPython({ roll, proof: { ...proof, nonce: 99 } }), /AssertionError/)
})

const server_seed = Buffer.alloc(32, 9)

/** Rolls a notation without the service, and returns the roll with its proof. */
function provenAlone(notation: string, nonce: number) {
  const source = { server_seed, client_seed: 'alone', nonce }
  const draw = drawFrom(wordsOf(source))
  const term = parse(notation, { earlier: true })
  const { dice, value, terms } = evaluate(term, draw)
  const [net, total] = countsSuccesses(term) ? [value, null] : [null, value]
  const words = wordsOf(source)
  const proof = {
    roll_id: 'r',
    seed_id: 's',
    commitment: commitmentOf(server_seed),
    client_seed: 'alone',
    nonce,
    words: Array.from({ length: draw.used }, () => words.next().value),
    server_seed: server_seed.toString('hex'),
  }
  return {
    proof,
    roll: {
      id: 'r',
      notation,
      pool: null,
      dice,
      terms,
      net,
      total,
      target: null,
      compare: null,
      naturals: false,
      margin: null,
      outcome: null,
      settlement: null,
    },
  }
}

test('both verifiers compare terms, counted values and natural faces', { skip }, async () => {
  const alone = NOTATIONS.map((notation, i) => provenAlone(notation, i + 1))
  const naturals = Array.from({ length: 200 }, (_, i) => provenAlone('2d20kh1mi5[attack] + d4', i + 100))
  const showing = (flag: Flag) => naturals.find(({ roll }) => roll.dice.some(({ flags }) => flags.includes(flag))) ?? assert.fail(flag)
  const [max, min, adjusted] = [showing('natural_max'), showing('natural_min'), showing('adjusted')]
  // A text of an earlier version, and dice that use up all the room for explosions.
  const others = [provenAlone('9d6!>=5', 1), provenAlone('900d2!r=1+2d6!', 2)]
  type Pair = typeof max
  const changed = ({ proof, roll }: Pair, change: (die: Die, i: number) => Die): Pair => ({
    proof,
    roll: { ...roll, dice: roll.dice.map(change) },
  })
  const without = ({ flags, ...die }: Die, gone: RegExp): Die => ({ ...die, flags: flags.filter((flag) => !gone.test(flag)) })
  const wrong = [
    changed(max, (die) => without(die, /^natural/)),
    changed(min, (die) => without(die, /^natural/)),
    changed(adjusted, (die) => without(die, /^adjusted/)),
    changed(adjusted, ({ counts_as: _, ...die }) => die),
    changed(adjusted, (die) => ({ ...die, term: 1 })),
    { proof: max.proof, roll: { ...max.roll, total: (max.roll.total ?? 0) + 1 } },
  ]
  const right = [...alone, max, min, adjusted, ...others, changed(max, ({ term: _, ...die }) => without(die, /^natural/))]
  for (const { proof, roll } of wrong) assert.equal((await faultsOf(proof, roll)).length, 1)
  for (const { proof, roll } of right) assert.deepEqual(await faultsOf(proof, roll), [], roll.notation)
  for (const pair of wrong) assert.throws(() => verifyInPython(pair), /AssertionError/)
  assert.deepEqual(
    verifyInPython(...right),
    right.map(({ roll }) => `holds ${roll.dice.length}`),
  )
})

test('guildhall verify-roll checks a proof without the service', async () => {
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  const [{ roll, proof } = assert.fail()] = pairs
  const save = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }
  const files = [save('proof.json', proof), '--roll', save('roll.json', roll)]
  const good = await guildhall(['verify-roll', ...files], env)
  assert.deepEqual([good.code, good.output.startsWith('The proof holds: ')], [0, true], good.output)
  const bad = await guildhall(['verify-roll', save('bad.json', { ...proof, commitment: '00' })], env)
  assert.deepEqual([bad.code, bad.output], [1, 'The seed does not match the commitment.\n'])
  const refusals: [string[], RegExp][] = [
    [[join(folder, 'missing.json')], /cannot be read as JSON/],
    [[save('empty.json', {})], /empty\.json' is not a proof: roll_id is missing\. Get one with GET/],
    [[save('list.json', [])], /list\.json' is not a proof: it is not an object\./],
    [[save('null.json', null)], /null\.json' is not a proof: it is not an object\./],
    [[save('partial.json', { ...proof, words: undefined })], /partial\.json' is not a proof: words is missing\./],
    [[save('roll.json', roll)], /roll\.json' is a roll, not a proof\. .* pass the roll with --roll/],
    [[files[0] as string, '--roll', save('proof.json', proof)], /proof\.json' is not a roll: id is missing\./],
    [[save('hidden.json', { ...proof, server_seed: null })], /The seed is not revealed yet/],
    [
      [files[0] as string, '--roll', save('odd.json', { ...roll, notation: '4d6kh3+', pool: null })],
      /odd\.json' is not a roll: notation is invalid at position 8: .* Get it with GET/,
    ],
  ]
  for (const [args, sentence] of refusals) {
    const { code, output } = await guildhall(['verify-roll', ...args], env)
    assert.deepEqual([code, sentence.test(output), output.split('\n').length], [1, true, 2], `${args}: ${output}`)
  }
})

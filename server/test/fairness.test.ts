import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOf } from '../src/resources/dice-rolls/verify.ts'
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
]

/** Creates rolls, reveals their seed, and returns them with their proofs. */
async function proven() {
  const { player, teller, campaign_id, C } = await newGameTable()
  await teller.patch(C, { desperation: 3 })
  const bodies = [
    ...NOTATIONS.map((notation) => ({ notation })),
    { pool: { dice: 7, difficulty: 6, modifier: -2, desperation_dice: 3 } },
    { pool: { dice: 40, sides: 1000 }, client_seed: 'my-own_SEED' },
  ]
  const rolls = []
  for (const body of bodies) rolls.push((await player.post('/dice-rolls', { ...body, campaign_id })).body)
  await teller.post(`${C}/dice-seed/rotate`)
  const pairs = []
  for (const roll of rolls) pairs.push({ roll, proof: (await player.get(`/dice-rolls/${roll.id}/proof`)).body })
  return pairs as unknown as { roll: Parameters<typeof faultsOf>[1]; proof: Parameters<typeof faultsOf>[0] }[]
}

const pairs = await proven()

test('every kind of roll can be recomputed from its proof', () => {
  for (const { roll, proof } of pairs) assert.deepEqual(faultsOf(proof, roll), [], JSON.stringify(roll))
})

test('tampering is detected', () => {
  const [{ roll, proof } = assert.fail()] = pairs
  const other = '00'.repeat(32)
  assert.deepEqual(faultsOf({ ...proof, server_seed: null }), ['The seed is not revealed yet. Rotate it, and get the proof again.'])
  assert.match(faultsOf({ ...proof, server_seed: other }).join(), /does not match the commitment.*words do not follow/)
  assert.match(faultsOf({ ...proof, nonce: proof.nonce + 1 }).join(), /words do not follow/)
  assert.match(faultsOf({ ...proof, client_seed: 'another' }, roll).join(), /dice do not follow/)
  const dice = roll?.dice.map((die, i) => (i === 0 ? { ...die, value: (die.value % 6) + 1 } : die)) ?? []
  assert.deepEqual(faultsOf(proof, roll && { ...roll, dice }), ['The dice do not follow from the words.'])
  assert.deepEqual(faultsOf(proof, pairs[1]?.roll), ['The proof belongs to another roll.'])
  assert.match(faultsOf({ ...proof, words: [] }, roll).join(), /dice do not follow/)
  assert.deepEqual(faultsOf(proof, roll && { ...roll, total: 99 }), ['The result does not follow from the dice.'])
  const sorted = roll && { ...roll, dice: roll.dice.map(({ value, sides, kind, flags }) => ({ flags, kind, sides, value })) }
  assert.deepEqual(faultsOf(proof, sorted), [], 'whatever the order of the keys')
})

test('an independent verifier, written in Python from docs/fairness.md, agrees', (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('python3 is not on this machine')
  const script = new URL('./verify_roll.py', import.meta.url).pathname
  for (const pair of pairs) {
    const { status, stdout, stderr } = spawnSync('python3', [script], { input: JSON.stringify(pair), encoding: 'utf8' })
    assert.deepEqual([status, stdout], [0, `holds ${pair.roll?.dice.length}\n`], stderr)
  }
  const [{ roll, proof } = assert.fail()] = pairs
  const wrong = spawnSync('python3', [script], { input: JSON.stringify({ roll, proof: { ...proof, nonce: 99 } }), encoding: 'utf8' })
  assert.notEqual(wrong.status, 0)
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
    [[save('empty.json', {})], /empty\.json' is not a proof\. Get one with GET/],
    [[save('list.json', [])], /list\.json' is not a proof\./],
    [[save('null.json', null)], /null\.json' is not a proof\./],
    [[save('partial.json', { ...proof, words: undefined })], /partial\.json' is not a proof\./],
    [[save('roll.json', roll)], /roll\.json' is a roll, not a proof\. .* pass the roll with --roll/],
    [[files[0] as string, '--roll', save('proof.json', proof)], /proof\.json' is not a roll\./],
    [[save('hidden.json', { ...proof, server_seed: null })], /The seed is not revealed yet/],
    [[files[0] as string, '--roll', save('odd.json', { ...roll, notation: '4d6kh3+', pool: null })], /is damaged: .* Get both again\./],
  ]
  for (const [args, sentence] of refusals) {
    const { code, output } = await guildhall(['verify-roll', ...args], env)
    assert.deepEqual([code, sentence.test(output), output.split('\n').length], [1, true, 2], `${args}: ${output}`)
  }
})

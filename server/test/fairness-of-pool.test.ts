import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { drawFrom } from '@guildhall/dice/draw'
import { commitmentOf, wordsOf } from '@guildhall/dice/node-crypto'
import { type Pool, rollPool } from '@guildhall/dice/pool'
import fc from 'fast-check'
import { anyPool } from '../../dice/test/pools.ts'

const script = new URL('./verify_roll.py', import.meta.url).pathname
const server_seed = Buffer.alloc(32, 18)

/** Rolls a pool under a known seed, and returns it with its proof as the service does. */
function proven({ dice: own, special, ...options }: Pool, nonce: number) {
  const pool = {
    ...options,
    dice: own + 2,
    modifier: -2,
    traits: [],
    ...(special !== undefined && { special: { count: special, label: 'hunger' } }),
  }
  const source = { server_seed, client_seed: 'pools', nonce }
  const draw = drawFrom(wordsOf(source))
  const result = rollPool({ ...options, dice: own, special }, draw)
  const following = wordsOf(source)
  const words = Array.from({ length: draw.used }, () => following.next().value)
  const proof = { server_seed: server_seed.toString('hex'), commitment: commitmentOf(server_seed), client_seed: 'pools', nonce, words }
  return { proof, roll: { notation: null, pool, settlement: null, ...result } }
}

type Pair = ReturnType<typeof proven>
const verify = (pairs: Pair | Pair[]) => spawnSync('python3', [script], { input: JSON.stringify(pairs), encoding: 'utf8' })
const skip = spawnSync('python3', ['--version']).status === 0 ? false : 'python3 is not on this machine'
const base = { sides: 10, dice: 6, difficulty: 6, desperation_dice: 2 }

test('the verifier in Python agrees on every kind of pool', { skip }, () => {
  const everyOption: Pool[] = [
    base,
    { ...base, difficulty: null },
    { ...base, difficulty: null, again: [9, 10], special: 2 },
    { ...base, double: [] },
    { ...base, double: [7, 9] },
    { ...base, ones: 'IGNORE' },
    { ...base, again: [8, 9, 10] },
    { ...base, again: [1] },
    { ...base, needed: 4 },
    { ...base, special: 3 },
    { ...base, special: 30, again: [10] },
    { ...base, dice: 0, chance: true, sides: 2, difficulty: 2 },
    { ...base, dice: -1, chance: true, special: 1, again: [6, 10], ones: 'IGNORE', needed: 2 },
    { ...base, dice: 0, chance: true, desperation_dice: 0 },
    { ...base, dice: 100, sides: 2, difficulty: 2, again: [2] },
    { ...base, sides: 1000, difficulty: 900, double: [999], again: [1000] },
  ]
  const pools = [...everyOption, ...fc.sample(anyPool(12, 20), { numRuns: 400, seed: 18 })]
  const pairs = pools.map((pool, i) => proven(pool, i + 1))
  const { status, stdout, stderr } = verify(pairs)
  // The verifier stops at the first roll that does not hold.
  const failed = JSON.stringify(pairs[stdout.split('\n').length - 1]?.roll)
  assert.deepEqual([status, stdout], [0, pairs.map(({ roll }) => `holds ${roll.dice.length}\n`).join('')], `${stderr}${failed}`)
})

test('the verifier in Python finds a pool that was counted in another way', { skip }, () => {
  const pair = proven({ ...base, again: [10], double: [9], needed: 2, special: 2 }, 1)
  const { roll, proof } = pair
  assert.equal(verify(pair).status, 0)
  for (const [changed, failed] of [
    [{ net: (roll.net as number) + 1 }, 'result'],
    [{ margin: (roll.margin as number) + 1 }, 'result'],
    [{ outcome: 'BOTCH' }, 'result'],
    [{ strained: !roll.strained }, 'result'],
    [{ pool: { ...roll.pool, needed: 3 } }, 'result'],
    [{ pool: { ...roll.pool, special: { count: 1, label: 'hunger' } } }, 'pool'],
    [{ pool: { ...roll.pool, difficulty: 2 } }, 'pool'],
    [{ pool: { ...roll.pool, again: roll.dice.map(({ value }) => value) } }, 'pool'],
    [{ dice: roll.dice.map((die) => ({ ...die, sides: 6 })) }, 'sides'],
  ] as [Partial<typeof roll>, string][]) {
    const { status, stderr } = verify({ proof, roll: { ...roll, ...changed } as typeof roll })
    assert.deepEqual([status, stderr.includes(`AssertionError: ${failed}`)], [1, true], `${JSON.stringify(changed)}: ${stderr}`)
  }
})

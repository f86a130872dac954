import { drawFrom } from '../src/draw.ts'
import { evaluate } from '../src/evaluate.ts'
import { commitmentOf, wordsOf } from '../src/node-crypto.ts'
import { countsSuccesses, parseStored } from '../src/notation.ts'
import { type Pool, rollPool } from '../src/pool.ts'
import type { Proof, ProvenRoll } from '../src/proof.ts'

export interface Pair {
  proof: Proof
  roll: ProvenRoll
}

/** Rolls as the server does, and returns the roll with its proof. */
export function proven(rolled: { notation: string } | { pool: Pool }, seed = 9, nonce = 1): Pair {
  const source = { server_seed: Buffer.alloc(32, seed), client_seed: 'my-own_SEED', nonce }
  const draw = drawFrom(wordsOf(source))
  const result = 'pool' in rolled ? ofPool(rolled.pool, draw) : ofNotation(rolled.notation, draw)
  const words = wordsOf(source)
  const proof = {
    roll_id: 'r',
    seed_id: 's',
    commitment: commitmentOf(source.server_seed),
    client_seed: source.client_seed,
    nonce,
    words: Array.from({ length: draw.used }, () => words.next().value),
    server_seed: source.server_seed.toString('hex'),
  }
  return { proof, roll: { id: 'r', ...result, target: null, compare: null, naturals: false, settlement: null } }
}

function ofNotation(notation: string, draw: ReturnType<typeof drawFrom>) {
  const term = parseStored(notation)
  const { dice, value } = evaluate(term, draw)
  const [net, total] = countsSuccesses(term) ? [value, null] : [null, value]
  return { notation, pool: null, dice, net, total, margin: null, outcome: null }
}

/** The modifier and the special dice are stored as the API returns them. */
function ofPool({ special, ...pool }: Pool, draw: ReturnType<typeof drawFrom>) {
  const { dice, net, total, margin, outcome } = rollPool({ ...pool, special }, draw)
  const stored = { ...pool, dice: pool.dice + 2, modifier: -2, ...(special !== undefined && { special: { count: special } }) }
  return { notation: null, pool: stored, dice, net, total, margin, outcome }
}

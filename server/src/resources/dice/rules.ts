import { type Distribution, entries, momentsOf, negative, shifted, sumOf } from '@guildhall/dice/distribution'
import { countsSuccesses, type Term } from '@guildhall/dice/notation'
import { oddsOf, oddsWithNaturals } from '@guildhall/dice/odds'
import { oddsOfPool, outcomesOfPool } from '@guildhall/dice/odds-of-pool'
import { OUTCOMES, type Outcome } from '@guildhall/dice/pool'
import { reached } from '@guildhall/dice/reached'
import { enginePool } from '@guildhall/dice/stored-pool'
import { invalid } from '../../core/problem.ts'
import { engineFault } from '../dice-rolls/engine-faults.ts'
import type { ReadyRoll } from '../dice-rolls/result.ts'
import type { Odds } from './schema.ts'

type OutcomeOdds = Odds['outcomes']

/** The distribution of a result, and how likely it ends how. Without a target and a difficulty there is no aim, and no outcome. */
interface Computed {
  of: Odds['of']
  results: Distribution
  aim: { margins: Distribution; outcomes: OutcomeOdds } | null
}

/** Computes the exact odds, or rejects with 400 and the limit that the roll exceeds. */
export function exactOdds(roll: ReadyRoll): Odds {
  try {
    return oddsReply('pool' in roll.rolled ? computedPool(roll, roll.rolled.pool) : computedNotation(roll, roll.rolled.term))
  } catch (error) {
    return invalid([engineFault(error, 'pool' in roll.rolled ? 'pool' : 'notation')])
  }
}

type RolledPool = Extract<ReadyRoll['rolled'], { pool: unknown }>['pool']

function computedPool({ asked }: ReadyRoll, rolled: RolledPool): Computed {
  const pool = enginePool(rolled)
  const results = oddsOfPool(pool)
  if (pool.difficulty === null) return { of: 'TOTAL', results, aim: aimAt(asked, results) }
  return { of: 'NET', results, aim: { margins: shifted(results, -(pool.needed ?? 1)), outcomes: outcomesOfPool(pool, results) } }
}

function computedNotation({ asked }: ReadyRoll, term: Term): Computed {
  const of = countsSuccesses(term) ? 'NET' : 'TOTAL'
  if (!asked.naturals) {
    const results = oddsOf(term)
    return { of, results, aim: aimAt(asked, results) }
  }
  const { max, min, other } = oddsWithNaturals(term)
  const results = sumOf([max, min, other])
  const aim = aimAt(asked, results)
  const others = aimAt(asked, other)?.outcomes ?? []
  const ofNaturals: Partial<Record<Outcome, number>> = { CRITICAL: weightOf(max), BOTCH: weightOf(min) }
  const outcomes = others.map(({ outcome, probability }) => ({ outcome, probability: ofNaturals[outcome] ?? probability }))
  return { of, results, aim: aim && { ...aim, outcomes } }
}

const weightOf = ({ p }: Distribution) => p.reduce((sum, one) => sum + one, 0)

/** The margins and outcomes against a target, without natural faces. */
function aimAt(asked: ReadyRoll['asked'], results: Distribution): Computed['aim'] {
  const { target, compare } = asked
  if (target === undefined) return null
  const margins = compare === 'AT_MOST' ? shifted(negative(results), target) : shifted(results, -target)
  const odds = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  for (const [value, p] of entries(results)) {
    const { outcome } = reached(value, { target, ...(compare && { compare }) }, [])
    if (outcome) odds.set(outcome, (odds.get(outcome) as number) + p)
  }
  return { margins, outcomes: [...odds].map(([outcome, probability]) => ({ outcome, probability })) }
}

const MISSES: Outcome[] = ['BOTCH', 'FAILURE']
/** Rounding may add up to a little more than 1. */
const atMostOne = (p: number) => Math.min(1, p)
const listed = (distribution: Distribution) => [...entries(distribution)].map(([value, p]) => ({ value, probability: atMostOne(p) }))

function oddsReply({ of, results, aim }: Computed): Odds {
  const outcomes = (aim?.outcomes ?? []).map(({ outcome, probability }) => ({ outcome, probability: atMostOne(probability) }))
  const hits = outcomes.filter(({ outcome }) => !MISSES.includes(outcome))
  return {
    of,
    results: listed(results),
    margins: aim ? listed(aim.margins) : [],
    outcomes,
    success: aim ? atMostOne(hits.reduce((sum, { probability }) => sum + probability, 0)) : null,
    ...momentsOf(results),
  }
}

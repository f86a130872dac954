import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { type Answers, load } from './load.ts'
import { type Cost, watch } from './machine.ts'

/** A server to measure, and the requests for it. */
export interface Subject {
  port: number
  next: () => string
}

export interface Figures {
  perSecond: number
  p50: number
  p99: number
  /** The microseconds of CPU per request, for each group of processes. */
  cpu: number[]
  /** The number of rounds that were repeated because other processes used the machine. */
  discarded: number
  /** The number of rounds that were kept although other processes used the machine, because it never became quiet. */
  disturbed: number
  rounds: { perSecond: number; p50: number }[]
}

/** Returns the median ratio of two servers, round by round: a machine that becomes slower does so for both. */
export const ratioOf = (ours: Figures, theirs: Figures, figure: 'perSecond' | 'p50') =>
  median(ours.rounds.map((round, i) => round[figure] / (theirs.rounds[i]?.[figure] as number)))

/** Enough connections to keep every core busy, including the load generator. */
export const CONNECTIONS = 8 * availableParallelism()
/** The maximum share of the machine that other processes may use in a round. */
const MAX_OTHERS = 0.1

export const median = (values: number[]) => quantile(values, 0.5)
export const quantile = (values: number[], part: number) => values.sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

export interface Plan {
  rounds: number
  ms: number
  warm?: number
  connections?: number
  groups: number[][]
}

/**
 * Measures several servers in short alternating rounds, so that other work on the machine affects all of them alike. Rounds in which other
 * processes used too much of the machine are repeated, up to a limit.
 */
export async function compare(subjects: Subject[], { rounds, ms, warm = ms, connections = CONNECTIONS, groups }: Plan): Promise<Figures[]> {
  const kept = subjects.map(() => [] as { answers: Answers; cost: Cost }[])
  let discarded = 0
  // Warm up until the hot code is optimized, which takes thousands of requests, and more in a larger program.
  for (const { port, next } of subjects) await load(port, connections, warm, next)
  for (let round = 0, repetitions = rounds * 2; round < rounds; round++) {
    for (const [i, { port, next }] of subjects.entries()) {
      const stopWatching = watch(groups)
      const answers = await load(port, connections, ms, next)
      const cost = stopWatching()
      if (cost.others > MAX_OTHERS && repetitions-- > 0) discarded++
      else kept[i]?.push({ answers, cost })
    }
    if (kept.some((runs) => runs.length <= round)) {
      for (const runs of kept) runs.length = Math.min(runs.length, round)
      round--
    }
  }
  return kept.map((runs) => {
    const times = runs.flatMap(({ answers }) => answers.times)
    return {
      perSecond: median(runs.map(({ answers }) => answers.perSecond)),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: groups.map((_, g) => median(runs.map(({ answers, cost }) => ((cost.cpu[g] as number) * 1000) / answers.times.length))),
      discarded,
      disturbed: runs.filter(({ cost }) => cost.others > MAX_OTHERS).length,
      rounds: runs.map(({ answers: { perSecond, times } }) => ({ perSecond, p50: quantile([...times], 0.5) })),
    }
  })
}

/** Returns the number of statements per request, without BEGIN and COMMIT, or null if the database does not count them. */
export async function statements(client: pg.Client, subject: Subject): Promise<number | null> {
  const isCounted = await client.query('SELECT pg_stat_statements_reset()').catch(() => undefined)
  if (!isCounted) return null
  const { times } = await load(subject.port, 1, 300, subject.next)
  const { rows } = await client.query(`
    SELECT sum(s.calls)::int AS calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
    WHERE d.datname = current_database() AND s.query !~* '^\\s*(BEGIN|COMMIT|ROLLBACK|SET|RESET)|pg_stat_statements|api_keys SET|SELECT id FROM api_keys'`)
  return Math.round((10 * rows[0].calls) / times.length) / 10
}

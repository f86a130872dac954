import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { type Answers, load } from './load.ts'
import { type Cost, watch } from './machine.ts'

/** One of the servers that are compared, and what is asked of it. */
export interface Subject {
  port: number
  next: () => string
}

export interface Figures {
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of CPU per request, of each group of processes. */
  cpu: number[]
  /** Rounds in which others took the machine, and which were measured again. */
  discarded: number
  rounds: { perSecond: number; p50: number }[]
}

/** How one compares with another, round by round: a machine that grew slower meanwhile did so for both. */
export const ratioOf = (ours: Figures, theirs: Figures, figure: 'perSecond' | 'p50') =>
  median(ours.rounds.map((round, i) => round[figure] / (theirs.rounds[i]?.[figure] as number)))

/** As many as keep every core busy; the load generator takes its part. */
export const CONNECTIONS = 8 * availableParallelism()
const OTHERS = 0.1

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
 * Measures several subjects in short rounds that take turns, so that whatever else the machine does meets all alike. Rounds in
 * which others took more than a tenth of it are measured again, as long as there is patience.
 */
export async function compare(subjects: Subject[], { rounds, ms, warm = ms, connections = CONNECTIONS, groups }: Plan): Promise<Figures[]> {
  const kept = subjects.map(() => [] as { answers: Answers; cost: Cost }[])
  let discarded = 0
  // Until what is called often is compiled well: it takes thousands of requests, and a bigger program takes more of them.
  for (const { port, next } of subjects) await load(port, connections, warm, next)
  for (let round = 0, patience = rounds * 2; round < rounds; round++) {
    for (const [i, { port, next }] of subjects.entries()) {
      const watched = watch(groups)
      const answers = await load(port, connections, ms, next)
      const cost = watched()
      if (cost.others > OTHERS && patience-- > 0) discarded++
      else kept[i]?.push({ answers, cost })
    }
    if (kept.some((of) => of.length <= round)) {
      for (const of of kept) of.length = Math.min(of.length, round)
      round--
    }
  }
  return kept.map((of) => {
    const times = of.flatMap(({ answers }) => answers.times)
    return {
      perSecond: median(of.map(({ answers }) => answers.perSecond)),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: groups.map((_, g) => median(of.map(({ answers, cost }) => ((cost.cpu[g] as number) * 1000) / answers.times.length))),
      discarded,
      rounds: of.map(({ answers: { perSecond, times } }) => ({ perSecond, p50: quantile([...times], 0.5) })),
    }
  })
}

/** Statements per request, without BEGIN and COMMIT, if the database counts them. */
export async function statements(client: pg.Client, subject: Subject): Promise<number | null> {
  const counting = await client.query('SELECT pg_stat_statements_reset()').catch(() => undefined)
  if (!counting) return null
  const { times } = await load(subject.port, 1, 300, subject.next)
  const { rows } = await client.query(`
    SELECT sum(s.calls)::int AS calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
    WHERE d.datname = current_database() AND s.query !~* '^\\s*(BEGIN|COMMIT|ROLLBACK|SET|RESET)|pg_stat_statements|api_keys SET|SELECT id FROM api_keys'`)
  return Math.round((10 * rows[0].calls) / times.length) / 10
}

import { setTimeout as sleep } from 'node:timers/promises'
import { hasLibrary, runAt } from '../../server/test/citus.ts'

/** A session reports its transactions at most this long after it becomes idle. */
const MAX_REPORT_DELAY_MS = 11_000

/** Statements of companies name a shard by its number. Others belong to Citus itself. */
const STATEMENTS = `
  SELECT coalesce(sum(s.calls), 0)::int AS count FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
  WHERE d.datname = 'guildhall' AND s.query ~ '_[0-9]{6,}'`
const TRANSACTIONS = "SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = 'guildhall'"

export interface Counting {
  unit: 'statements' | 'transactions'
  /** Returns the number on each server since the start. */
  counts(): Promise<number[]>
}

/** Statements are counted only on demand, because that takes time on the workers which one PostgreSQL does not need. */
export async function pauseCounting(servers: string[]): Promise<void> {
  if (hasLibrary('pg_stat_statements')) await trackStatements(servers, 'none')
}

const trackStatements = (servers: string[], level: 'top' | 'none') =>
  Promise.all(servers.map((server) => runAt(server, `ALTER SYSTEM SET pg_stat_statements.track = '${level}'`, 'SELECT pg_reload_conf()')))

/** Starts to count the statements on servers, or the transactions if pg_stat_statements is not installed. */
export async function startCounting(servers: string[]): Promise<Counting> {
  const count = (query: string) =>
    Promise.all(servers.map(async (server) => (await runAt<{ count: number }>(server, query))[0]?.count as number))
  if (hasLibrary('pg_stat_statements')) {
    await trackStatements(servers, 'top')
    for (const server of servers)
      await runAt(server, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements', 'SELECT pg_stat_statements_reset()')
    return { unit: 'statements', counts: () => count(STATEMENTS) }
  }
  const before = await count(TRANSACTIONS)
  const counts = async () => {
    await sleep(MAX_REPORT_DELAY_MS)
    return (await count(TRANSACTIONS)).map((after, i) => after - (before[i] as number))
  }
  return { unit: 'transactions', counts }
}
